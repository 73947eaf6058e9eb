"""One scene played at one keyboard: whose turn it is, what is asked of whom, bots, and the end."""

from __future__ import annotations

import contextlib
import sys
from collections import deque
from collections.abc import Callable
from pathlib import Path

from turnwright.cli import asking, commands
from turnwright.cli.board import show_map, show_status
from turnwright.cli.bots import act, helped
from turnwright.cli.declaring import LEAVES, Cancelled, by_another, by_the_guide, declare, declare_offer, one_of
from turnwright.cli.errors import BadInput, Stopped
from turnwright.cli.handing import face, faces, ruled_in_sight, seen_of
from turnwright.cli.odds import glance_words
from turnwright.cli.offers import PRICED_AT, Line, in_lines, offer_line
from turnwright.cli.questions import ask, take_answer
from turnwright.cli.screen import Screen
from turnwright.cli.story import Story, listed, seat_name
from turnwright.cli.turns import next_turn
from turnwright.cli.words import Said, Unclear
from turnwright.log import Declared, Entry
from turnwright.model import GUIDE, Choose, Offer, Refusal, Refused, Rule, State
from turnwright.odds import TooMany
from turnwright.policy import Policy
from turnwright.table import DICE, Open, Table
from turnwright.unattended import Unattended


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
        show_typed: bool = False,
    ) -> None:
        self.table, self.screen, self.game = table, screen, table.game
        self.seat, self.bots, self.guided = seat, bots or set(), guided
        self.save, self.rounds, self.unattended = save, rounds, unattended
        self.show_typed = show_typed
        """Whether a commitment stands on the screen while others commit at the same time."""
        self.over = False
        self.listed: list[Offer] = []
        self._lines: list[Line] = []
        self.refused: tuple[str, Said] | None = None
        """The last declaration that was refused, which the guide may let pass."""
        self.saved = len(table.log)
        self.facing = seat
        """Whose screen is shown: the seat that is watched, or another while the keyboard is handed over to it."""
        seats = [held.id for held in table.state.scene.seats] if seat != GUIDE else []
        self._stories = {name: Story(table, name) for name in (GUIDE, seat, *seats)}
        for story in self._stories.values():
            deque(story.on(), maxlen=0)
        self.without_people = Unattended(table)
        self.by_hand = False
        """Whether the next ruling is asked for, although the guide is automatic."""
        self._hinted = False
        self._own: list[Entry] = []
        """Entries that no person made here: bots' and the beginnings of turns."""
        self.drawn: object = None
        self.offered: list[str] = []
        self.acts = 0
        self.unasked = 0
        self.passed: set[str] = set()

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
        asked.sort(key=self._turn_to_answer)
        if asked:
            if not helped(self, asked[0]):
                self._answer(asked[0])
        elif active is None:
            next_turn(self)
        elif active in self.bots:
            act(self, active)
        else:
            self._turn(active)

    @property
    def known(self) -> State:
        """The state as the screen shows it."""
        return self.table.knows(self.facing)

    @property
    def story(self) -> Story:
        """The story as whoever faces the screen is told it."""
        return self._stories[self.facing]

    def tell(self, indent: int = 2, *, apart: bool = False) -> None:
        """What has happened since the last time, as lines of the story; `apart` from what stands above."""
        for number, line in enumerate(self.story.on()):
            if apart and not number:
                self.screen.say()
            self.screen.say(line.text, indent=indent, hang=2)

    def skip(self) -> None:
        """What has happened up to now is not told any more."""
        deque(self.story.on(), maxlen=0)

    def forget(self) -> None:
        """What was listed and drawn is no longer on the screen."""
        self.listed, self._lines, self.refused = [], [], None
        self.drawn, self.offered = None, []

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

    # -- what is typed

    def commanded(self, line: str) -> bool:
        """Whether a line is a command, and then it is done."""
        head, _, rest = line.partition(" ")
        command = commands.COMMANDS.get(head.lower())
        if command is not None and command.guides and self.facing != GUIDE:
            self.screen.say(f"`{head.lower()}` is for the {self.game.guide_word}; this screen is a player's.", "yellow")
        elif command is not None:
            self.attempt(lambda: command.run(self, rest.strip()))
        return command is not None

    def commands_with(self, line: str, *, alone: bool = False) -> bool:
        """Whether a line is a command or something that the guide does for nobody; `alone`, only without more words."""
        head, _, rest = line.lower().partition(" ")
        if any(action.name == head and action.nature == "guide" for action in self.game.actions.values()):
            return "=" in rest or not alone
        return head in commands.COMMANDS and not (alone and rest)

    def looked(self, line: str) -> bool:
        """Whether a line only looks, and then it is done."""
        found = commands.COMMANDS.get(line.lower().partition(" ")[0])
        return found is not None and found.looks and self.commanded(line)

    def _instead(self, line: str) -> None:
        """What was typed where something else was asked for that is now left."""
        asked = [held for held in self.table.waiting_on if not held.drafted]
        if asked:
            take_answer(self, asked[0], line)
        else:
            self._take_line(line)

    def _turn(self, actor: str) -> None:
        who = self.table.state.actors[actor]
        if not faces(self, who.seat):
            return
        self.show()
        line = self.read(f"{seat_name(self.game, self.table.state, who.seat)} ({who.name})> ")
        self.attempt(lambda: self._take_line(line))

    def _take_line(self, line: str) -> None:
        head, _, rest = line.partition(" ")
        if not line or line.startswith("#"):
            self.offered = []
        elif self.commanded(line) or by_the_guide(self, line) or by_another(self, line):
            pass
        elif head.isdecimal():
            declare_offer(self, self.numbered(head, rest), rest)
        else:
            declare(self, rest if head == "do" else line)

    def numbered(self, word: str, words: str = "", *, ask: bool = True) -> Offer:
        """The offer of a number; of several on one line the one that the words mean, else it asks. Raises Unclear."""
        if not 1 <= int(word) <= len(self._lines):
            raise Unclear(f"there are offers 1 to {len(self._lines)}; {word} is none of them")
        among = self._lines[int(word) - 1].offers
        return one_of(self, among, words) if ask else among[0]

    def attempt(self, act: Callable[[], object]) -> None:
        """Do what was typed; what is wrong with it is said, and nothing was changed."""
        try:
            act()
        except Refused as error:
            self.refuse(error.refusals)
        except (Unclear, BadInput, Stopped, TooMany) as error:
            self.screen.say(str(error), "yellow")
        except Cancelled as error:
            self.screen.say("Nothing was declared.")
            instead = error.instead
            if instead:
                self.attempt(lambda: self._instead(instead))
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

    def read(self, prompt: str, *, hidden: bool = False) -> str:
        self.unasked = 0
        return self.screen.read_hidden(prompt) if hidden else self.screen.read(prompt)

    # -- the screen

    def show(self) -> None:
        """The map where it has changed, the numbers, and the offers where they have changed."""
        state = self.known
        drawn = ({name: a.at for name, a in state.actors.items()}, state.open_doors, state.mode)
        if drawn != self.drawn:
            self.screen.say()
            self.show_map()
        self.listed = self._sorted_offers()
        chances = [glance_words(chance) for chance in self.table.chances(self.listed)]
        self._lines = in_lines(self.game, state, self.listed, chances)
        offered = [self._offer_line(number) for number in range(1, len(self._lines) + 1)]
        if offered != self.offered:
            self.show_offers(numbers=drawn == self.drawn)
        self.drawn, self.offered = drawn, offered

    def show_map(self) -> None:
        show_map(self.screen, self.known, self.known.active)
        show_status(self.screen, self.game, self.known)

    def show_offers(self, *, every: bool = False, numbers: bool = True) -> None:
        """What may be done, or with `every` all there is; `numbers` are those of whoever acts."""
        actor, state = self.table.state.active, self.known
        self.screen.say()
        if actor in state.actors and actor is not None and numbers:
            self.screen.say(f"{state.actors[actor].name}: {self.game.summary(state, actor)}")
        for number, line in enumerate(self._lines, 1):
            offer = line.offers[0]
            if every or offer.verdict != "illegal":
                self.screen.say(self._offer_line(number), hang=PRICED_AT)
            if every:
                for text in asking.why_not(offer.refusals):
                    self.screen.say(text, indent=6, hang=2)

    def _offer_line(self, number: int) -> str:
        """One offer with its chances of success, for each Boost that can be paid."""
        line = self._lines[number - 1]
        return offer_line(self.game, number, line.offers[0], line.chance, line.label)

    def _sorted_offers(self) -> list[Offer]:
        """What may be done first, in the order of the game; then what is refused."""
        actor = self.table.state.active
        found = self.table.offers(actor) if actor is not None else ()
        return sorted(found, key=lambda offer: offer.verdict == "illegal")

    # -- questions

    def _answer(self, held: Open) -> None:
        policy = self.policy_for(held)
        if policy is not None:
            self.by_itself(lambda: self.without_people.answer(held, policy))
            self.tell()
            self._hint(held)
        else:
            ask(self, held)

    def _turn_to_answer(self, held: Open) -> tuple[bool, bool]:
        """Where the first of several seats to answer decides, people go before bots, whoever faces the screen first."""
        several = isinstance(held.question, Choose) and held.question.first
        return several and self.policy_for(held) is not None, several and held.who != self.facing

    def policy_for(self, held: Open) -> Policy | None:
        """Who answers for the keyboard: a bot for its actor, the automatic guide for the guide's own word."""
        return self.without_people.policy(held, self.bots, self.guided and not self.by_hand)

    # -- rulings that were made by themselves

    def _hint(self, held: Open) -> None:
        """Once: how a person rules what was ruled for them, where they saw for what."""
        if not isinstance(held.question, Rule) or held.question.declaration.actor not in self.known.actors:
            return
        if not self.unattended and not self._hinted:
            self._hinted = True
            self.screen.say("(`overrule` takes this back and lets you rule)", "dim", indent=2)

    def overrule(self) -> None:
        """Take back the last ruling that nobody at the keyboard made, with all that came of it, and ask for it."""
        live = ruled_in_sight(self.story, self.table.live)
        rulings = [entry for entry in live if self._by_nobody(entry)]
        if not rulings:
            raise Unclear("nothing was ruled for you")
        while any(entry is rulings[-1] for entry in self.table.live):
            self.table.undo()
        self.skip()
        self.by_hand, self.offered = True, []

    # -- undo, leaving

    def undo(self) -> None:
        """Go back to before what a person at the keyboard did last, past bots and beginnings of turns."""
        if all(entry.by == DICE or self._by_nobody(entry) for entry in self.table.live):
            raise Refused(Refusal("", "there is nothing to take back", "NOTHING"))
        gone: list[Entry] = []
        while not gone or self._by_nobody(gone[0]):
            gone = [*self.table.undo(), *gone]
        self.skip()
        self.screen.say(f"Taken back: {listed(seen_of(self.story, gone), self.known) or 'nothing that was seen'}.")
        self.offered = []

    def _by_nobody(self, entry: Entry) -> bool:
        begins = isinstance(entry.input, Declared) and entry.input.declaration.action == "begin"
        return begins or any(entry is held for held in self._own)

    def redo(self) -> None:
        """Do again what was taken back, and what nobody at the keyboard did after it."""
        self.table.redo()
        while self._goes_by_itself():
            try:
                self.by_itself(self.table.redo)
            except Refused:
                break
        self.offered = []

    def _goes_by_itself(self) -> bool:
        """Whether what comes next is not for a person at the keyboard."""
        asked = self.table.waiting_on
        if asked:
            return all(self.policy_for(held) is not None for held in asked)
        return self.table.state.active in (None, *self.bots)

    def finish(self, why: str) -> None:
        """The end of the scene: its seed is opened, so that everybody can check the dice."""
        face(self, self.seat, clear=False)
        self.screen.say()
        self.screen.say(f"The end: {why}.", "bold")
        show_status(self.screen, self.game, self.known)
        self.table.reveal()
        self.skip()
        self.keep()
        if self.save is not None:
            self.screen.say("Its dice can be checked:")
            self.screen.write((f"  turnwright replay {self.save} --verify", ""))
        self.over = True

    def leave(self) -> None:
        """Leave a game that can go on later; offers to save what is not saved."""
        if self.save is None and self.saved != len(self.table.log):
            line = self.read("Save to which file? (Enter: do not save) ")
            if line.lower() in (*LEAVES, *commands.COMMANDS):
                self.screen.say("Nothing was saved, and nobody has left.")
                return
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
