"""A document becomes a typed value, or every problem in it is told with its place."""

from __future__ import annotations

import enum
import pickle
import time
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Meta

from turnwright.documents import BadScene, Document, Place, Problem, parsing, read, read_file, schema, write_key


class Pace(enum.Enum):
    WALK = "walk"
    RUN = "run"
    SPRINT = "sprint"


class Strict(msgspec.Struct, forbid_unknown_fields=True):
    pass


class Sword(Strict, tag="sword"):
    reach: int


class Bow(Strict, tag="bow"):
    range: tuple[int, int]


class Named(Strict, kw_only=True):
    ABOUT: ClassVar[dict[str, str]] = {"name": "What they are called."}

    name: Annotated[str, Meta(min_length=1)]


class Character(Named, kw_only=True):
    ABOUT: ClassVar[dict[str, str]] = {"weapon": "What they hold."}

    at: tuple[int, int] | None = None
    skills: dict[str, Annotated[int, Meta(ge=0, le=20)]] = {}
    pace: Pace = Pace.WALK
    side: Literal["heroes", "foes"] = "heroes"
    price: str | int = 0
    hidden: bool = False
    on: str = ""
    cover: bool | str = False
    weight: float = 0.0
    cost: Decimal | None = None
    tags: tuple[str, ...] = ()
    weapon: Sword | Bow | None = None
    dice: Annotated[str, Meta(pattern=r"^\d+d\d+$", examples=["2d6"])] = "1d6"
    allies: list[Character] = []

    def __post_init__(self) -> None:
        if self.name == "Nobody":
            raise ValueError("somebody must have\na name")


class Notes(msgspec.Struct):
    text: str = ""


class Scene(Strict):
    title: str
    characters: list[Character] = []
    extra: Any = None
    order: dict[int, str] = {}
    notes: Notes | None = None


GOOD = """\
# An ambush.
title: Ambush at the ford
characters:
  - name: Ana
    at: [3, 4]
    on: off
    hidden: yes
    skills: {yes: 3, stealth: 4}
    price: 2024-01-01
    weapon: {type: bow, range: [20, 60]}
  - name: "Bo"
    price: 3
    dice: 2d6
    allies:
      - {name: Cy, pace: run}
order: {1: Ana, 2: Bo}
"""


def scene(text: str | bytes) -> Document[Scene]:
    return read(text, "ambush.yaml", Scene)


def problems(text: str | bytes) -> list[Problem]:
    with pytest.raises(BadScene) as caught:
        scene(text)
    return list(caught.value.problems)


def lines(text: str | bytes) -> list[str]:
    return [str(problem) for problem in problems(text)]


def one(text: str | bytes) -> str:
    (line,) = lines(text)
    return line.removeprefix("ambush.yaml:")


def ana(line: str) -> str:
    """The one problem in a scene where Ana has this line, without its place."""
    told = one(f"title: Ford\ncharacters:\n  - name: Ana\n    {line}\n")
    return told.removeprefix("4: characters[0].")


def value_of(key: str, written: str) -> object:
    name = "" if key == "name" else "name: Ana, "
    return getattr(scene(f"title: Ford\ncharacters: [{{{name}{key}: {written}}}]").value.characters[0], key)


# A good document


def test_a_good_document_is_the_typed_value() -> None:
    ana, bo = scene(GOOD).value.characters
    assert (ana.name, ana.at, ana.on, ana.hidden, ana.weapon) == ("Ana", (3, 4), "off", True, Bow((20, 60)))
    assert (bo.price, bo.dice, bo.allies[0].pace) == (3, "2d6", Pace.RUN)


