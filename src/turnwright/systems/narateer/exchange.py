"""Attacks and the Combat Exchange in four steps: declare and commit, respond and commit, roll, wound.

The chapter on Combat is not in the texts that this game follows: every number here is a setting, and the whole
procedure can be replaced by registering another `attack`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import ClassVar

from msgspec.structs import replace

from turnwright.engine import Play, charge, window
from turnwright.events import Barred
from turnwright.intent import stated
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
    Ruling,
    State,
)
from turnwright.rules import Action, Pick, Settled, Steps
from turnwright.space import distance, in_reach, sees
from turnwright.systems.narateer.check import CheckReady, check, check_of
from turnwright.systems.narateer.conversion import SPACE_METRES, STORY
from turnwright.systems.narateer.economy import ad, proactive_use
from turnwright.systems.narateer.effects import bring_about
from turnwright.systems.narateer.events import (
    ExchangeBegun,
    ExchangeEnded,
    Hidden,
    PowerUsed,
    Responded,
    Tempo,
    Wounded,
)
from turnwright.systems.narateer.hidden import aim_refusals, cannot_place, nobody_there, unseen_bonus
from turnwright.systems.narateer.offmap import in_reach as in_reach_off_map
from turnwright.systems.narateer.offmap import metres_reach
from turnwright.systems.narateer.powers import power_price, unmet
from turnwright.systems.narateer.reveal import reveal_attacker
from turnwright.systems.narateer.senses import ground_of, locates
from turnwright.systems.narateer.sheet import (
    NO_PART,
    UNARMED,
    Character,
    Part,
    Power,
    Weapon,
    character,
    conditions_of,
    readiness,
    settings,
)

TOPICS = ("attack", "response")

# Goals other than harm never come here: they are attempts, agreed on beforehand, and follow these rules in `declare`:
OTHER_GOALS = (
    "narateer.attack.other-combat-goals",
    "narateer.attack.non-harm-disclosure",
    "narateer.attack.non-harm-result",
    "narateer.attack.non-harm-no-wounds",
)

NO_RESPONSE, FULL_GUARD, CLASH = "no_response", "full_guard", "clash"


class ExchangeInitiated(Moment, frozen=True):
    """Somebody began an Exchange."""

    by: ActorId
    target: ActorId
    attack: int = 0
    guard: int = 0
    """What Powers that modify it add to the total of the attack, and to what it must exceed."""


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
    response: str = ""
    power: str = ""
    """The Power that was declared in the Response."""


# -- attacking


def has_tempo(state: State, actor: str) -> bool:
    """Whose Activation it is has Tempo, unless the guide or a Power moved it."""
    held = state.relation(Tempo, actor, actor)
    return state.active == actor if held is None else held.has


def reaches(state: State, a: Character, b: Character, weapon: Weapon) -> bool:
    """Whether the weapon gets from one to the other: by steps in reach, or along a line where it has no limit.

    Off a map the same Zone is in reach, and whomever its owner can place where the weapon has no limit.
    """
    field, here, there, spaces = ground_of(state), a.at, b.at, weapon.spaces
    if field is None or not isinstance(here, tuple) or not isinstance(there, tuple):
        return reaches_off_map(state, a, b, weapon) is not False
    if spaces is None:
        return sees(field, here, there)
    if weapon.kind == "ranged":
        return distance(here, there) <= spaces and sees(field, here, there)
    return in_reach(field, here, there, spaces)


def reaches_off_map(state: State, a: Character, b: Character, weapon: Weapon) -> bool | None:
    """The same by Zones and stated relations: the same Zone, or near; None where the guide says who is in reach."""
    if weapon.spaces is None:
        return True
    if weapon.kind == "ranged":
        return metres_reach(state, a, b, weapon.spaces, settings(state).space_metres or SPACE_METRES)
    return in_reach_off_map(state, a, b)


@lru_cache(maxsize=256)
def attack_price(weapon: Weapon, proactive: bool) -> Price:
    """The Base Attack Cost pays for the whole Exchange; nothing is added for it being an Action.

    Rules: narateer.cost.base-attack-covers-exchange, narateer.cost.no-double-charge.
    """
    base = ad(
        weapon.base_attack_cost, f"Base Attack Cost of {weapon.name}", "narateer.cost.base-attack-covers-exchange"
    )
    return Price((*base, proactive_use(weapon.kind)) if proactive else base)


def attack_check(state: State, actor: str, weapon: Weapon, dice: int = 0) -> Check:
    """The attacker's check: one die, or by the setting every AD paid; a Power's blow may say how many."""
    paid = weapon.base_attack_cost if settings(state).attack_dice == "paid" else 1
    return check_of(state, actor, weapon.kind, dice=dice or max(1, paid))


def tempo_refusals(known: State, d: Declaration) -> Iterator[Refusal]:
    """Only the one with Tempo begins an Exchange of its own accord."""
    if known.active == d.actor and not has_tempo(known, d.actor):
        yield Refusal("narateer.response.three-options", "only the one with Tempo begins an Exchange", "NO_TEMPO")


def target_refusals(known: State, d: Declaration, weapon: Weapon | None) -> Iterator[Refusal]:
    """Why this target cannot be attacked with this weapon, from what the attacker's seat knows.

    Rules: narateer.hidden.cannot-be-targeted-directly, narateer.attack.harm-uses-exchange.
    """
    actor, target = character(known, d.actor), known.actors.get(d.target)
    if weapon is None:
        text = f"{actor.name} carries no weapon called {d.option('weapon')!r}"
        yield Refusal("narateer.attack.harm-uses-exchange", text, "NO_WEAPON")
    if d.target == actor.id:
        yield Refusal("narateer.attack.harm-uses-exchange", "an attack needs somebody else as its target", "SELF")
        return
    if target is None:
        yield from aim_refusals(known, actor, d.target)
    elif not locates(known, actor, target):
        yield cannot_place(actor, target)
    elif weapon is not None and not reaches(known, actor, target, weapon):
        text = f"{target.name} is out of reach of {weapon.name}"
        yield Refusal("narateer.attack.harm-uses-exchange", text, "OUT_OF_REACH")


def arms(actor: Character) -> tuple[Weapon, ...]:
    """What the actor attacks with; bare hands are listed for whoever carries no melee weapon."""
    if any(weapon.kind == "melee" for weapon in actor.weapons):
        return actor.weapons
    return (*actor.weapons, UNARMED)


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
    wants = ("hit",)
    tier: ClassVar[str] = ""
    rules = ("narateer.attack.harm-uses-exchange", "narateer.cost.base-attack-covers-exchange")
    parameters = (Parameter("target", "actor", "whom", True), Parameter("weapon", "choice", "with what"))

    def variants(self, known: State, actor: str) -> Iterator[Declaration]:
        mine: Character = known.actors[actor]
        for other in known.actors.values():
            if other.side != mine.side:
                for weapon in arms(mine):
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
        yield from tempo_refusals(known, d)
        yield from target_refusals(known, d, armed_with(known, d))

    def ruling(self, state: State, d: Declaration) -> Ruling | None:
        """Where neither a map nor what was stated says who is in reach, the guide does."""
        weapon, target = armed_with(state, d), state.actors.get(d.target)
        if weapon is not None and target is not None and state.mode == STORY:
            if reaches_off_map(state, character(state, d.actor), target, weapon) is None:
                return None
        return super().ruling(state, d)

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
        if weapon is None:
            play.emit(Barred("narateer.attack.harm-uses-exchange", d.actor, ("the weapon is no longer there",)))
            return Outcome(self.name, "no weapon")
        if nobody_there(play, d.actor, d.target):
            return Outcome(self.name, "nobody there")
        return (yield from exchange(play, d, weapon, paid[d.actor], tempo=has_tempo(play.state, d.actor)))


# -- the Exchange


def exchange(
    play: Play, d: Declaration, weapon: Weapon, paid: Paid, *, tempo: bool, part: Part = NO_PART
) -> Steps[Outcome]:
    """Respond, roll, wound; then a hidden attacker is revealed to its target, and only then others may react.

    What a Power adds to the attack is in `part`.
    Rules: narateer.reveal.attack-after-exchange, narateer.response.power-after-exchange,
    narateer.reveal.attack-bystanders (nobody else is told).
    """
    play.emit(ExchangeBegun("narateer.attack.harm-uses-exchange", d.actor, d.target, weapon.name, weapon.kind))
    begun = yield from window(play, ExchangeInitiated(d.actor, d.target))
    response = Response(NO_RESPONSE, Paid())
    hit, wounds = "", 0
    if not character(play.state, d.actor).down:
        response = yield from respond(play, d, weapon, tempo)
        response.totals += begun.guard
        hit = yield from read_dice(play, d, weapon, paid, response, part.totals + begun.attack)
    if hit:
        wounds = yield from wound(play, d, hit, weapon, response, part.wounds)
    play.emit(ExchangeEnded("narateer.attack.harm-uses-exchange", d.actor, d.target, hit))
    reveal_attacker(play, d.actor, d.target)
    yield from window(play, ExchangeResolved(d.actor, d.target, hit, response.kind, response.power))
    result = "hit" if hit == d.target else "countered" if hit else "miss"
    return Outcome(d.action, result, (hit,) if hit else (), wounds)


def wound(play: Play, d: Declaration, hit: ActorId, weapon: Weapon, response: Response, added: int) -> Steps[int]:
    """A hit does the Wounds of the weapon that struck, and what a Power adds to it."""
    if hit == d.target:
        by, armed, more = d.actor, weapon, added
    else:
        by, armed, more = d.target, response.weapon or weapon, response.wounds
    dealt = yield from window(play, Struck(by, hit, armed.wounds + more))
    wounds = max(0, dealt.wounds)
    if wounds:
        play.emit(Wounded("narateer.attack.harm-uses-exchange", hit, wounds))
    return wounds


class Response:
    """What the responder chose and committed, with the Power declared in it."""

    __slots__ = ("kind", "paid", "power", "totals", "weapon", "wounds")

    def __init__(
        self, kind: str, paid: Paid, weapon: Weapon | None = None, power: str = "", parts: tuple[Part, ...] = ()
    ) -> None:
        self.kind, self.paid, self.weapon, self.power = kind, paid, weapon, power
        self.totals = sum(part.totals for part in parts)
        self.wounds = sum(part.wounds for part in parts)


def respond(play: Play, d: Declaration, weapon: Weapon, tempo: bool) -> Steps[Response]:
    """The responder picks one of the three; it belongs to this Exchange and is no Action and no Reaction.

    Rules: narateer.response.three-options, narateer.response.not-action-not-reaction,
    narateer.response.survives-reaction-ban, narateer.response.stunned-example.
    """
    question = response_question(play.state, d, weapon, tempo)  # kept: asked as it is, and after that built anew
    if len(question.options) == 1:
        return take_response(play, d, weapon, Chosen(NO_RESPONSE))
    while True:
        (given,) = yield (question,)
        if isinstance(given, Chosen):
            return take_response(play, d, weapon, given)
        question = response_question(play.state, d, weapon, tempo)  # kept: put again


def response_question(state: State, d: Declaration, weapon: Weapon, tempo: bool) -> Choose:
    """What the responder is asked as things stand."""
    options, refused = responses(state, d.target, d.actor, weapon, tempo)
    target, attacker = character(state, d.target), character(state, d.actor)
    whose = attacker.name if locates(state, target, attacker) else "somebody unseen"
    prompt = f"{whose} attacks {target.name} with {weapon.name}"
    rule = "narateer.response.three-options"
    time = CheckReady(d.target, guard_skill(target, weapon))
    return Choose(target.seat, d.target, prompt, rule, tuple(options), "response", tuple(refused), time)


def take_response(play: Play, d: Declaration, weapon: Weapon, given: Chosen) -> Response:
    """Charge the chosen Response with its Boost and what a Power in it costs; nothing else is counted.

    Until it is chosen others may help with its check; without one their help lapses.

    Rules: narateer.response.power-inside-response, narateer.proactive.responses-and-reactions-exempt.
    """
    responder = character(play.state, d.target)
    kind, own, power = chosen_response(responder, given.id)
    parts = parts_in(power, kind)
    skill = own.kind if own is not None else guard_skill(responder, weapon)
    price = response_price(play.state, responder, kind, power, parts)
    rolls = check_of(play.state, d.target, skill) if kind != NO_RESPONSE else None
    paid = charge(play, d.target, Bill(price, rolls, kind), given.amount)
    if rolls is None:
        play.game.withdrew(play, Declaration(d.target, kind))
    play.emit(Responded("narateer.response.three-options", d.target, given.id, given.amount))
    response = Response(kind, paid, own, power.name if power is not None else "", parts)
    if power is not None:
        rule, index = "narateer.response.power-inside-response", power.parts.index(parts[0])
        play.emit(PowerUsed(rule, d.target, power.name, index, response.totals, response.wounds))
        for part in parts:
            bring_about(play, rule, d.target, d.actor if part.at else "", part)
    return response


def response_id(kind: str, weapon: Weapon | None, power: Power | None) -> str:
    """`clash:axe+Riposte` for a Clash with the axe and the Power Riposte in it."""
    armed = f"{kind}:{weapon.name}" if weapon is not None else kind
    return armed if power is None else f"{armed}+{power.name}"


def chosen_response(responder: Character, option: str) -> tuple[str, Weapon | None, Power | None]:
    """The kind, the weapon and the Power that an option stands for; names may hold any sign."""
    for kind in (FULL_GUARD, CLASH):
        if not option.startswith(kind):
            continue
        for weapon in (*responder.weapons, UNARMED) if kind == CLASH else (None,):
            for power in (None, *attachments(responder, kind)):
                if response_id(kind, weapon, power) == option:
                    return kind, weapon, power
    return NO_RESPONSE, None, None


def responses(
    state: State, responder_id: str, attacker_id: str, weapon: Weapon, tempo: bool
) -> tuple[list[Option], list[Refusal]]:
    """The Responses that are open, and why the others are not.

    Rules: narateer.response.three-options, narateer.hidden.unseen-attack-in-combat, narateer.activation.keep-ad-ready.
    """
    responder, attacker = character(state, responder_id), character(state, attacker_id)
    price = response_price(state, responder, NO_RESPONSE)
    options = [Option(NO_RESPONSE, "No Response", price)]
    refused: list[Refusal] = []
    if not tempo:
        text = "the Exchange was begun without Tempo"
        return options, [Refusal("narateer.response.three-options", text, name) for name in (FULL_GUARD, CLASH)]
    if responder.down:
        text = f"{responder.name} is down"
        return options, [Refusal("narateer.response.three-options", text, name) for name in (FULL_GUARD, CLASH)]
    _offer_response(state, responder, FULL_GUARD, None, guard_skill(responder, weapon), options, refused)
    if not locates(state, responder, attacker):
        text = f"{responder.name} cannot place the attacker"
        refused.append(Refusal("narateer.hidden.cannot-be-targeted-directly", text, CLASH))
        return options, refused
    own = [armed for armed in arms(responder) if reaches(state, responder, attacker, armed)]
    if not own:
        text = f"no weapon of {responder.name} reaches {attacker.name}"
        refused.append(Refusal("narateer.response.three-options", text, CLASH))
    for mine in own:
        _offer_response(state, responder, CLASH, mine, mine.kind, options, refused)
    return options, refused


def _offer_response(
    state: State,
    actor: Character,
    kind: str,
    weapon: Weapon | None,
    skill: str,
    options: list[Option],
    refused: list[Refusal],
) -> None:
    """The Response as it stands, and once more with each Power that can be declared in it.

    A Reaction that such a Power would create is no part of the Response and is named apart where it is forbidden.
    Rules: narateer.response.power-inside-response.
    """
    label = f"Clash with {weapon.name}" if weapon is not None else "Full Guard"
    rule = "narateer.response.power-inside-response"
    for power in (None, *attachments(actor, kind)):
        titled = f"{label} with {power.name}" if power is not None else label
        option_id = response_id(kind, weapon, power)
        parts = parts_in(power, kind)
        price = response_price(state, actor, kind, power, parts)
        left = actor.ready - price.amount("ad")
        lacking = list(unmet(state, actor, power)) if power is not None else []
        if lacking:
            refused.extend(replace(refusal, code=option_id) for refusal in lacking)
        elif left < 0:
            text = f"{titled} needs {price.amount('ad')} Ready AD and there are {actor.ready}"
            refused.append(Refusal("narateer.activation.ready-ad-pays", text, option_id))
        else:
            most = max(0, min(left, actor.level(skill)))
            options.append(Option(option_id, titled, price, most, "narateer.boost.cap-is-skill-level"))
        if power is not None and bars_reactions(state, actor) and any(_creates_reaction(power, kind)):
            refused.append(Refusal(rule, f"the Reaction part of {power.name}: no Reactions", f"{option_id}, Reaction"))


def _creates_reaction(power: Power, kind: str) -> Iterator[Part]:
    return (part for part in power.parts if part.attaches_to == kind and part.reaction)


def bars_reactions(state: State, actor: Character) -> bool:
    return any(not condition.reactions for _, condition in conditions_of(state, actor))


def response_price(
    state: State, actor: Character, kind: str, power: Power | None = None, parts: tuple[Part, ...] = ()
) -> Price:
    """What a Response costs by the settings; the one that is always open takes no more than there is."""
    rules = settings(state)
    base = {NO_RESPONSE: min(rules.no_response, actor.ready), FULL_GUARD: rules.full_guard, CLASH: rules.clash}[kind]
    price = _base_price(kind, base)
    if power is None:
        return price
    return price.plus(*power_price(power, parts, "narateer.response.power-inside-response").costs)


@lru_cache(maxsize=64)
def _base_price(kind: str, amount: int) -> Price:
    return Price(ad(amount, kind.replace("_", " "), "narateer.response.three-options"))


def attachments(actor: Character, kind: str) -> list[Power]:
    """The Powers that can be declared in a Response of this kind."""
    return [power for power in actor.powers if parts_in(power, kind)]


def parts_in(power: Power | None, kind: str) -> tuple[Part, ...]:
    """What a Power changes in a Response of this kind; a Reaction that it creates comes later and is no part of it."""
    if power is None:
        return ()
    return tuple(part for part in power.parts if part.attaches_to == kind and not part.reaction)


def guard_skill(actor: Character, weapon: Weapon) -> str:
    """The Skill that guards against a kind of attack: the sheet's, else Melee, or Acrobatics against Ranged."""
    default = "melee" if weapon.kind == "melee" else "acrobatics"
    return actor.guards.get(weapon.kind, default)


