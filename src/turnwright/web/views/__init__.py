"""What a seat is shown, made on the server from what the seat knows: nothing else ever reaches its page."""

from turnwright.web.views.page import TOLD, Page, page
from turnwright.web.views.telling import Throw, Told, story_of

__all__ = ["TOLD", "Page", "Throw", "Told", "page", "story_of"]