def test_the_plain_data_is_as_the_types_read_it() -> None:
    document = scene(GOOD)
    assert document.data["characters"][0]["skills"] == {"yes": 3, "stealth": 4}
    assert document.data["order"] == {1: "Ana", 2: "Bo"}
    assert document.source == "ambush.yaml"


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ((), 2),
        (("title",), 2),
        (("characters", 0), 4),
        (("characters", 0, "at", 1), 5),
        (("characters", 1, "allies", 0, "pace"), 15),
        (("characters", 1, "nowhere", "deeper"), 11),
        (("characters", 9), 3),
        (("order", 2), 16),
    ],
)
def test_a_key_has_a_line_or_its_parent_does(path: Place, line: int) -> None:
    assert scene(GOOD).line_of(path) == line


def test_a_later_check_can_tell_a_problem() -> None:
    problem = scene(GOOD).problem(("characters", 0, "at"), "a free square", "[3, 4]", "try [3, 5]")
    assert str(problem) == "ambush.yaml:5: characters[0].at: expected a free square, got [3, 4]; try [3, 5]"


def test_a_path_is_written_as_people_do() -> None:
    assert write_key(("a", 2, "sleight of hand", "x.y")) == 'a[2].sleight of hand["x.y"]'


@pytest.mark.parametrize(
    ("key", "written", "value"),
    [
        ("hidden", "on", True),
        ("hidden", "No", False),
        ("hidden", "true", True),
        ("name", "no", "no"),
        ("name", "2024-01-01", "2024-01-01"),
        ("name", "12:30", "12:30"),
        ("name", "0x1F", "0x1F"),
        ("name", "1/2", "1/2"),
        ("name", '"5"', "5"),
        ("price", "5", 5),
        ("price", '"5"', "5"),
        ("price", "yes", "yes"),
        ("cover", "yes", True),
        ("cover", "half", "half"),
        ("weight", "3", 3.0),
        ("weight", "1.5", 1.5),
        ("cost", "1.10", Decimal("1.10")),
        ("cost", "~", None),
        ("at", "null", None),
        ("tags", "[no, on]", ("no", "on")),
        ("weapon", "{type: sword, reach: +2}", Sword(2)),
    ],
)
def test_a_scalar_is_read_by_the_type_that_is_wanted(key: str, written: str, value: object) -> None:
    assert value_of(key, written) == value


def test_where_anything_will_do_only_true_and_false_are_booleans() -> None:
    document = scene("title: Ford\nextra: [yes, true, 1.5, 2, 2024-01-01, ~, 010, 1e999, x]")
    assert document.value.extra == ["yes", True, 1.5, 2, "2024-01-01", None, "010", "1e999", "x"]


def test_a_struct_that_allows_more_keys_keeps_them_in_the_data() -> None:
    document = scene("title: Ford\nnotes: {text: a, more: [1]}")
    assert document.value.notes == Notes("a")
    assert document.data["notes"] == {"text": "a", "more": [1]}


