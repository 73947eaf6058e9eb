"""Movement that a rule grants beside the mode of the Activation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from turnwright.model import Declaration, Refusal, State
from turnwright.rules import Nature
from turnwright.systems.narateer.movement import Move
from turnwright.systems.narateer.routes import EXTRA
from turnwright.systems.narateer.sheet import Character

TOPICS = ("additional",)


class ExtraMove(Move):
    """Movement that another rule granted: exactly as many metres as it says, and no mode is chosen for it.

    What the ground and hiding cost applies to it, and so does whatever prevents movement; BM and Encumbrance do not.
    Rules: narateer.additional.separate-from-normal, narateer.additional.exact-amount,
    narateer.additional.no-multiplier.
    """

    name = EXTRA
    about = "use movement that a rule granted beside the movement mode"
    nature: ClassVar[Nature] = "free"
    rules = ("narateer.additional.separate-from-normal", "narateer.additional.exact-amount")

    def title(self, d: Declaration) -> str:
        return "additional movement"

    def goes_on(self, actor: Character) -> bool:
        return True

    def mode_refusals(self, known: State, actor: Character, d: Declaration) -> Iterator[Refusal]:
        if not actor.extra or not self.goes_far(known, actor, actor.extra):
            text = "no additional movement is left" if actor.extra else "no rule has granted additional movement"
            yield Refusal("narateer.additional.exact-amount", text, "NO_EXTRA")
