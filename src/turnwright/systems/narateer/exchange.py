"""Attacks and the Combat Exchange in four steps: declare and commit, respond and commit, roll, wound.

The chapter on Combat is not in the texts that this game follows: every number here is a setting, and the whole
procedure can be replaced by registering another `attack`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play, ask, ask_each, charge, window
from turnwright.model import (
    ActorId,
    Bill,
    Check,
    Choose,
    Chosen,
    Declaration,
    Moment,
    Option,
    Outcome,
    Paid,
    Parameter,
    Price,
    Refusal,
    Rolled,
    State,
    cost,
)
from turnwright.rules import Action, Pick, Settled, Steps
from turnwright.space import in_reach, sees
from turnwright.systems.narateer.check import check, check_of, make_roll, tell_read
from turnwright.systems.narateer.economy import ad, proactive_use
from turnwright.systems.narateer.events import (
    ExchangeBegun,
    ExchangeEnded,
    Hidden,
    PowerUsed,
    Responded,
    Revealed,
    Tempo,
    Wounded,
)
from turnwright.systems.narateer.intent import stated
from turnwright.systems.narateer.senses import ground_of, locates
from turnwright.systems.narateer.sheet import Character, Part, Weapon, character, conditions_of, readiness, settings

TOPICS = ("attack", "response")

NO_RESPONSE, FULL_GUARD, CLASH = "no_response", "full_guard", "clash"


class ExchangeInitiated(Moment, frozen=True):
    """Somebody began an Exchange."""

    by: ActorId
    target: ActorId


class Struck(Moment, frozen=True):
    """The dice of an Exchange are read; `wounds` can still be changed."""

    by: ActorId
    target: ActorId
    wounds: int


class ExchangeResolved(Moment, frozen=True):
    """An Exchange is over."""

    by: ActorId
    target: ActorId
    hit: ActorId = ""


# -- attacking


def has_tempo(state: State, actor: str) -> bool:
    """Whose Activation it is has Tempo, unless the guide or a Power moved it."""
    held = state.relation(Tempo, actor, actor)
    return state.active == actor if held is None else held.has


def reaches(state: State, a: Character, b: Character, weapon: Weapon) -> bool:
    """Whether the weapon gets from one to the other: by steps in reach, or along a line where it has no limit."""
    field = ground_of(state)
    if field is None or not isinstance(a.at, tuple) or not isinstance(b.at, tuple):
        return a.at == b.at
    if weapon.spaces is None:
        return sees(field, a.at, b.at)
    if weapon.kind == "ranged":
        from turnwright.space import distance

        return distance(a.at, b.at) <= weapon.spaces and sees(field, a.at, b.at)
    return in_reach(field, a.at, b.at, weapon.spaces)


def attack_price(weapon: Weapon, proactive: bool) -> Price:
    """The Base Attack Cost pays for the whole Exchange; nothing is added for it being an Action.

    Rules: narateer.cost.base-attack-covers-exchange, narateer.cost.no-double-charge.
    """
    base = ad(
        weapon.base_attack_cost, f"Base Attack Cost of {weapon.name}", "narateer.cost.base-attack-covers-exchange"
    )
    return Price((*base, proactive_use(weapon.kind)) if proactive else base)


def attack_check(state: State, actor: str, weapon: Weapon) -> Check:
    dice = weapon.base_attack_cost if settings(state).attack_dice == "paid" else 1
    return check_of(state, actor, weapon.kind, dice=max(1, dice))


def target_refusals(known: State, d: Declaration, weapon: Weapon | None) -> Iterator[Refusal]:
    """Why this target cannot be attacked with this weapon, from what the attacker's seat knows.

    Rules: narateer.hidden.cannot-be-targeted-directly, narateer.attack.harm-uses-exchange.
    """
    actor, target = character(known, d.actor), known.actors.get(d.target)
    if weapon is None:
        text = f"{actor.name} carries no weapon called {d.option('weapon')!r}"
        yield Refusal("narateer.attack.harm-uses-exchange", text, "NO_WEAPON")
    if target is None:
        text = f"{actor.name} cannot place anybody called {d.target!r}"
        yield Refusal("narateer.hidden.cannot-be-targeted-directly", text, "NO_PRECISE_LOCATION")
        return
    if target.id == actor.id:
        yield Refusal("narateer.attack.harm-uses-exchange", "an attack needs somebody else as its target", "SELF")
        return
    if not locates(known, actor, target):
        text = f"{actor.name} cannot place {target.name} precisely enough"
        yield Refusal("narateer.hidden.cannot-be-targeted-directly", text, "NO_PRECISE_LOCATION")
        return
    if weapon is not None and not reaches(known, actor, target, weapon):
        text = f"{target.name} is out of reach of {weapon.name}"
        yield Refusal("narateer.attack.harm-uses-exchange", text, "OUT_OF_REACH")


def armed_with(known: State, d: Declaration) -> Weapon | None:
    actor: Character = known.actors[d.actor]
    name = d.option("weapon")
    if name:
        return actor.armed(name)
    return actor.weapons[0] if actor.weapons else actor.armed("unarmed")


class Attack(Action):
    """Harm a creature, armed or unarmed, by a Melee or Ranged Exchange.

    Rules: narateer.attack.harm-uses-exchange, narateer.proactive.example-melee-2.
    """

    name = "attack"
    about = "begin a Combat Exchange to harm a creature"
    tier: ClassVar[str] = ""
    rules = ("narateer.attack.harm-uses-exchange", "narateer.cost.base-attack-covers-exchange")
    parameters = (Parameter("target", "actor", "whom", True), Parameter("weapon", "choice", "with what"))

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        mine: Character = known.actors[actor]
        for other in known.actors.values():
            if other.side != mine.side:
                for weapon in mine.weapons or (mine.armed("unarmed"),):
                    assert weapon is not None
                    yield Declaration(actor, self.name, target=other.id, options={"weapon": weapon.name})

    def label(self, known: State, d: Declaration) -> str:
        target = known.actors.get(d.target)
        weapon = armed_with(known, d)
        return f"attack {target.name if target else d.target} with {weapon.name if weapon else d.option('weapon')}"

    def complete(self, known: State, d: Declaration) -> Declaration:
        weapon = armed_with(known, d) if d.actor in known.actors else None
        return stated(d, f"harm {d.target}", weapon.name if weapon else d.option("weapon"))

    def fill(self, known: State, d: Declaration, pick: Pick) -> Declaration:
        return replace(d, boost=pick((0, 0, 1)))

    def refusals(self, known: State, d: Declaration, moment: Moment | None) -> Iterator[Refusal]:
        if known.active == d.actor and not has_tempo(known, d.actor):
            yield Refusal("narateer.response.three-options", "only the one with Tempo begins an Exchange", "NO_TEMPO")
        yield from target_refusals(known, d, armed_with(known, d))

    def price(self, known: State, d: Declaration) -> Price:
        weapon = armed_with(known, d)
        return attack_price(weapon, proactive=True) if weapon is not None else Price()

    def check(self, known: State, d: Declaration) -> Check | None:
        weapon = armed_with(known, d)
        return attack_check(known, d.actor, weapon) if weapon is not None else None

    def bill(self, state: State, d: Declaration, ruling: object) -> Bill:
        return Bill(self.price(state, d), self.check(state, d), self.label(state, d))

    def warnings(self, known: State, d: Declaration) -> tuple[str, ...]:
        """Rules: narateer.reveal.warn-before-commit."""
        if known.relation(Hidden, d.actor, d.target) is not None:
            return (f"the attack will reveal you to {character(known, d.target).name}",)
        return ()

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        weapon = armed_with(play.state, d)
        assert weapon is not None
        return (yield from exchange(play, d, weapon, paid[d.actor], tempo=True))


# -- the Exchange


def exchange(play: Play, d: Declaration, weapon: Weapon, paid: Paid, *, tempo: bool) -> Steps[Outcome]:
    """Respond, roll, wound; then a hidden attacker is revealed to its target, and only then others may react.

    Rules: narateer.reveal.attack-after-exchange, narateer.response.power-after-exchange,
    narateer.reveal.attack-bystanders (nobody else is told).
    """
    play.emit(ExchangeBegun("narateer.attack.harm-uses-exchange", d.actor, d.target, weapon.name, weapon.kind))
    yield from window(play, ExchangeInitiated(d.actor, d.target))
    response = yield from respond(play, d, weapon, tempo)
    hit = yield from read_dice(play, d, weapon, paid, response)
    wounds = 0
    if hit:
        by, armed = (d.actor, weapon) if hit == d.target else (d.target, response.weapon)
        dealt = yield from window(play, Struck(by, hit, (armed or weapon).wounds))
        wounds = dealt.wounds
        play.emit(Wounded("narateer.attack.harm-uses-exchange", hit, wounds))
    play.emit(ExchangeEnded("narateer.attack.harm-uses-exchange", d.actor, d.target, hit))
    if play.state.relation(Hidden, d.actor, d.target) is not None:
        play.emit(Revealed("narateer.reveal.attack-after-exchange", d.actor, d.target, "attacked"))
    yield from window(play, ExchangeResolved(d.actor, d.target, hit))
    result = "hit" if hit == d.target else "countered" if hit else "miss"
    return Outcome(d.action, result, (hit,) if hit else (), wounds)


class Response:
    """What the responder chose and committed."""

    __slots__ = ("kind", "paid", "part", "weapon")

    def __init__(self, kind: str, paid: Paid, weapon: Weapon | None, part: Part | None) -> None:
        self.kind, self.paid, self.weapon, self.part = kind, paid, weapon, part


def respond(play: Play, d: Declaration, weapon: Weapon, tempo: bool) -> Steps[Response]:
    """The responder picks one of the three; it belongs to this Exchange and is no Action and no Reaction.

    Rules: narateer.response.three-options, narateer.response.not-action-not-reaction,
    narateer.response.survives-reaction-ban, narateer.response.stunned-example.
    """
    options, refused = responses(play.state, d.target, d.actor, weapon, tempo)
    if len(options) == 1:
        return Response(NO_RESPONSE, Paid(), None, None)
    target = character(play.state, d.target)
    known_attacker = locates(play.state, target, character(play.state, d.actor))
    whose = character(play.state, d.actor).name if known_attacker else "somebody unseen"
    prompt = f"{whose} attacks {target.name} with {weapon.name}"
    rule = "narateer.response.three-options"
    question = Choose(target.seat, d.target, prompt, rule, tuple(options), "response", tuple(refused))
    given = yield from ask(question, Chosen)
    return take_response(play, d, weapon, given)


def take_response(play: Play, d: Declaration, weapon: Weapon, given: Chosen) -> Response:
    """Charge the chosen Response with its Boost and what a Power in it costs; nothing else is counted.

    Rules: narateer.response.power-inside-response, narateer.proactive.responses-and-reactions-exempt.
    """
    kind, power, armed = split_response(given.id)
    responder = character(play.state, d.target)
    part = attached(responder, power, kind) if power else None
    own = responder.armed(armed) if armed else None
    skill = own.kind if own is not None else guard_skill(responder, weapon)
    bill = Bill(response_price(play.state, kind, part), check_of(play.state, d.target, skill), kind)
    paid = charge(play, d.target, bill, given.amount) if kind != NO_RESPONSE else Paid()
    play.emit(Responded("narateer.response.three-options", d.target, given.id, given.amount))
    if part is not None:
        play.emit(PowerUsed("narateer.response.power-inside-response", d.target, power, 0, part.totals, part.wounds))
    return Response(kind, paid, own, part)


def split_response(option: str) -> tuple[str, str, str]:
    """`clash:axe+Riposte` as the kind, the Power and the weapon."""
    head, _, power = option.partition("+")
    kind, _, weapon = head.partition(":")
    return kind, power, weapon


def responses(
    state: State, responder_id: str, attacker_id: str, weapon: Weapon, tempo: bool
) -> tuple[list[Option], list[Refusal]]:
    """The Responses that are open, and why the others are not.

    Rules: narateer.response.three-options, narateer.hidden.unseen-attack-in-combat, narateer.activation.keep-ad-ready.
    """
    responder, attacker = character(state, responder_id), character(state, attacker_id)
    options = [Option(NO_RESPONSE, "No Response", response_price(state, NO_RESPONSE, None))]
    refused: list[Refusal] = []
    if not tempo:
        text = "the Exchange was begun without Tempo"
        return options, [Refusal("narateer.response.three-options", text, name) for name in (FULL_GUARD, CLASH)]
    if responder.down:
        text = f"{responder.name} is down"
        return options, [Refusal("narateer.response.three-options", text, name) for name in (FULL_GUARD, CLASH)]
    _offer_response(state, responder, FULL_GUARD, "", guard_skill(responder, weapon), options, refused)
    if not locates(state, responder, attacker):
        text = f"{responder.name} cannot place the attacker"
        refused.append(Refusal("narateer.hidden.cannot-be-targeted-directly", text, CLASH))
        return options, refused
    own = [w for w in (*responder.weapons, responder.armed("unarmed")) if w and reaches(state, responder, attacker, w)]
    if not own:
        text = f"no weapon of {responder.name} reaches {attacker.name}"
        refused.append(Refusal("narateer.response.three-options", text, CLASH))
    for mine in own:
        _offer_response(state, responder, CLASH, mine.name, mine.kind, options, refused)
    return options, refused


def _offer_response(
    state: State, actor: Character, kind: str, weapon: str, skill: str, options: list[Option], refused: list[Refusal]
) -> None:
    label = f"Clash with {weapon}" if weapon else "Full Guard"
    name = f"{kind}:{weapon}" if weapon else kind
    for power, part in [("", None), *attachments(actor, kind)]:
        price = response_price(state, kind, part)
        left = actor.ready - int(price.amount("ad"))
        titled = f"{label} with {power}" if power else label
        option_id = f"{name}+{power}" if power else name
        if part is not None and part.reaction and bars_reactions(state, actor):
            refused.append(Refusal("narateer.response.power-inside-response", f"{power} is a Reaction", option_id))
        elif left < 0:
            text = f"{titled} needs {price.amount('ad')} Ready AD and there are {actor.ready}"
            refused.append(Refusal("narateer.activation.ready-ad-pays", text, option_id))
        else:
            most = min(left, actor.level(skill))
            options.append(Option(option_id, titled, price, most, "narateer.boost.any-skill-check"))


def bars_reactions(state: State, actor: Character) -> bool:
    return any(not condition.reactions for _, condition in conditions_of(state, actor))


def response_price(state: State, kind: str, part: Part | None) -> Price:
    rules = settings(state)
    base = {NO_RESPONSE: rules.no_response, FULL_GUARD: rules.full_guard, CLASH: rules.clash}[kind]
    costs = ad(base, kind.replace("_", " "), "narateer.response.three-options")
    if part is not None and part.ad:
        costs = (*costs, cost("ad", part.ad, "the Power in it", "narateer.response.power-inside-response"))
    return Price(costs)


def attachments(actor: Character, kind: str) -> list[tuple[str, Part]]:
    """The Power parts that can be declared in a Response of this kind."""
    return [(power.name, part) for power in actor.powers for part in power.parts if part.attaches_to == kind]


def attached(actor: Character, power: str, kind: str) -> Part | None:
    return next((part for name, part in attachments(actor, kind) if name == power), None)


def guard_skill(actor: Character, weapon: Weapon) -> str:
    """The Skill that guards against a kind of attack: the sheet's, else Melee, or Acrobatics against Ranged."""
    default = "melee" if weapon.kind == "melee" else "acrobatics"
    return actor.guards.get(weapon.kind, default)


