"""Reading the code itself: what a generator holds on to across a question, what iterates a set, how long things are."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SRC = Path(__file__).parent.parent / "src" / "turnwright"
Function = ast.FunctionDef | ast.AsyncFunctionDef
KEPT = "# kept:"
"""Marks a line on which something is held on to across a question on purpose; the reason follows."""


def modules(*under: str) -> Iterator[tuple[Path, ast.Module]]:
    """Every module of the package, or of a part of it, parsed."""
    for path in sorted(SRC.joinpath(*under).rglob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def functions(tree: ast.AST) -> Iterator[Function]:
    for node in ast.walk(tree):
        if isinstance(node, Function):
            yield node


def inside(node: ast.AST) -> Iterator[ast.AST]:
    """Every node of a function in source order, without functions and lambdas in it."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, (*Function.__args__, ast.Lambda, ast.ClassDef)):
            yield from inside(child)


def is_question(node: ast.AST) -> bool:
    return isinstance(node, (ast.Yield, ast.YieldFrom))


def asks(node: ast.AST) -> bool:
    return any(is_question(child) for child in inside(node))


def names(node: ast.AST) -> set[str]:
    """The names that are read in an expression; those of its own comprehensions left out."""
    own = {
        name.id
        for part in ast.walk(node)
        if isinstance(part, ast.comprehension)
        for name in ast.walk(part.target)
        if isinstance(name, ast.Name)
    }
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)} - own


def reads_state(node: ast.AST) -> bool:
    """Whether an expression looks at `play.state`."""
    return any(
        isinstance(part, ast.Attribute) and part.attr == "state" and isinstance(part.value, ast.Name)
        for part in ast.walk(node)
    )


class Stale:
    """Goes through one generator in the order of its lines; what was read of the state is old after a question."""

    def __init__(self, function: Function, kept: set[int]) -> None:
        self.kept = kept
        self.found: list[tuple[int, str]] = []
        self.fresh: set[str] = set()
        self.old: set[str] = set()
        self._block(function.body)

    def _block(self, body: list[ast.stmt]) -> None:
        for statement in body:
            self._statement(statement)

    def _statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.For(target=target, iter=source, body=body, orelse=rest):
                self._expression(source)
                self._bind(target, source, statement)
                self._loop([*body, *rest], target)
            case ast.While(test=test, body=body, orelse=rest):
                self._expression(test)
                self._loop([*body, *rest], None)
            case ast.If(test=test, body=body, orelse=rest):
                self._expression(test)
                self._branches(body, rest)
            case ast.Assign(targets=targets, value=value):
                self._expression(value)
                for target in targets:
                    self._bind(target, value, statement)
            case ast.AnnAssign(target=target, value=value) if value is not None:
                self._expression(value)
                self._bind(target, value, statement)
            case ast.FunctionDef():
                pass
            case _:
                self._expression(statement)

    def _branches(self, *bodies: list[ast.stmt]) -> None:
        """One of several; what is old after any of them that goes on is old."""
        fresh, old = self.fresh, self.old
        ends: list[tuple[set[str], set[str]]] = []
        for body in bodies:
            self.fresh, self.old = set(fresh), set(old)
            self._block(body)
            if not (body and isinstance(body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))):
                ends.append((self.fresh, self.old))
        self.old = set().union(*(old for _, old in ends))
        self.fresh = set().union(*(fresh for fresh, _ in ends)) - self.old

    def _loop(self, body: list[ast.stmt], target: ast.expr | None) -> None:
        """The second time round, everything from before a question in the loop is old."""
        self._block(body)
        if any(asks(statement) for statement in body):
            self.old |= self.fresh
            self.fresh = set()
            if target is not None:
                self.old -= {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}
            self._block(body)

    def _expression(self, node: ast.AST) -> None:
        """Arguments are read before the question that they are part of."""
        question = next((part for part in ast.walk(node) if is_question(part)), None)
        for name in sorted(names(node) & self.old):
            self.found.append((getattr(node, "lineno", 0), name))
        if question is not None:
            self.old |= self.fresh
            self.fresh = set()

    def _bind(self, target: ast.expr, value: ast.expr, statement: ast.stmt) -> None:
        bound = {n.id for n in ast.walk(target) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        self.old -= bound
        self.fresh -= bound
        if self.kept & set(range(statement.lineno, (value.end_lineno or 0) + 1)):
            return
        if not asks(value) and not is_question(value) and (reads_state(value) or names(value) & self.fresh):
            self.fresh |= bound


def stale(function: Function, text: str) -> list[tuple[int, str]]:
    """The lines of a generator that use something read of the state before a question, with its name."""
    kept = {number for number, line in enumerate(text.splitlines(), 1) if KEPT in line}
    rule = function.returns is None or ast.unparse(function.returns).startswith("Steps")
    return sorted(set(Stale(function, kept).found)) if rule and asks(function) else []


# -- sets

ORDERLESS = {"sorted", "len", "any", "all", "sum", "min", "max", "set", "frozenset"}
ORDERED = {"list", "tuple", "enumerate", "iter", "zip", "map", "filter", "reversed", "next"}


def is_set(node: ast.AST, held: set[str]) -> bool:
    match node:
        case ast.Set() | ast.SetComp():
            return True
        case ast.Call(func=ast.Name(id="set" | "frozenset")):
            return True
        case ast.Call(func=ast.Attribute(attr="union" | "intersection" | "difference" | "symmetric_difference")):
            return True
        case ast.BinOp(left=left, op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor(), right=right):
            return is_set(left, held) or is_set(right, held)
        case ast.Name(id=name):
            return name in held
    return False


def set_iterations(function: Function) -> list[int]:
    """The lines on which a function goes through a set in whatever order it happens to have."""
    held: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and is_set(node.value, held):
            held |= {t.id for t in node.targets if isinstance(t, ast.Name)}
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation).startswith(("set", "frozenset")):
            held |= {node.target.id} if isinstance(node.target, ast.Name) else set()
    for argument in function.args.args:
        if argument.annotation and ast.unparse(argument.annotation).startswith(("set", "frozenset")):
            held.add(argument.arg)
    found: list[int] = []
    orderless: list[ast.AST] = []
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ORDERLESS:
            orderless.extend(node.args)
        if isinstance(node, ast.SetComp):
            orderless.append(node)
    for node in ast.walk(function):
        sources = [] if node in orderless else gone_through(node)
        found.extend(node.lineno for source in sources if is_set(source, held))  # type: ignore[attr-defined]
    return found


def gone_through(node: ast.AST) -> list[ast.expr]:
    """What a node takes one by one, in the order that it has."""
    match node:
        case ast.For(iter=source) | ast.Starred(value=source):
            return [source]
        case ast.ListComp() | ast.GeneratorExp() | ast.DictComp():
            return [part.iter for part in node.generators]
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in ORDERED:
            return arguments
        case ast.Call(func=ast.Attribute(attr="join"), args=arguments):
            return arguments
    return []
