"""The catalogue: rows, citations, owners, tests, and the place of anything by its name."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from turnwright import catalogue
from turnwright.catalogue import Rule, Standing
from turnwright.rules import Game, find_game

ROOT = Path(__file__).parent.parent


@pytest.fixture
def game() -> Game:
    return find_game("narateer")


def line_of(place: str) -> str:
    path, _, rest = place.partition(":")
    return (ROOT / path).read_text().splitlines()[int(rest.split()[0]) - 1]


def test_a_row_has_its_words_and_its_topic(game: Game) -> None:
    found = catalogue.find(game, "narateer.hide.tie-fails")
    assert found is not None
    assert found.topic == "hide"
    assert found.kind == "contest"
    assert "tie" in found.statement
    assert len(catalogue.rules(game)) == 256


def test_importing_turnwright_and_loading_a_game_read_no_row() -> None:
    # The audit hook sees every file that is opened.
    code = """
import sys
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
import turnwright, turnwright.catalogue, turnwright.cli
game = turnwright.find_game("narateer")
assert not any("rules.yaml" in name for name in opened), opened
turnwright.catalogue.rules(game)
assert any("rules.yaml" in name for name in opened)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_rule_is_found_without_its_game_and_by_its_name_where_only_one_has_it(game: Game) -> None:
    whole = catalogue.find(game, "narateer.hide.tie-fails")
    assert catalogue.find(game, "hide.tie-fails") == whole
    assert catalogue.find(game, "tie-fails") is None  # Search has one too
    assert catalogue.find(game, "cap-is-skill-level") == catalogue.find(game, "narateer.boost.cap-is-skill-level")
    assert catalogue.find(game, "ie-fails") is None


def test_the_nearest_ids_of_a_name_that_is_none(game: Game) -> None:
    assert catalogue.nearest(game, "narateer.hide.tie-fail")[0] == "narateer.hide.tie-fails"
    assert "narateer.boost.cap-is-skill-level" in catalogue.nearest(game, "cap-is-skil-level")
    assert catalogue.nearest(game, "zzzzzz") == []


def test_a_citation_stands_where_the_place_says(game: Game) -> None:
    cited = catalogue.cited(game)
    for name in ("narateer.hide.tie-fails", "narateer.boost.cap-is-skill-level", "narateer.tier.names"):
        assert all(name in line_of(place) for place in cited[name])
    # A module's path in a string is no rule, and neither is a name with a hole in it.
    assert not any(name.startswith("narateer.systems") or "{" in name for name in cited)


def test_a_comment_cites_nothing_and_a_docstring_does() -> None:
    docstring = 'def f():\n    """One.\n\n    Rules: narateer.a.docstring.\n    """\n'
    text = f'# narateer.a.comment\n{docstring}    return "narateer.a.b"\n'
    found = list(catalogue._literals(text))
    assert [line for line, _ in found] == [3, 7]
    assert "docstring" in found[0][1]


def test_a_topic_is_owned_by_the_module_that_lists_it(game: Game) -> None:
    (place,) = catalogue.owners(game)["boost"]
    assert place.startswith("src/turnwright/systems/narateer/check.py:")
    assert line_of(place).startswith("TOPICS")


MARKED = """
import pytest

IDS = ("narateer.x.by-name", "narateer.x.and-another")
pytestmark = pytest.mark.rule("narateer.x.module")

@pytest.mark.rule("narateer.x.one", "narateer.x.two")
def test_both(): ...

@pytest.mark.rule(*IDS)
async def test_named(): ...

@pytest.mark.xfail(reason="not yet", strict=True)
@pytest.mark.rule("narateer.x.fails")
def test_expected_to_fail(): ...

@pytest.mark.rule("narateer.x.skipped")
@pytest.mark.skip
def test_skipped(): ...

@pytest.mark.parametrize("n", [pytest.param(1, marks=pytest.mark.rule("narateer.x.param"))])
def test_param(n): ...

@pytest.mark.rule("narateer.x.class")
class TestThings:
    @pytest.mark.rule("narateer.x.method")
    def test_method(self): ...

@pytest.mark.rule("narateer.x.helper")
def helper(): ...
"""


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Game) -> Path:
    """A checkout whose tests are our own, with nothing remembered of the real one."""
    catalogue.tested.cache_clear()
    monkeypatch.setattr(catalogue, "checkout", lambda game: tmp_path)
    (tmp_path / "tests").mkdir()
    yield tmp_path
    catalogue.tested.cache_clear()


