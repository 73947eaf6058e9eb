"""Whether a straight line between two Spaces is clear, for looking along it and for reaching along it."""

from array import array
from collections.abc import Callable, Iterable, Iterator
from weakref import WeakKeyDictionary

from turnwright.space.grid import Cell, Door, Terrain, Wall, distance
from turnwright.space.routes import Ground

REMEMBERED = 4_000_000
UNKNOWN, STOPPED, CLEAR = 0, 1, 2


class Screen:
    """What stops a line on one ground: filled Spaces and shut edges; answers are kept.

    Where a line runs exactly through a corner there are two ways round it: a narrow line needs one of them,
    a wide one both.
    """

    __slots__ = ("_answers", "_filled", "_shut", "_size", "_wide", "_width", "nothing")

    def __init__(
        self,
        ground: Ground,
        filled: Iterable[Cell],
        edges: Iterable[Wall | Door],
        *,
        wide: bool,
    ) -> None:
        self._width, self._size = ground.width, len(ground.cells)
        self._filled = frozenset(filled)
        self._shut = frozenset(way for edge in edges for way in ((edge.a, edge.b), (edge.b, edge.a)))
        self._wide = wide
        self._answers: dict[Cell, bytearray] = {}
        self.nothing = not self._filled and not self._shut

    def fills(self, cell: Cell) -> bool:
        return cell in self._filled

    def is_clear(self, a: Cell, b: Cell) -> bool:
        """Whether the line from a to b is clear, whatever fills a and b themselves; both are on the map."""
        if b < a:
            a, b = b, a
        answers = self._answers.get(a)
        if answers is None:
            answers = self._answers_from(a)
        i = b[1] * self._width + b[0]
        known = answers[i]
        if known == UNKNOWN:
            known = answers[i] = CLEAR if self._follow(a, b) else STOPPED
        return known == CLEAR

    def _answers_from(self, a: Cell) -> bytearray:
        if len(self._answers) * self._size >= REMEMBERED:
            self._answers.clear()
        return self._answers.setdefault(a, bytearray(self._size))

    def _follow(self, a: Cell, b: Cell) -> bool:
        filled, shut, here = self._filled, self._shut, a
        for there in _crossed(a, b):
            if there in filled and there != b:
                return False
            if here[0] != there[0] and here[1] != there[1]:
                if not self._passes_corner(here, there):
                    return False
            elif shut and (here, there) in shut:
                return False
            here = there
        return True

    def _passes_corner(self, here: Cell, there: Cell) -> bool:
        ways = (self._goes_by(here, side, there) for side in ((there[0], here[1]), (here[0], there[1])))
        return all(ways) if self._wide else any(ways)

    def _goes_by(self, here: Cell, side: Cell, there: Cell) -> bool:
        return side not in self._filled and (here, side) not in self._shut and (side, there) not in self._shut


def sees(ground: Ground, a: Cell, b: Cell) -> bool:
    """Whether a clear line joins the middles of two Spaces, the same in both directions.

    Opaque Spaces between them stop it, and opaque walls and closed opaque doors.
    A line that only grazes a corner passes, if one side of the corner is free.
    An opaque Space is seen, and seen from, only one step away. Concealment is not asked.
    """
    if not (ground.contains(a) and ground.contains(b)):
        return False
    screen = ground.screens.get("sight") or _sight(ground)
    if screen.nothing or a == b:
        return True
    if (screen.fills(a) or screen.fills(b)) and distance(a, b) > 1:
        return False
    return screen.is_clear(a, b)


def sees_plainly(ground: Ground, a: Cell, b: Cell, sense: str, within: int) -> bool:
    """Whether a line is clear and the Space looked at does not conceal from the sense, or is within so many steps."""
    concealed = sense in ground.terrain(b).conceals and distance(a, b) > within
    return not concealed and sees(ground, a, b)


def in_reach(ground: Ground, a: Cell, b: Cell, reach: int) -> bool:
    """Whether b is at most `reach` steps from a with nothing solid between, the same in both directions.

    Blocked Spaces between them stop it, and walls and closed doors, opaque or not.
    Past a corner it needs what a diagonal step needs: no blocked Space beside it and no wall touching it.
    What fills a and b themselves is not asked.
    """
    if abs(a[0] - b[0]) > reach or abs(a[1] - b[1]) > reach or not (ground.contains(a) and ground.contains(b)):
        return False
    screen = ground.screens["touch"] if "touch" in ground.screens else _touch(ground)
    return screen.nothing or a == b or screen.is_clear(a, b)


def line(a: Cell, b: Cell) -> tuple[Cell, ...]:
    """The Spaces whose inside a straight line from a to b crosses, both ends included."""
    return a, *_crossed(a, b)


def _sight(ground: Ground) -> Screen:
    edges = [edge for edge in ground.shut() if edge.opaque]
    filled = _filled(ground, lambda terrain: terrain.opaque)
    return ground.screens.setdefault("sight", Screen(ground, filled, edges, wide=False))


