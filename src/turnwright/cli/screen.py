"""Where lines go and typed lines come from: plain text in 80 columns, colour only on a terminal that wants it."""

from __future__ import annotations

import contextlib
import json
import re
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from turnwright.model import enc_hook

Segment = tuple[str, str]
"""A piece of a line and its style."""


class Screen:
    """Writes lines no wider than the terminal and reads what is typed; a piped line is echoed, as if it were typed."""

    def __init__(self) -> None:
        from rich.console import Console

        class Piped(Console):
            """Leaves it to the command line what a reader that has gone means."""

            def on_broken_pipe(self) -> None:
                raise BrokenPipeError

        self.console = Piped(markup=False, highlight=False, emoji=False, legacy_windows=False)
        self.mark = ""
        """With what every line begins while the screen is somebody else's and cannot be cleared."""

    @property
    def width(self) -> int:
        return max(40, self.console.width - len(self.mark))

    def clear(self) -> None:
        """Take everything off a terminal, also what can be scrolled back to where it obeys; elsewhere all stays."""
        if self.typed_on:
            print("\033[3J\033[2J\033[H", end="", flush=True)

    def say(self, text: str = "", style: str = "", *, indent: int = 0, hang: int = 0) -> None:
        """A paragraph, wrapped; `hang` is how much further in its other lines begin."""
        for line in text.splitlines() or [""]:
            for part in wrapped(line, self.width, indent, hang):
                self.write((part, style))

    def write(self, *segments: Segment) -> None:
        """One line as it is, cut nowhere."""
        from rich.text import Text

        line = Text.assemble((self.mark, ""), *((text, style) for text, style in segments))
        self.console.print(line, no_wrap=True, overflow="ignore", crop=False)

    def table(self, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Columns without lines; a column whose head begins with `>` stands to the right."""
        from rich.table import Table
        from rich.text import Text

        held = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
        for head in heads:
            held.add_column(head.lstrip(">"), justify="right" if head.startswith(">") else "left", overflow="fold")
        for row in rows:
            held.add_row(*row)
        if not self.mark:
            self.console.print(held)
            return
        with self.console.capture() as captured:
            self.console.print(held, width=self.width)
        for line in Text.from_ansi(captured.get()).split():
            self.console.print(Text(self.mark) + line, no_wrap=True, overflow="ignore", crop=False)

    @property
    def typed_on(self) -> bool:
        """Whether somebody types on a terminal, and not a pipe."""
        return sys.stdin.isatty() and sys.stdout.isatty()

    def read_hidden(self, prompt: str) -> str:
        """A typed line that does not appear on the terminal. Raises EOFError when there is no more."""
        from getpass import getpass

        if len(prompt) > self.width - 12:
            self.say(prompt.rstrip(" :>"), indent=0, hang=2)
            prompt = "> "
        return getpass(prompt).strip()

    def read(self, prompt: str) -> str:
        """A typed line; a long prompt stands above it. Raises EOFError when there is no more."""
        if len(prompt) > self.width - 12:
            self.say(prompt.rstrip(" :>"), indent=0, hang=2)
            prompt = "> "
        if self.typed_on:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401  # with it, input() has a history and can be edited
            return input(prompt).strip()
        print(self.mark + prompt, end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            print()
            raise EOFError
        print(line.rstrip("\n"))
        return line.strip()


def wrapped(text: str, width: int, indent: int = 0, hang: int = 0) -> list[str]:
    """A line in parts of at most the width; what it begins with is kept."""
    first = " " * (indent + len(text) - len(text.lstrip()))
    parts = textwrap.wrap(
        re.sub(r"(?<=\d) %", "\u00a0%", text.strip()),
        width=width,
        initial_indent=first,
        subsequent_indent=first + " " * hang,
        break_on_hyphens=False,
    )
    return [part.replace("\u00a0", " ") for part in parts] or [""]


def warn(text: str) -> None:
    """A line for whoever looks at the terminal, out of the way of what is piped on."""
    print(text, file=sys.stderr)


def write_json(value: Any) -> None:
    """Plain data as JSON: whole numbers as they are, fractions as `1/6`."""
    print(json.dumps(plain(value), indent=2, ensure_ascii=False))


def plain(value: Any) -> Any:
    return msgspec.to_builtins(value, enc_hook=enc_hook)


def listing(words: Iterable[str]) -> str:
    """`one, two and three`."""
    said = list(words)
    return ", ".join(said[:-1]) + f" and {said[-1]}" if len(said) > 1 else "".join(said)
