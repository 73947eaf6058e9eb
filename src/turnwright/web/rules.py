"""The card of a rule: what it says in our words, where it comes from, and what holds where its text is silent."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse

from turnwright import catalogue
from turnwright.catalogue import Rule
from turnwright.model import Setting
from turnwright.rules import Game, games

MOST_ID = 200
"""Characters of an id that is looked for."""


class InForce(NamedTuple):
    """A setting that stands in for what a rule's text leaves open."""

    name: str
    value: str
    reason: str
    origin: str
    """Where the default comes from, in words."""


class RuleCard(NamedTuple):
    """One rule as it is shown."""

    id: str
    game: str
    topic: str
    kind: str
    label: str
    """`source` where the rulebook says it, `outside` where another text does, `ours` where we fill a gap."""
    statement: str
    source: str
    case: str
    silent: str
    settings: tuple[InForce, ...]
    depends: tuple[str, ...]


ORIGINS = {
    "source": "the rulebook's own",
    "outside": "from public pages of the game",
    "ours": "our default; the text is silent",
}
LABELS = {
    "source": "from the rulebook",
    "outside": "from outside the rulebook",
    "ours": "partly ours: the rulebook is silent",
}


def rule_card(rule_id: str) -> RuleCard:
    """The card of a rule. Raises LookupError naming the nearest ids."""
    for game in games().values():
        found = catalogue.find(game, rule_id)
        if found is not None:
            return _card(game, found)
    near = [name for game in games().values() for name in catalogue.nearest(game, rule_id)]
    raise LookupError(f"No rule has the id {rule_id}." + (f" The nearest are: {', '.join(near)}." if near else ""))


def _card(game: Game, found: Rule) -> RuleCard:
    settings = tuple([_in_force(game, setting) for setting in catalogue.left_open(game, found.id)])
    depends = (found.depends,) if isinstance(found.depends, str) else tuple(found.depends)
    origins = {setting.source for setting in catalogue.left_open(game, found.id)}
    ours = "ours" in origins or (found.silent and not origins)
    label = "ours" if ours else "outside" if "outside" in origins else "source"
    return RuleCard(
        id=found.id,
        game=game.title,
        topic=found.topic,
        kind=found.kind,
        label=label,
        statement=" ".join(found.statement.split()),
        source=found.source,
        case=" ".join(found.check.split()),
        silent=" ".join(found.silent.split()),
        settings=settings,
        depends=tuple([name for name in depends if name]),
    )


def _in_force(game: Game, setting: Setting) -> InForce:
    value: Any = getattr(game.settings(), setting.name)
    written = msgspec.json.encode(value, enc_hook=str).decode()
    return InForce(setting.name, written, setting.reason, ORIGINS[setting.source])


def rule_routes(app: FastAPI) -> None:
    @app.get("/rule/{rule_id}")
    def rule(request: Request, rule_id: str) -> HTMLResponse:
        from turnwright.web.app import show

        request.app.state.guard.admit(f"rules {request.client.host if request.client else ''}")
        try:
            card = rule_card(rule_id[:MOST_ID])
        except LookupError as error:
            return show(request, "error.html", status=404, text=str(error), code=404)
        part = request.headers.get("hx-request", "") == "true"
        given: dict[str, Any] = {"card": card, "label": LABELS[card.label], "whole": not part}
        return show(request, "rule-card.html" if part else "rule.html", **given)