def _touch(ground: Ground) -> Screen:
    filled = _filled(ground, lambda terrain: terrain.blocked)
    return ground.screens.setdefault("touch", Screen(ground, filled, ground.shut(), wide=True))


def _filled(ground: Ground, fills: Callable[[Terrain], bool]) -> list[Cell]:
    return [cell for terrain, bits in ground.kinds.values() if fills(terrain) for cell in ground.listed(bits)]


def _crossed(a: Cell, b: Cell) -> Iterator[Cell]:
    """The Spaces that a line from middle to middle enters; through a corner it enters the Space across."""
    x, y = a
    wide, high = abs(b[0] - x), abs(b[1] - y)
    dx, dy = (1 if b[0] > x else -1), (1 if b[1] > y else -1)
    # With the line's length as 2 * wide * high, it meets the next edges at these two places.
    to_side, to_end = high, wide
    while (x, y) != b:
        side, end = to_side <= to_end, to_end <= to_side
        if side:
            x, to_side = x + dx, to_side + 2 * high
        if end:
            y, to_end = y + dy, to_end + 2 * wide
        yield x, y


# -- everything that is seen from one Space


class Path:
    """A line from a Space to another, as places in `View`: what must be free, and where it passes corners."""

    __slots__ = ("cells", "corners", "edges")

    def __init__(self, width: int, size: int, dx: int, dy: int) -> None:
        self.cells, self.edges = array("i"), array("i")
        self.corners: list[tuple[tuple[int, int, int], tuple[int, int, int]]] = []

        def spot(cell: Cell) -> int:
            return cell[1] * width + cell[0]

        def edge(a: Cell, b: Cell) -> int:
            first = min(a, b)
            return spot(first) + (size if a[0] == b[0] else 0)

        here = (0, 0)
        for there in _crossed(here, (dx, dy)):
            if there != (dx, dy):
                self.cells.append(spot(there))
            if here[0] != there[0] and here[1] != there[1]:
                one, two = (there[0], here[1]), (here[0], there[1])
                by_one = spot(one), edge(here, one), edge(one, there)
                self.corners.append((by_one, (spot(two), edge(here, two), edge(two, there))))
            else:
                self.edges.append(edge(here, there))
            here = there


class View:
    """What stops sight on one ground, laid out so that all lines from a Space are followed in one go."""

    def __init__(self, ground: Ground) -> None:
        size = len(ground.cells)
        self.width, self.size = ground.width, size
        self.filled = bytearray(size)
        self.shut = bytearray(2 * size)
        """For each Space whether something is shut to the east of it, and then to the south."""
        for x, y in _filled(ground, lambda terrain: terrain.opaque):
            self.filled[y * self.width + x] = 1
        for edge in ground.shut():
            a, b = sorted((edge.a, edge.b))
            if edge.opaque and ground.contains(a) and ground.contains(b):
                self.shut[a[1] * self.width + a[0] + (size if a[0] == b[0] else 0)] = 1

    def leads(self, base: int, path: Path) -> bool:
        """Whether a line that begins in a Space is clear."""
        filled, shut = self.filled, self.shut
        for spot in path.cells:
            if filled[base + spot]:
                return False
        for spot in path.edges:
            if shut[base + spot]:
                return False
        for ways in path.corners:
            if all(filled[base + side] or shut[base + a] or shut[base + b] for side, a, b in ways):
                return False
        return True


PATHS_KEPT = 3_000_000
"""Spaces on lines that are remembered."""
_paths: dict[tuple[int, int, int, int], Path] = {}
_kept = [0]
_views: WeakKeyDictionary[Ground, View] = WeakKeyDictionary()


def seen_from(ground: Ground, a: Cell, among: Iterable[Cell]) -> list[Cell]:
    """Those of some Spaces of the map that `sees` joins with one, many times faster than one by one."""
    if not ground.contains(a):
        return []
    view = _views.get(ground)
    if view is None:
        view = _views[ground] = View(ground)
    x, y = a
    width, size = view.width, view.size
    base = y * width + x
    if view.filled[base]:
        return [b for b in among if distance(a, b) <= 1 and sees(ground, a, b)]
    found = []
    for b in among:
        dx, dy = b[0] - x, b[1] - y
        if view.filled[base + dy * width + dx] and (abs(dx) > 1 or abs(dy) > 1):
            continue
        path = _paths.get((width, size, dx, dy))
        if path is None:
            path = _path(width, size, dx, dy)
        if view.leads(base, path):
            found.append(b)
    return found


def _path(width: int, size: int, dx: int, dy: int) -> Path:
    made = Path(width, size, dx, dy)
    length = len(made.cells) + 1
    if _kept[0] + length > PATHS_KEPT:
        _paths.clear()
        _kept[0] = 0
    _kept[0] += length
    return _paths.setdefault((width, size, dx, dy), made)