def read_dice(play: Play, d: Declaration, weapon: Weapon, paid: Paid, response: Response) -> Steps[ActorId]:
    """Those who committed roll, and the dice say who is hit, if anybody."""
    rule = "narateer.response.three-options"
    if response.kind == NO_RESPONSE:
        target = character(play.state, d.target)
        score = readiness(play.state, target, guard_skill(target, weapon))
        read = yield from check(play, d.actor, weapon.kind, paid, rule, against=score, plus=unseen_bonus(play, d))
        return d.target if read.value else ""
    if response.kind == FULL_GUARD:
        return (yield from _against_guard(play, d, weapon, paid, response))
    return (yield from _clash(play, d, weapon, paid, response))


def unseen_bonus(play: Play, d: Declaration) -> int:
    """What an unseen attacker adds; the lost Clash is the whole edge unless a scene says otherwise.

    Rules: narateer.hidden.unseen-attack-in-combat.
    """
    if play.state.relation(Hidden, d.actor, d.target) is None:
        return 0
    return settings(play.state).unseen_bonus or 0


def _against_guard(play: Play, d: Declaration, weapon: Weapon, paid: Paid, response: Response) -> Steps[ActorId]:
    rule = "narateer.response.three-options"
    skill = guard_skill(character(play.state, d.target), weapon)
    added = response.part.totals if response.part is not None else 0
    guarded = yield from check(play, d.target, skill, response.paid, rule, plus=added)
    read = yield from check(play, d.actor, weapon.kind, paid, rule, against=guarded.value, plus=unseen_bonus(play, d))
    return d.target if read.value else ""


def _clash(play: Play, d: Declaration, weapon: Weapon, paid: Paid, response: Response) -> Steps[ActorId]:
    """The higher total hits; a tie hits nobody."""
    rule = "narateer.response.three-options"
    assert response.weapon is not None
    added = response.part.totals if response.part is not None else 0
    rolls = (
        make_roll(play.state, d.actor, weapon.kind, paid.dice, rule, None, False, 0, 0),
        make_roll(play.state, d.target, response.weapon.kind, response.paid.dice, rule, None, False, added, 0),
    )
    mine, theirs = yield from ask_each(lambda: rolls)
    assert isinstance(mine, Rolled)
    assert isinstance(theirs, Rolled)
    tell_read(play, rolls[0], mine)
    tell_read(play, rolls[1], theirs)
    if mine.value == theirs.value:
        return ""
    return d.target if mine.value > theirs.value else d.actor
