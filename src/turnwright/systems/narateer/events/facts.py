"""What is so in a scene of Narateer, apart from who stands how to whom."""

from __future__ import annotations

from collections.abc import Callable

from turnwright.model import ActorId, At, Cell, Fact, SeatId, Struct
from turnwright.systems.narateer.events.standing import Known


class Secret(Fact, frozen=True):
    """Something concealed: where it is, what shuts it off, the number to meet, and who has found it."""

    name: str = ""
    place: str = ""
    sealed: bool = False
    behind: bool = False
    target: int = 0
    certain: bool = False
    found_by: tuple[ActorId, ...] = ()
    identified: bool = False
    understood_by: tuple[ActorId, ...] = ()


class Searched(Fact, frozen=True):
    """A Search that was made, for what counts as the same one.

    `met` is what stood against it then, for the guide alone; None where that is not known.
    """

    actor: ActorId = ""
    key: tuple[str, ...] = ()
    scope: tuple[Cell | str, ...] = ()
    met: tuple[str, ...] | None = None


class Established(Fact, frozen=True):
    """Something that an action brought about."""

    text: str = ""
    unseen_by: tuple[ActorId, ...] = ()
    """Opponents who did not see who brought it about."""


class Obstacle(Fact, frozen=True):
    """Something on a Space that costs metres or, where success is in doubt and both outcomes matter, a check."""

    name: str = ""
    at: Cell | str = (0, 0)
    tags: tuple[str, ...] = ()
    uncertain: bool = True
    success_changes: bool = True
    failure_changes: bool = True
    metres: int = 0
    skill: str = ""
    target: int | None = None
    failure: str = ""
    consequence: str = ""
    amount: int = 0
    cleared: bool = False


class DoorWay(Fact, frozen=True):
    """How a door is opened: trivial, minor, or a check of a Skill against a target; a broken one holds nobody."""

    name: str = ""
    opens: str = "trivial"
    skill: str = ""
    target: int | None = None
    success: str = ""
    failure: str = ""
    breaks: bool = False
    """Whether the check that opens it breaks it."""
    broken: bool = False


class DoorBelief(Fact, frozen=True):
    """How somebody believes a door to be that was moved out of its sight; gone as soon as it sees the door."""

    actor: ActorId = ""
    door: str = ""
    open: bool = False
    was: DoorWay | None = None
    """How it was opened then."""


class Situation(Fact, frozen=True, omit_defaults=False):
    """What the guide lays out before anybody declares anything; all four lists are shown, also the empty ones."""

    opportunities: tuple[str, ...] = ()
    obstacles: tuple[str, ...] = ()
    threats: tuple[str, ...] = ()
    stakes: tuple[str, ...] = ()


UNSEEN = "unseen"


class Blind(Struct, frozen=True):
    """An observer to whom somebody is not there, from where it was to where the other was; None is wherever."""

    observer: ActorId
    target: ActorId
    seen_from: At = None
    at: At = None

    def holds(self, observer: ActorId, target: ActorId, here: At, there: At) -> bool:
        return (
            self.observer == observer
            and self.target == target
            and self.seen_from in (None, here)
            and self.at in (None, there)
        )


class Believed(Struct, frozen=True):
    """Who did not perceive whom, by what one seat knew of others than its own characters.

    `watched` are its own who took it that another had them in sight, and lost it by the shift.
    """

    seat: SeatId
    unplaced: tuple[Blind, ...] = ()
    unreached: tuple[Blind, ...] = ()
    unsure: tuple[Blind, ...] = ()
    watched: tuple[Known, ...] = ()


class Unseen(Fact, frozen=True):
    """Who did not perceive whom when the Scene Mode was shifted, and does not by that alone, until one of them moves.

    `unplaced` are those whom no sense placed, `unreached` those whom none could have noticed at all, and `unsure` those
    of whose place the other was not sure; `believed` is what each seat took to be so. While a shift is `going` on, all
    others are perceived wherever they are shown.
    """

    unplaced: tuple[Blind, ...] = ()
    unreached: tuple[Blind, ...] = ()
    unsure: tuple[Blind, ...] = ()
    believed: tuple[Believed, ...] = ()
    going: bool = False

    def without(self, ended: Callable[[Blind], bool]) -> Unseen:
        """Less the pairs of which this is no longer so."""

        def lasting(held: tuple[Blind, ...]) -> tuple[Blind, ...]:
            return tuple([pair for pair in held if not ended(pair)])

        believed = [
            Believed(
                b.seat,
                lasting(b.unplaced),
                lasting(b.unreached),
                lasting(b.unsure),
                tuple([known for known in b.watched if not ended(Blind("", known.owner, None, known.at))]),
            )
            for b in self.believed
        ]
        held = lasting(self.unplaced), lasting(self.unreached), lasting(self.unsure)
        return Unseen(self.id, *held, tuple(believed), self.going)


def belief_name(actor: ActorId, door: str) -> str:
    return f"{door} as {actor} knows it"