# What is told


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("hp: 3", "hp: unknown key; expected one of name, at, skills, pace,"),
        ("skils: {}", 'did you mean "skills"?'),
        ("at: [3]", "at: expected a list of 2 whole numbers, got a list of 1"),
        ("at: 3", "at: expected a list of 2 whole numbers, got 3"),
        ("at: [3, x]", 'at[1]: expected a whole number, got "x"'),
        ("skills: {stealth: 21}", "skills.stealth: expected a whole number from 0 to 20, got 21"),
        ("skills: {stealth: 1.0}", "skills.stealth: expected a whole number from 0 to 20, got 1.0"),
        ("skills: [a]", "expected a mapping from text to a whole number from 0 to 20, got a list of 1"),
        (
            "skills: {1: 2}",
            'skills.1: expected a key that is text, got the key 1; to mean text, put it in quotes: "1"',
        ),
        ("skills: {true: 2}", "skills.true: expected a key that is text, got the key true;"),
        ("skills:", "skills: expected a mapping from text to a whole number from 0 to 20, got nothing"),
        ("pace: sprnt", 'pace: expected one of walk, run, sprint, got "sprnt"; did you mean "sprint"?'),
        ("side: Heros", 'side: expected one of foes, heroes, got "Heros"; did you mean "heroes"?'),
        ("price: 1.5", 'expected text or a whole number, got 1.5; to mean text, put it in quotes: "1.5"'),
        ('hidden: "yes"', 'hidden: expected yes or no, got "yes"; remove the quotes'),
        ("hidden: maybe", 'hidden: expected yes or no, got "maybe"'),
        ("weight: 010", 'weight: expected a number, got "010"; write the number without leading zeros'),
        ("weight: .inf", 'weight: expected a number, got ".inf"'),
        ("cost: ten", 'cost: expected a number, got "ten"'),
        ("tags: brave", 'tags: expected a list of texts, got "brave"; for a list of one, write [brave]'),
        ("on: true", 'on: expected text, got true; to mean text, put it in quotes: "true"'),
        ("dice: d6", 'dice: expected text matching ^\\d+d\\d+$, such as 2d6, got "d6"'),
        ("weapon: {type: bo}", 'weapon.type: expected one of sword, bow, got "bo"; did you mean "bow"?'),
        ("weapon: {reach: 1}", "weapon.type: missing key; expected one of sword, bow"),
        ("weapon: {type: sword}", "weapon.reach: missing key; expected a whole number"),
        ("name: Bo", "name: repeated key; expected each key once; first written on line 3"),
        ("allies: [{name: Nobody}]", "allies[0]: somebody must have a name"),
        ("allies: [5]", "allies[0]: expected a mapping with name, got 5"),
        ('on: "\\e[1m"', "on: the control character U+001B is not allowed"),
    ],
)
def test_a_problem_says_where_what_and_how(line: str, told: str) -> None:
    assert told in ana(line)


def test_text_may_not_be_empty_where_the_type_says_so() -> None:
    assert one('title: a\ncharacters: [{name: ""}]') == '2: characters[0].name: expected text that is not empty, got ""'


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Annotated[int, Meta(gt=0)], "a whole number above 0"),
        (Annotated[int, Meta(ge=0, multiple_of=5)], "a whole number of at least 0 and in steps of 5"),
        (Annotated[float, Meta(lt=1.5)], "a number below 1.5"),
        (Annotated[str, Meta(max_length=3)], "text of at most 3 characters"),
        (Annotated[str, Meta(min_length=2, max_length=3)], "text of 2 to 3 characters"),
        (bool | None, "yes or no"),
        (None, "nothing"),
        (int | bool | list[str], "a whole number, yes or no or a list of texts"),
        (Literal["up"], "up"),
        (Literal[1, True, None], "one of null, true, 1"),
        (list[Any], "a list"),
        (list[Sword], "a list of mappings"),
        (list[tuple[int, int]], "a list of lists of 2 whole numbers"),
        (list[int | str], "a list of items, each a whole number or text"),
        (list[Pace], "a list of items, each one of walk, run, sprint"),
        (Annotated[list[int], Meta(min_length=1)], "a list of whole numbers, at least 1"),
        (Annotated[list[int], Meta(max_length=4)], "a list of whole numbers, 0 to 4 of them"),
        (Annotated[list[Any], Meta(max_length=4)], "a list of at most 4 items"),
        (tuple[str, int], "a list of 2: text, a whole number"),
        (dict[Any, Any], "a mapping"),
        (
            Annotated[dict[str, int], Meta(min_length=1)],
            "a mapping of at least 1 entry from text to a whole number",
        ),
        (date, "a date such as 2024-05-17"),
        (Notes, "a mapping"),
    ],
)
def test_a_type_is_said_in_plain_words(kind: Any, words: str) -> None:
    wanted = msgspec.defstruct("Wanted", [("key", kind)])
    with pytest.raises(BadScene) as caught:
        read("other: 1", "a.yaml", wanted)
    assert caught.value.problems[0].expected == words


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        (Annotated[int, Meta(multiple_of=5)], "7"),
        (Annotated[list[int], Meta(min_length=1)], "[]"),
        (Annotated[dict[str, int], Meta(max_length=1)], "{a: 1, b: 2}"),
        (Annotated[str, Meta(max_length=3)], "long"),
        (set[int], "[x]"),
        (date, "2024-13-01"),
        (complex, "1"),
    ],
)
def test_what_the_type_does_not_allow_is_told(kind: Any, written: str) -> None:
    wanted = msgspec.defstruct("Wanted", [("key", kind)])
    with pytest.raises(BadScene) as caught:
        read(f"key: {written}", "a.yaml", wanted)
    assert caught.value.problems[0].key.startswith("key")


