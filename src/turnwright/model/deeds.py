"""What somebody wants to do, what speaks against it, how it was ruled and how it ended."""

from __future__ import annotations

from typing import ClassVar, Literal

from turnwright.model.names import ActorId, Cell, RuleId, Struct
from turnwright.model.prices import NOTHING, Price


class Declaration(Struct, frozen=True):
    """What a seat says that its character does: the goal and the means, then what the action needs to know.

    `boost` is the commitment beyond the price, sealed; None leaves it to be asked for.
    """

    actor: ActorId
    action: str
    intent: str = ""
    method: str = ""
    target: ActorId = ""
    route: tuple[Cell | str, ...] = ()
    options: dict[str, str | int | bool] = {}
    boost: int | None = None
    way: str = ""
    """In which way it is paid, by its name or its number, where there are several; empty leaves it to be asked for."""

    def option(self, name: str) -> str:
        return str(self.options.get(name, "")) if self.options else ""

    def key(self) -> tuple[object, ...]:
        """What identifies the declaration; free text apart from intent and method is part of the options."""
        said = (self.actor, self.action, self.target, self.route, tuple(sorted(self.options.items())), self.boost)
        return (*said, self.way) if self.way else said


class Refusal(Struct, frozen=True):
    """One reason why something may not be done, with the rule that says so."""

    rule: RuleId
    text: str
    code: str = ""


RulingKind = Literal["procedure", "automatic", "impossible", "check", "unclear"]


class Ruling(Struct, frozen=True, forbid_unknown_fields=True):
    """The guide's word on a declaration. Which parts it must have follows from its kind.

    `procedure` names the action whose rule governs; `impossible` needs the obstacle; a check needs skill,
    target (or `against`, whose Readiness Score it is), and what success and failure bring.
    """

    kind: RulingKind
    procedure: str = ""
    skill: str = ""
    target: int | None = None
    against: ActorId = ""
    secret: bool = False
    success: str = ""
    failure: str = ""
    obstacle: str = ""
    tier: str = ""
    ad: int | None = None
    dice: int | None = None
    boost: int | None = None
    """The most that may be committed beyond the price, where a rule changes it."""
    good: bool = True
    """Whether an automatic outcome is what the actor wanted."""
    counts: bool = True
    """Whether what was described is an action at all."""
    bundle: bool = False
    """Whether several trivial acts are priced as one minor action."""
    wounds: int = 0
    consequence: str = ""
    amount: int = 0
    scope: tuple[str, ...] = ()
    finds: tuple[str, ...] = ()
    reveals: bool = False
    """Whether doing it plainly gives away where the actor is; whoever does it is warned before committing."""
    warning: str = ""
    sets: dict[str, str] = {}
    """Facts that hold after a success, by name."""
    why: str = ""
    """What makes the attempt uncertain: risky, dramatic, contested or uncertain."""
    when: str = ""
    """For a ruling that is kept: `action: method`, and after it each circumstance behind a `|`."""


class Then(Struct, frozen=True):
    """The rest of a long action: declared on the state as it stands, not charged and not ruled again."""

    declaration: Declaration


class Outcome(Struct, frozen=True):
    """How an action ended."""

    action: str
    result: str
    who: tuple[ActorId, ...] = ()
    amount: int = 0
    then: Then | None = None

    CANCELLED: ClassVar[str] = "withdrawn"


class Parameter(Struct, frozen=True):
    """Something that a declaration may or must say besides its actor and action."""

    name: str
    kind: Literal["text", "actor", "route", "number", "choice", "cell", "place", "yes"]
    about: str
    required: bool = False
    choices: tuple[str, ...] = ()
    most: int = 0
    by_name: bool = False
    """Whether it is said only by its name: it is neither asked for nor read out of free words."""


class Offer(Struct, frozen=True):
    """What one action would be for one actor now: the verdict, the price, the ways to pay and every reason against."""

    declaration: Declaration
    verdict: Literal["legal", "illegal", "ruling"]
    label: str
    price: Price = NOTHING
    ways: tuple[Price, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    warnings: tuple[str, ...] = ()
    rules: tuple[RuleId, ...] = ()

    @property
    def action(self) -> str:
        return self.declaration.action


class Refused(Exception):
    """A declaration or an answer that the rules do not allow. Nothing was changed."""

    def __init__(self, *refusals: Refusal) -> None:
        self.refusals = refusals
        super().__init__("; ".join(f"{r.text} [{r.rule}]" if r.rule else r.text for r in refusals))
