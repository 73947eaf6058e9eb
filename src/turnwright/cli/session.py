"""One scene played at one keyboard: whose turn it is, what is asked of whom, bots, and the end."""

from __future__ import annotations

import contextlib
import hashlib
import sys
from collections import deque
from collections.abc import Callable
from pathlib import Path
from random import Random

from turnwright.cli import asking, commands
from turnwright.cli.board import show_map, show_status
from turnwright.cli.declaring import Cancelled, declare, declare_offer, interjects
from turnwright.cli.errors import BadInput, Stopped
from turnwright.cli.offers import PRICED_AT, offer_line
from turnwright.cli.screen import Screen
from turnwright.cli.story import Story, listed, seat_name
from turnwright.cli.words import Said, Unclear, actor_named, said_in
from turnwright.log import Declared, Entry
from turnwright.model import GUIDE, Declaration, Offer, Order, Outcome, Refusal, Refused, Roll, Rule, State, Withdraw
from turnwright.odds import TooMany
from turnwright.policy import AutomaticGuide, Policy, RandomBot, plain_answer
from turnwright.table import DICE, Open, Table

MOST_IN_A_TURN = 20
"""After so many declarations a bot ends its turn."""


class Session:
    """A table, its screen, and who plays what."""

    def __init__(
        self,
        table: Table,
        screen: Screen,
        *,
        seat: str = GUIDE,
        bots: set[str] | None = None,
        guided: bool = False,
        save: Path | None = None,
        rounds: int | None = None,
        unattended: bool = False,
    ) -> None:
        self.table, self.screen, self.game = table, screen, table.game
        self.seat, self.bots, self.guided = seat, bots or set(), guided
        self.save, self.rounds, self.unattended = save, rounds, unattended
        self.over = False
        self.listed: list[Offer] = []
        self.refused: tuple[str, Said] | None = None
        """The last declaration that was refused, which the guide may let pass."""
        self.saved = len(table.log)
        self._story = Story(table, seat)
        deque(self._story.on(), maxlen=0)
        draw = Random(hashlib.sha256(b"bots" + table.secret + str(len(table.log)).encode()).digest())
        self._bot: Policy = RandomBot(draw)
        self._guide: Policy = AutomaticGuide()
        self._own: list[Entry] = []
        """Entries that no person made here: bots' and the beginnings of turns."""
        self._drawn: object = None
        self._offered: list[str] = []
        self._acts = 0
        self._unasked = 0
        self._passed: set[str] = set()

    # -- the loop

    def run(self) -> None:
        """Play until somebody leaves or the scene is over."""
        try:
            self._open()
            while not self.over:
                self._step()
                if not self.unattended:
                    self.keep()
        except EOFError:
            self._break_off()
        except KeyboardInterrupt:
            self._interrupted()
        except BaseException:
            self.keep()
            raise

    def _open(self) -> None:
        scene = self.table.start.scene
        self.screen.say(scene.title, "bold")
        if not self.unattended:
            self.screen.say("Type a number or words; ? tells what can be typed.", "dim")

    def _step(self) -> None:
        asked = [held for held in self.table.waiting_on if not held.drafted]
        active = self.table.state.active
        if asked:
            self._answer(asked[0])
        elif active is None:
            self._next_turn()
        elif active in self.bots:
            self._act(active)
        else:
            self._turn(active)

    @property
    def known(self) -> State:
        """The state as the screen shows it."""
        return self.table.knows(self.seat)

    def tell(self, indent: int = 2) -> None:
        """What has happened since the last time, as lines of the story."""
        for line in self._story.on():
            self.screen.say(line.text, indent=indent, hang=2)

    def by_itself(self, act: Callable[[], object]) -> None:
        """Do something that nobody at the keyboard did; undo goes past it."""
        first = len(self.table.log)
        act()
        self._own.extend(self.table.log[first:])

    def keep(self) -> None:
        """Write the log, where one is asked for and there is something new."""
        if self.save is not None and self.saved != len(self.table.log):
            self.table.save(self.save)
            self.saved = len(self.table.log)

    # -- turns

    def _next_turn(self) -> None:
        over = self._reason_to_end()
        if over and not self._goes_on(over):
            return
        actor = self.table.next_turn() or self._chosen()
        if actor is None:
            return
        self._acts = 0
        self.screen.say()
        self.by_itself(lambda: self.table.declare(actor, "begin"))
        self.tell(indent=0)
        self._drawn, self._offered = None, []
        self._unasked = self._unasked + 1 if actor in self.bots else 0

    def _reason_to_end(self) -> str:
        """Why the scene could be over: a side is down, nobody can act, or its rounds have passed."""
        state = self.table.state
        down = self.game.side_down(state)
        if down is not None:
            return f"the {down} are down" if down else "everybody is down"
        able = self.game.in_order(state)
        if not able:
            return "nobody is left to act"
        done, begun = rounds_begun(self.table)
        if self.rounds is not None and done >= self.rounds and begun.issuperset(able):
            return f"{self.rounds} round{'s have' if self.rounds > 1 else ' has'} passed"
        if not self.unattended and self._unasked > 3 * len(able):
            return "nobody at this keyboard has had a turn for three rounds"
        return ""

    def _goes_on(self, over: str) -> bool:
        """Whether the scene goes on all the same, which only a person can want; else it ends, or is asked again."""
        able = self.game.in_order(self.table.state)
        if self.unattended or not able:
            self.finish(over)
        elif over not in self._passed:
            line = self.read(f"{over.capitalize()}. Enter ends the scene, `on` plays on: ")
            if line.lower() in ("on", "go on", "continue"):
                self._passed.add(over)
            elif not self._commanded(line):
                self.finish(over)
        return over in self._passed

    def _chosen(self) -> str | None:
        """Whose turn it is by the guide's word, where the order of the scene does not say; None asks again."""
        state = self.table.state
        able = self.game.in_order(state)
        if self.guided:
            return able[0]
        for number, name in enumerate(able, 1):
            self.screen.say(f"{number:>3} {state.actors[name].name}")
        line = self.read(f"{self.game.guide_word}: whose turn is it? [1 to {len(able)}]> ")
        if line.isdigit() and 1 <= int(line) <= len(able):
            return able[int(line) - 1]
        name = actor_named(state, line)
        if name not in able and not self._commanded(line):
            self.screen.say(f"Choose one of {', '.join(able)}.")
        return name if name in able else None

    def _commanded(self, line: str) -> bool:
        """Whether a line is a command, and then it is done."""
        head, _, rest = line.partition(" ")
        command = commands.COMMANDS.get(head.lower())
        if command is not None:
            self.attempt(lambda: command.run(self, rest.strip()))
        return command is not None

    def _turn(self, actor: str) -> None:
        self.show()
        who = self.table.state.actors[actor]
        line = self.read(f"{seat_name(self.game, self.table.state, who.seat)} ({who.name})> ")
        self.attempt(lambda: self._take_line(line))

    def _take_line(self, line: str) -> None:
        head, _, rest = line.partition(" ")
        if not line or line.startswith("#"):
            self._offered = []
        elif self._commanded(line):
            pass
        elif head.isdigit():
            declare_offer(self, self.numbered(head), rest)
        else:
            declare(self, rest if head == "do" else line)

    def numbered(self, word: str) -> Offer:
        """The offer of a number. Raises Unclear."""
        if 1 <= int(word) <= len(self.listed):
            return self.listed[int(word) - 1]
        raise Unclear(f"there are offers 1 to {len(self.listed)}; {word} is none of them")

    def attempt(self, act: Callable[[], object]) -> None:
        """Do what was typed; what is wrong with it is said, and nothing was changed."""
        try:
            act()
        except Refused as error:
            self.refuse(error.refusals)
        except (Unclear, BadInput, Stopped, TooMany) as error:
            self.screen.say(str(error), "yellow")
        except Cancelled:
            self.screen.say("Nothing was declared.")
        except OSError as error:
            self.screen.say(f"{error.filename or 'the file'}: {error.strerror or error}", "yellow")
        except (EOFError, KeyboardInterrupt):
            raise
        except Exception as error:
            self.screen.say(f"This is a mistake in Turnwright: {type(error).__name__}: {error}", "red")
            self.screen.say("Nothing was changed.")
        self.tell()

    def refuse(self, refusals: tuple[Refusal, ...]) -> None:
        self.screen.say("Refused:", "yellow")
        for text in asking.why_not(refusals):
            self.screen.say(text, indent=2, hang=2)

    def read(self, prompt: str) -> str:
        self._unasked = 0
        return self.screen.read(prompt)

    # -- the screen

    def show(self) -> None:
        """The map where it has changed, the numbers, and the offers where they have changed."""
        state = self.known
        drawn = ({name: a.at for name, a in state.actors.items()}, state.open_doors)
        if drawn != self._drawn:
            self.screen.say()
            self.show_map()
        self.listed = self._sorted_offers()
        offered = [offer_line(i, o, self.game.guide_word) for i, o in enumerate(self.listed, 1)]
        if offered != self._offered:
            self.show_offers(numbers=drawn == self._drawn)
        self._drawn, self._offered = drawn, offered

    def show_map(self) -> None:
        show_map(self.screen, self.known, self.known.active)
        show_status(self.screen, self.game, self.known)

    def show_offers(self, *, every: bool = False, numbers: bool = True) -> None:
        """What may be done, or with `every` all there is; `numbers` are those of whoever acts."""
        actor, state = self.table.state.active, self.table.state
        self.screen.say()
        if actor is not None and numbers:
            self.screen.say(f"{state.actors[actor].name}: {self.game.summary(state, actor)}")
        for number, offer in enumerate(self.listed, 1):
            if every or offer.verdict != "illegal":
                self.screen.say(offer_line(number, offer, self.game.guide_word), hang=PRICED_AT)
            if every:
                for text in asking.why_not(offer.refusals):
                    self.screen.say(text, indent=6, hang=2)

    def _sorted_offers(self) -> list[Offer]:
        """What may be done first, in the order of the game; then what is refused."""
        actor = self.table.state.active
        found = self.table.offers(actor) if actor is not None else ()
        return sorted(found, key=lambda offer: offer.verdict == "illegal")

    # -- questions

    def _answer(self, held: Open) -> None:
        policy = self._policy(held)
        if policy is not None:
            self.by_itself(lambda: self._answer_by(policy, held))
            self.tell()
        else:
            self._ask(held)

    def _policy(self, held: Open) -> Policy | None:
        """Who answers for the keyboard: a bot for its actor, the automatic guide for the guide's own word."""
        if isinstance(held.question, (Rule, Order)) or not held.actor:
            return self._guide if self.guided else None
        if isinstance(held.question, Roll):
            return None
        return self._bot if held.actor in self.bots else None

    def _answer_by(self, policy: Policy, held: Open) -> None:
        known = self.table.knows(held.who)
        for value in (policy.answer(self.game, known, held.question), plain_answer(held.question), Withdraw):
            try:
                self.table.answer(held, value)
                return
            except Refused as error:
                refused = error
        raise refused

    def _ask(self, held: Open) -> None:
        """Put a question to a person; other commands may come first, and then it is put again."""
        state = self.table.state
        self.screen.say()
        self.screen.say(asking.asked(self.game, state, held), "bold", hang=2)
        for line in asking.shown(state, held):
            self.screen.say(line, hang=6)
        line = self.read(f"[{asking.hint(held)}]> ")
        self.attempt(lambda: self._take_answer(held, line))

    def _take_answer(self, held: Open, line: str) -> None:
        head, _, rest = line.partition(" ")
        if line.startswith("#"):
            return
        if (held.kind != "clarify" or not rest) and self._commanded(line):
            return
        if head.lower() == "edit" and isinstance(held.question, Rule):
            self.table.answer(held, commands.edited(self, held.question, rest.strip()))
        elif not interjects(self, line):
            self._give(held, line)

    def _give(self, held: Open, line: str) -> None:
        value = asking.given(self.game, self.table.state, held, line)
        try:
            self.table.answer(held, value)
        except Refused as error:
            if error.refusals[0].code != "OUT_OF_RANGE":
                raise
            if self.read(f"{error.refusals[0].text} [yes or no]> ").lower() in ("y", "yes"):
                self.table.answer(held, value, confirm=True)

    # -- bots

    def _act(self, actor: str) -> None:
        """A bot declares; it ends its turn when it has done much, or is refused."""
        self._acts += 1
        d = Declaration(actor, "end")
        last = self.table.outcome
        came_to_nothing = last is not None and last.result == Outcome.CANCELLED
        if self._acts <= MOST_IN_A_TURN and not came_to_nothing:
            known = self.table.knows(self.table.state.actors[actor].seat)
            d = self._bot.declare(self.game, known, actor)
        self.by_itself(lambda: self._declare_or_end(d))
        self.tell()

    def _declare_or_end(self, d: Declaration) -> None:
        try:
            self.table.declare(d.actor, d.action, **said_in(d))
        except Refused:
            if d.action == "end":
                raise
            self.table.declare(d.actor, "end")

    # -- undo, leaving

    def undo(self) -> None:
        """Go back to before what a person at the keyboard did last, past bots and beginnings of turns."""
        if all(entry.by == DICE or self._by_nobody(entry) for entry in self.table.live):
            raise Refused(Refusal("", "there is nothing to take back", "NOTHING"))
        gone: list[Entry] = []
        while not gone or self._by_nobody(gone[0]):
            gone = [*self.table.undo(), *gone]
        deque(self._story.on(), maxlen=0)
        self.screen.say(f"Taken back: {listed(gone, self.table.state)}.")
        self._offered = []

    def _by_nobody(self, entry: Entry) -> bool:
        begins = isinstance(entry.input, Declared) and entry.input.declaration.action == "begin"
        return begins or any(entry is held for held in self._own)

    def redo(self) -> None:
        """Do again what was taken back, and what nobody at the keyboard did after it."""
        self.table.redo()
        while self._goes_by_itself():
            try:
                self.table.redo()
            except Refused:
                break
        self._offered = []

    def _goes_by_itself(self) -> bool:
        """Whether what comes next is not for a person at the keyboard."""
        asked = self.table.waiting_on
        if asked:
            return all(self._policy(held) is not None for held in asked)
        return self.table.state.active in (None, *self.bots)

    def finish(self, why: str) -> None:
        """The end of the scene: its seed is opened, so that everybody can check the dice."""
        self.screen.say()
        self.screen.say(f"The end: {why}.", "bold")
        show_status(self.screen, self.game, self.known)
        self.table.reveal()
        deque(self._story.on(), maxlen=0)
        self.keep()
        if self.save is not None:
            self.screen.say("Its dice can be checked:")
            self.screen.write((f"  turnwright replay {self.save} --verify", ""))
        self.over = True

    def leave(self) -> None:
        """Leave a game that can go on later; offers to save what is not saved."""
        if self.save is None and self.saved != len(self.table.log):
            line = self.read("Save to which file? (Enter: do not save) ")
            if line:
                self.attempt(lambda: commands.save_to(self, Path(line).expanduser()))
                if self.save is None:
                    return
        self.over = True
        self.keep()
        self._say_where()

    def _interrupted(self) -> None:
        """Ctrl-C: whoever sits at the keyboard can still save; at the second one the game is left."""
        if sys.stdin.isatty():
            self.screen.say()
            with contextlib.suppress(EOFError, KeyboardInterrupt):
                self.leave()
        if not self.over:
            self._break_off()

    def _break_off(self) -> None:
        """Nobody is at the keyboard any more: what can be kept is kept."""
        self.over = True
        self.screen.say()
        self.keep()
        if self.save is None and self.saved != len(self.table.log):
            self.screen.say("The game was left and not saved; --save LOG keeps it.")
        self._say_where()

    def _say_where(self) -> None:
        if self.save is not None:
            self.screen.say("Saved. It goes on with:")
            self.screen.write((f"  turnwright play --resume {self.save}", ""))


def rounds_begun(table: Table) -> tuple[int, set[str]]:
    """How many rounds have begun, and who has had a turn in this one: a round is over when somebody begins again."""
    count, begun = 0, set[str]()
    for entry in table.live:
        if isinstance(entry.input, Declared) and entry.input.declaration.action == "begin":
            actor = entry.input.declaration.actor
            if actor in begun or not count:
                count, begun = count + 1, set()
            begun.add(actor)
    return count, begun
