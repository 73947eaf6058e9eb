"""What was found last, kept so that asking the same again takes no time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")
KEPT = 512
"""So many results are kept; asking the same again of the same state takes no time."""


class Kept:
    """The results that were asked for last, by state, declaration and who decides."""

    def __init__(self, most: int = KEPT) -> None:
        self.most = most
        self._kept: OrderedDict[Hashable, tuple[object, Any]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Hashable, holds: object, make: Callable[[], T]) -> T:
        """What was found for the key. It names things by their identity, so those are held on to in `holds`."""
        if key in self._kept:
            self._kept.move_to_end(key)
            found: T = self._kept[key][1]
            return found
        found = make()
        self._kept[key] = (holds, found)
        if len(self._kept) > self.most:
            self._kept.popitem(last=False)
        return found