def read_dice(
    play: Play, d: Declaration, weapon: Weapon, paid: Paid, response: Response, added: int = 0
) -> Steps[ActorId]:
    """Those who committed roll, and the dice say who is hit, if anybody."""
    if response.kind == CLASH:
        return (yield from _clash(play, d, weapon, paid, response, added))
    rule = "narateer.response.three-options"
    target = character(play.state, d.target)
    skill = guard_skill(target, weapon)
    if response.kind == FULL_GUARD:
        guarded = yield from check(play, d.target, skill, response.paid, rule, plus=response.totals)
        number = guarded.value
    else:
        number = readiness(play.state, target, skill) + response.totals
    plus = added + unseen_bonus(play.state, d.actor, d.target)
    read = yield from check(play, d.actor, weapon.kind, paid, rule, against=number, plus=plus)
    return d.target if read.value else ""


def _clash(play: Play, d: Declaration, weapon: Weapon, paid: Paid, response: Response, added: int) -> Steps[ActorId]:
    """The higher total hits; a tie hits nobody. Both have committed, so the order of the two rolls does not matter."""
    rule = "narateer.response.three-options"
    assert response.weapon is not None
    own = response.weapon.kind
    mine = yield from check(play, d.actor, weapon.kind, paid, rule, plus=added)
    theirs = yield from check(
        play, d.target, own, response.paid, rule, against=mine.value, level=True, plus=response.totals
    )
    if theirs.value == 0:
        return ""
    return d.actor if theirs.value > 0 else d.target