def test_many_problems_are_told_at_once_in_the_order_of_the_lines() -> None:
    text = "titel: Ford\ncharacters:\n- {name: Nobody}\n- {name: 5, at: x}\n- {name: Nobody}\norder: {a: 3}"
    assert [(problem.line, problem.key) for problem in problems(text)] == [
        (1, "titel"),
        (1, "title"),
        (3, "characters[0]"),
        (4, "characters[1].name"),
        (4, "characters[1].at"),
        (5, "characters[2]"),
        (6, "order.a"),
        (6, "order.a"),
    ]


def test_two_writings_of_one_number_are_one_key() -> None:
    assert "repeated key" in one("title: a\norder: {1: a, +1: b}")


def test_at_most_fifty_problems_are_kept_and_the_rest_counted() -> None:
    with pytest.raises(BadScene) as caught:
        scene("title: a\n" + "".join(f"key{number}: 1\n" for number in range(60)))
    assert len(caught.value.problems) == 50
    assert str(caught.value).endswith("\n... and 10 more problems")


def test_a_problem_stays_on_one_short_line() -> None:
    long = "x\u202e" * 500
    text = str(Problem("a.yaml", 3, long, long, long + "\n", long))
    assert len(text) < 250
    assert text.isprintable()


def test_a_bad_scene_survives_pickling_and_is_never_empty() -> None:
    error = BadScene([Problem("a.yaml", 0, "", "", "gone")] * 60)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert "a.yaml: gone" in str(error)
    with pytest.raises(ValueError, match="at least one"):
        BadScene([])


# What is refused


# Each takes a fraction of a second; the bound only catches what grows without end, also on a busy, traced machine.
SOON = 15.0

REFUSED: list[tuple[str | bytes, str]] = [
    ("", "1: expected a mapping, got an empty document"),
    ("# nothing\n---\n", "expected a mapping, got an empty document"),
    ("- a\n", "1: expected a document that is a mapping of keys to values, got a list of 1"),
    ("hello", 'expected a document that is a mapping of keys to values, got "hello"'),
    ("title: a\n---\ntitle: b", "2: expected one document, got a second one"),
    ("title: &a x\n", "1: title: expected no anchors, got &a"),
    ("title: a\nextra: [1, *a]\n", "2: extra[1]: expected no aliases, got *a"),
    ("title: a\n<<: {b: 1}\n", "2: expected no merge keys, got <<"),
    (
        "title: !!python/object/apply:os.system [ls]",
        "1: title: expected no tags, got !!python/object/apply:os",
    ),
    ("title: !custom x", "expected no tags, got !custom"),
    ("%TAG ! tag:x,2000:\n---\ntitle: a", "expected no tags, got %TAG"),
    ("title: a\n? [b]\n: c", "expected a key that is text, got a list"),
    ("title: a\nextra: {{a: 1}: 2}", "2: extra: expected a key that is text, got a mapping"),
    ("title: a\n\nextra: \x1b[1m", "3: the control character U+001B is not allowed"),
    ("title: \ud800", "1: the control character U+D800 is not allowed"),
    ("title: a\n\tb: 1", "indent with spaces, not tabs"),
    ("title: a: b", "1: not valid YAML: mapping values are not allowed"),
    ("title: @a", "put text that starts with a special character in quotes"),
    ("title: a\nextra: [1,\norder: {}\n", "it began on line 2"),
    (b"title: a\nextra: \xff", "2: expected text in UTF-8, got the byte 0xff; save the file as UTF-8"),
    ("title: a".encode("utf-16"), "save the file as UTF-8"),
    ("title: a".encode("utf-16-be"), "the control character U+0000"),
    ("a\n" * 20_001, "at most 20,000 lines, got 20,001 lines"),
    ("a" * 1_000_001, "at most 1,000,000 bytes"),
    ("a: " + "[" * 31, "nesting at most 30 deep"),
    ("".join(" " * depth + "a:\n" for depth in range(40)), "31: a.a.a.a."),
    ("- " * 400_000, "nesting at most 30 deep"),
    ("title: a\nextra: [" + "1," * 400_000, "at most 100,000 values"),
]


