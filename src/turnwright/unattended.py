"""What goes on without a person: the next turn begins, bots declare and answer, an automatic guide rules."""

from __future__ import annotations

from collections.abc import Callable, Collection

from turnwright.answers import said_in
from turnwright.known import Open
from turnwright.log import Declared
from turnwright.model import GUIDE, Declaration, Order, Outcome, Refused, Roll, Rule, State, Withdraw
from turnwright.policy import MOST_IN_A_TURN, AutomaticGuide, Helpful, Policy, bot_of, plain_answer
from turnwright.table import Table

HALTED = (Outcome.CANCELLED, "impossible")
"""What came to nothing; a bot ends its turn then, since it would only try the same again."""


class Unattended:
    """Does one step after another for whom no person plays: bots for some actors, and the guide where he is automatic.

    It never declares for anybody else, and never answers what a person is asked.
    """

    def __init__(self, table: Table) -> None:
        self.table, self.game = table, table.game
        self.bot: Policy = bot_of(table.game)
        self.guide: Policy = AutomaticGuide()
        self._offered: set[tuple[str, str]] = set()
        """Which bots were asked already whether to help with which question."""

    def next(self, bots: Collection[str], guided: bool, turns: bool) -> Callable[[], object] | None:
        """The next thing to be done without a person, to be called; None where a person is waited for.

        `turns` begins the next turn where the order of the scene says whose it is.
        """
        asked = [held for held in self.table.waiting_on if not held.drafted]
        for held in asked:
            help_ = self.help(held, bots)
            if help_ is not None:
                return help_
            policy = self.policy(held, bots, guided)
            if policy is not None:
                return lambda held=held, policy=policy: self.answer(held, policy)  # type: ignore[misc]
        if asked or self.table.pending is not None:
            return None
        active = self.table.state.active
        if active is None:
            return self._begin(guided) if turns else None
        return (lambda: self.act(active)) if active in bots else None

    def _begin(self, guided: bool) -> Callable[[], object] | None:
        if self._over():
            return None
        actor = self.table.next_turn()
        if actor is None and guided:
            actor = next(iter(self.game.in_order(self.table.state)), None)
        return None if actor is None else (lambda: self.table.declare(actor, "begin", seat=GUIDE))

    def _over(self) -> bool:
        """Whether a side is down: whether the scene goes on all the same is the guide's to say."""
        return self.game.side_down(self.table.state) is not None

    def policy(self, held: Open, bots: Collection[str], guided: bool) -> Policy | None:
        """Who answers: a bot for its actor, the automatic guide for the guide's own word; None where a person does."""
        if isinstance(held.question, (Rule, Order)) or not held.actor:
            return self.guide if guided else None
        if isinstance(held.question, Roll):
            return None
        return self.bot if held.actor in bots else None

    def answer(self, held: Open, policy: Policy) -> None:
        """The policy's answer; where it is refused the plain one, and where that is too the action is withdrawn."""
        known = self.table.knows(held.who)
        for value in (policy.answer(self.game, known, held.question), plain_answer(held.question), Withdraw):
            try:
                self.table.answer(held, value)
                return
            except Refused as error:
                refused = error
        raise refused

    def act(self, actor: str) -> None:
        """A bot declares; it ends its turn when it has done much, or is refused."""
        d = Declaration(actor, "end")
        if not self.done(actor):
            d = self.bot.declare(self.game, self._known_by(actor), actor)
        try:
            self.table.declare(d.actor, d.action, **said_in(d))
        except Refused:
            if d.action == "end":
                raise
            self.table.declare(actor, "end")

    def done(self, actor: str) -> bool:
        """Whether a bot has done enough in this turn, or what it did last came to nothing."""
        acts = 0
        for entry in reversed(self.table.live):
            if isinstance(entry.input, Declared):
                if entry.input.declaration.action == "begin":
                    break
                acts += entry.input.declaration.actor == actor
        last = self.table.outcome
        return acts >= MOST_IN_A_TURN or (acts > 0 and last is not None and last.result in HALTED)

    def help(self, held: Open, bots: Collection[str]) -> Callable[[], object] | None:
        """A bot that does something of its own accord while a question is open; each is asked once about each."""
        if not isinstance(self.bot, Helpful) or getattr(held.question, "moment", None) is None:
            return None
        for actor in [a for a in self.table.state.actors if a in bots and a != held.actor]:
            if (actor, held.id) in self._offered:
                continue
            self._offered.add((actor, held.id))
            d = self.bot.interject(self.game, self._known_by(actor), actor, held.question)
            if d is not None:
                return lambda d=d: self._interject(d)  # type: ignore[misc]
        return None

    def _interject(self, d: Declaration) -> None:
        try:
            self.table.interject(d.actor, d.action, **said_in(d))
        except Refused:
            return  # what it knew was not enough to see that there is no time for it

    def _known_by(self, actor: str) -> State:
        return self.table.knows(self.table.state.actors[actor].seat)
