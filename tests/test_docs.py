"""The code blocks of the documentation run, and the scenes in it can be read."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest

import turnwright as tw

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^( *)```(python|yaml)\n(.*?)^\1```", re.M | re.S)


def blocks(page: Path, language: str) -> list[str]:
    return [dedent(text) for _, kind, text in BLOCK.findall(page.read_text()) if kind == language]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_on_a_page_runs(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    namespace: dict[str, object] = {"__name__": page.stem}
    for number, block in enumerate(blocks(page, "python")):
        exec(compile(block, f"{page.name}, block {number + 1}", "exec", dont_inherit=True), namespace)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_scenes_on_a_page_can_be_read(page: Path) -> None:
    for block in blocks(page, "yaml"):
        if block.startswith("system:"):
            assert tw.read_scene(block, page.name).actors


def test_every_link_between_pages_leads_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