@pytest.fixture(params=["fast", "pure"])
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "pure":
        monkeypatch.setattr(parsing, "_LOADER", yaml.SafeLoader)


@pytest.mark.parametrize(("text", "told"), REFUSED, ids=lambda part: str(part)[:20].encode("unicode_escape").decode())
def test_an_unsafe_document_is_refused_at_once(text: str | bytes, told: str) -> None:
    begun = time.process_time()
    assert told in one(text)
    assert time.process_time() - begun < SOON


@pytest.mark.usefixtures("loader")
def test_both_loaders_read_and_refuse_alike() -> None:
    assert scene(GOOD).value.characters[0].at == (3, 4)
    for text, _ in REFUSED[:16]:
        assert problems(text)


@pytest.mark.parametrize(
    "text",
    [
        "extra: " + "{a: " * 200_000,
        "? " * 400_000,
        "title: '" * 100_000,
        "{" + "k: 1," * 45_000 + "}",
        "&" * 900_000,
    ],
    ids=["flow", "keys", "quotes", "repeated", "anchors"],
)
def test_a_hostile_document_is_refused_soon(text: str) -> None:
    begun = time.process_time()
    assert problems(text)
    assert time.process_time() - begun < SOON


def test_line_ends_and_a_byte_order_mark_do_not_matter() -> None:
    text = b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode()
    assert scene(text).value == scene(GOOD).value == scene("\ufeff" + GOOD).value
    assert scene(text).line_of(("order",)) == 16


# Files


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "ambush.yaml"
    path.write_text(GOOD, encoding="utf-8")
    assert read_file(path, Scene).value == scene(GOOD).value
    assert read_file(str(path), Scene).source == str(path)


def _folder(path: Path) -> None:
    path.mkdir()


def _large(path: Path) -> None:
    path.write_bytes(b"a" * 3_000_000)


def _not_text(path: Path) -> None:
    path.write_bytes(b"title: \xe9")


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda path: None, "there is no such file"),
        (_folder, "expected a file, got a folder"),
        (_large, "at most 1,000,000 bytes"),
        (_not_text, "expected text in UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_problem(tmp_path: Path, make: Callable[[Path], None], told: str) -> None:
    path = tmp_path / "scene"
    make(path)
    with pytest.raises(BadScene, match=told):
        read_file(path, Scene)


def test_a_file_the_system_refuses_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = tmp_path / "ambush.yaml"
    path.write_text(GOOD, encoding="utf-8")
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(BadScene, match="cannot be read: Permission denied"):
        read_file(path, Scene)


@pytest.mark.parametrize("path", ["a\0b", "x" * 5000])
def test_a_path_that_is_no_path_is_a_problem(path: str) -> None:
    with pytest.raises(BadScene):
        read_file(path, Scene)


# Whatever is written, the answer is a document or a BadScene


def told_of(text: str | bytes) -> list[str]:
    try:
        scene(text)
    except BadScene as error:
        return [str(problem) for problem in error.problems]
    return []


def read_anything(text: str | bytes) -> None:
    for told in told_of(text):
        assert "\n" not in told
        assert len(told) < 300


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes(raw: bytes) -> None:
    read_anything(raw)


@settings(deadline=None)
@given(st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=200))
def test_any_text(text: str) -> None:
    read_anything(text)


