"""What cannot be any more after the Storyguide changed something: rides and grapples of those who are apart."""

from __future__ import annotations

from turnwright.engine import Play
from turnwright.model import Declaration, Outcome
from turnwright.rules import Settled, Steps, Unasked, ended
from turnwright.systems.storypath.events import GrappleEnded, Grapples, On, RideEnded, TakenOut
from turnwright.systems.storypath.sheet import character, free_boxes
from turnwright.systems.storypath.space import band

ATTENTION = "storypath.simple.full-attention"
DEFENSE = "storypath.attack.defense-requirement"


class Settle(Unasked):
    """After the Storyguide changed something: who is apart holds and rides nobody, and without Health one is out."""

    name = "settle"
    about = "end the rides and grapples that cannot be any more"
    rules = (DEFENSE,)

    def resolve(self, play: Play, d: Declaration, paid: Settled) -> Steps[Outcome]:
        settle(play)
        return ended(Outcome(self.name, "settled"))


def settle(play: Play) -> None:
    for who in tuple(play.state.actors.values()):
        if who.health is not None and not free_boxes(play.state, who) and not who.down:
            play.emit(TakenOut(DEFENSE, who.id))
    for tie in (*play.state.every(On), *play.state.every(Grapples)):
        gone = tie.owner not in play.state.actors or tie.other not in play.state.actors
        if not gone and band(play.state, character(play.state, tie.owner), character(play.state, tie.other)) == 0:
            continue
        if isinstance(tie, On):
            play.emit(RideEnded(ATTENTION, tie.owner, tie.other))
        else:
            play.emit(GrappleEnded(DEFENSE, tie.owner, tie.other))