def test_marks_are_found_where_tests_carry_them(elsewhere: Path, game: Game) -> None:
    (elsewhere / "tests" / "test_marked.py").write_text(MARKED)
    found = catalogue.tested(game)
    tests = {name: [place.split()[1] for place in places] for name, places in found.items()}
    assert tests.pop("narateer.x.module") == ["test_both", "test_named", "test_param", "test_method"]
    assert tests == {
        "narateer.x.one": ["test_both"],
        "narateer.x.two": ["test_both"],
        "narateer.x.by-name": ["test_named"],
        "narateer.x.and-another": ["test_named"],
        "narateer.x.param": ["test_param"],
        "narateer.x.class": ["test_method"],
        "narateer.x.method": ["test_method"],
    }
    assert found["narateer.x.one"] == ["tests/test_marked.py:8 test_both"]


def test_without_a_checkout_no_test_is_known_and_the_state_says_so(monkeypatch: pytest.MonkeyPatch, game: Game) -> None:
    catalogue.tested.cache_clear()
    monkeypatch.setattr(catalogue, "checkout", lambda game: None)
    assert catalogue.tested(game) == {}
    states = {s.state for s in catalogue.standing(game)}
    assert "done" not in states
    assert "unknown" in states
    catalogue.tested.cache_clear()


def test_an_installed_game_has_no_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Game) -> None:
    # A project with tests of its own around a virtual environment is not the game's.
    inside = tmp_path / ".venv" / "lib" / "site-packages" / "turnwright" / "systems" / "narateer"
    inside.mkdir(parents=True)
    (tmp_path / "tests").mkdir()
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.setattr(catalogue, "package", lambda game: inside)
    assert catalogue.checkout(game) is None
    assert catalogue.root(game) == tmp_path / ".venv" / "lib" / "site-packages"


@pytest.mark.parametrize(
    ("cited", "tested", "state"),
    [((), (), "open"), (("a:1",), (), "open"), ((), ("t",), "open"), (("a:1",), ("t",), "done")],
)
def test_done_is_cited_and_tested(cited: tuple[str, ...], tested: tuple[str, ...], state: str) -> None:
    rule = Rule("narateer.x.y", "source", "cost", "what it says")
    assert Standing(rule, cited, tested).state == state


def test_where_finds_actions_events_moments_topics_settings_and_rules(game: Game) -> None:
    def kinds(name: str) -> list[str]:
        return [found.kind for found in catalogue.where(game, name)]

    assert kinds("hide") == ["action", "topic"]
    assert kinds("stop hiding") == ["action"]
    assert kinds("Moved") == ["event"]
    assert kinds("Charged") == ["event"]
    assert kinds("Stepped") == ["moment"]
    assert kinds("wounds") == ["setting"]
    assert set(kinds("hide.tie-fails")) == {"rule"}
    assert kinds("nothing-at-all") == []


def test_a_place_leads_to_the_thing(game: Game) -> None:
    assert "class Hide(" in line_of(catalogue.where(game, "hide")[0].place)
    assert "class Charged(" in line_of(catalogue.where(game, "Charged")[0].place)
    assert line_of(catalogue.where(game, "wounds")[0].place).strip().startswith("wounds:")


def test_a_setting_that_stands_in_for_a_silence_is_listed_with_its_rule(game: Game) -> None:
    names = [setting.name for setting in catalogue.left_open(game, "narateer.tier.names")]
    assert names == ["trivial", "minor"]
    assert catalogue.left_open(game, "narateer.hide.tie-fails") == ()


def test_a_catalogue_that_cannot_be_read_says_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Game
) -> None:
    (tmp_path / "rules.yaml").write_text("- id: narateer.x.y\n  kind: cost\n  sauce: tomato\n")
    monkeypatch.setattr(catalogue, "package", lambda game: tmp_path)
    catalogue.rules.cache_clear()
    with pytest.raises(ValueError, match=r"rules\.yaml"):
        catalogue.rules(game)
    catalogue.rules.cache_clear()
