"""The guide's rulings, kept and offered again when the same is declared in the same circumstances.

A ruling is kept under what it was made for: the action, the method and the circumstances that the game names, as
`attempt: climb the wall | tactical | prone`. What a scene file writes there may name fewer circumstances; it then
holds in whatever others there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from turnwright.model import Declaration, Ruling, State
from turnwright.rules import Game

TARGET = "target"
"""In a kept ruling, whoever is declared at: it was made about one of the kind, and holds for each."""


_asked: list[tuple[State, Declaration, str]] = []
"""What was asked last; presets, the ruling and what is kept of it ask the same again."""


def made_for(game: Game, state: State, d: Declaration) -> str:
    """What a ruling on the declaration is kept under."""
    for kept, said, when in _asked:
        if kept is state and said is d:
            return when
    when = _made_for(game, state, d)
    _asked[:] = [(state, d, when)]
    return when


def _made_for(game: Game, state: State, d: Declaration) -> str:
    return " | ".join((_heading(d.action, d.method), *map(_plain, game.circumstances(state, d))))


def _heading(action: str, method: str) -> str:
    """The action and the method as they were said, without what makes no difference."""
    return f"{action}: {_plain(method).rstrip('.!')}".strip()


@lru_cache(maxsize=1024)
def _plain(text: str) -> str:
    return " ".join(text.lower().replace("|", " ").split())


def _parts(when: str) -> tuple[str, list[str]]:
    heading, *named = [_plain(part) for part in when.split("|")]
    action, _, method = heading.partition(":")
    return _heading(action.strip(), method), [part for part in named if part]


def before(game: Game, state: State, d: Declaration) -> tuple[Ruling, ...]:
    """How the same was ruled before, the latest word first: in play, then in the scene file."""
    found = [*_in_play(game, state, d), *_in_the_scene(game, state, d)]
    return tuple([_about(ruling, d) for ruling in found])


def _in_play(game: Game, state: State, d: Declaration) -> Iterator[Ruling]:
    if state.rulings:
        when = made_for(game, state, d)
        yield from (ruling for ruling in state.rulings if ruling.when == when)


def _in_the_scene(game: Game, state: State, d: Declaration) -> Iterator[Ruling]:
    """Rulings of the scene file whose circumstances hold, those that name most of them first."""
    if not state.scene.rulings:
        return
    heading, *around = made_for(game, state, d).split(" | ")
    held = {ruling.when for ruling in state.rulings}
    fits = [(ruling, *_parts(ruling.when)) for ruling in state.scene.rulings if ruling.when not in held]
    fits.sort(key=lambda fit: -len(fit[2]))
    for ruling, wanted, named in fits:
        if wanted == heading and all(part in around for part in named):
            yield ruling


def _about(ruling: Ruling, d: Declaration) -> Ruling:
    return replace(ruling, against=d.target) if ruling.against == TARGET else ruling


def to_keep(game: Game, state: State, d: Declaration, given: Ruling) -> Ruling | None:
    """The ruling as it is kept; None where it was kept so already, or is what the scene file says."""
    if given.when and given in before(game, state, d):
        return None
    against = TARGET if d.target and given.against == d.target else given.against
    kept = replace(given, against=against, when=made_for(game, state, d))
    return None if kept in state.rulings else kept


def house_rules(state: State) -> tuple[Ruling, ...]:
    """Every ruling that stands: those of the scene file, where play has not changed them, and those made in play."""
    made = {ruling.when for ruling in state.rulings}
    return (*[ruling for ruling in state.scene.rulings if ruling.when not in made], *state.rulings)