@settings(deadline=None)
@given(st.text(alphabet="ab: -[]{},'\"\n\t&*!|>#%?~0159.<=yesno", max_size=120))
def test_any_text_of_yaml_signs(text: str) -> None:
    read_anything("title: a\nextra: " + text)
    read_anything(text)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    text = GOOD
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 12)))
        text = text[:start] + draw(st.text(alphabet="a1:-[]{}, \n\"'&*!~?", max_size=6)) + text[end:]
    return text


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(mutated())
def test_any_change_to_a_good_document(text: str) -> None:
    read_anything(text)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@settings(deadline=None)
@given(st.sampled_from(sorted(Character.__struct_fields__)), PLAIN)
def test_any_value_under_any_key(key: str, value: object) -> None:
    read_anything(msgspec.json.encode({"title": "a", "characters": [{"name": "Ana", key: value}]}))


@settings(deadline=None)
@given(st.dictionaries(st.text(alphabet="abc", max_size=3), PLAIN, max_size=4))
def test_json_is_read_as_it_was_written(extra: dict[str, object]) -> None:
    wanted = msgspec.json.decode(msgspec.json.encode(extra))
    try:
        document = scene(msgspec.json.encode({"title": "a", "extra": extra}))
    except BadScene:
        return
    if not any(letter in msgspec.json.encode(extra).decode() for letter in "0123456789"):
        assert document.value.extra == wanted


# Schema


def test_the_schema_forbids_and_describes() -> None:
    made: Any = schema(Scene, "A scene")
    assert made["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert made["title"] == "A scene"
    parts = made["$defs"]
    assert parts["Character"]["additionalProperties"] is False
    assert parts["Character"]["properties"]["name"]["description"] == "What they are called."
    assert parts["Character"]["properties"]["weapon"]["description"] == "What they hold."
    assert parts["Sword"]["required"] == ["type", "reach"]
    assert "additionalProperties" not in parts["Notes"]


def test_a_type_without_a_schema_allows_anything() -> None:
    class Odd(msgspec.Struct):
        thing: complex

    made: Any = schema(Odd)
    assert made["$defs"]["Odd"]["properties"]["thing"] == {"title": "complex"}


def test_every_problem_has_a_line_inside_the_document() -> None:
    assert all(1 <= problem.line <= 3 for problem in problems("a: 1\nb: 2\ncharacters: [{}, {name: 1}]"))


# -- what a hint says


class Place_(msgspec.Struct, forbid_unknown_fields=True):
    zones: dict[Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_-]*$")], int] = {}
    id: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_-]*$")] = "x"
    tempo: Literal["", "take", "lose"] = ""
    bound: Annotated[int, Meta(ge=0, le=5_000_000)] = 0
    count: Annotated[int, Meta(ge=0)] = 0
    weight: float = 0.0


@pytest.mark.parametrize(
    ("text", "says", "never"),
    [
        ("zones: {A: 1}", 'write it in small letters: "a"', "quotes"),
        ("id: Old Gate", 'write it in small letters: "old_gate"', "quotes"),
        ("id: 7", "to mean text, put it in quotes", "small letters"),
        ("tempo: tak", "expected one of lose, take", "one of ,"),
        (f"count: {10**30}", "a whole number of at least 0, at most 1,000,000", "quotes"),
        ("count: 1000001", "at most 1,000,000", "quotes"),
        ("weight: 1e9", "a number, at most 1,000,000", "quotes"),
        ("count: -1000001", "of at least 0", "quotes"),
    ],
)
def test_a_hint_says_what_would_be_right(text: str, says: str, never: str) -> None:
    with pytest.raises(BadScene) as found:
        read(text, "x.yaml", Place_)
    assert says in str(found.value)
    assert never not in str(found.value)


def test_a_limit_of_its_own_goes_before_the_common_one() -> None:
    held = read("{bound: 5000000, count: 1000000, weight: -1000000.0}", "x.yaml", Place_).value
    assert (held.bound, held.count, held.weight) == (5_000_000, 1_000_000, -1_000_000.0)
