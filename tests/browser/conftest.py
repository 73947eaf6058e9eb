"""One Chromium and one server for all of these tests; each person has a context, which is cheap."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="!!! NO BROWSER TEST HAS RUN: no Playwright !!!")

from web.halls import ROOT, hall  # noqa: E402
from web.serving import Site, served  # noqa: E402

from turnwright.web.guard import Guard  # noqa: E402

from .people import Person  # noqa: E402

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
NONE = "!!! NO BROWSER TEST HAS RUN: no Chromium, neither on the PATH nor Playwright's own !!!"


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        found = shutil.which("chromium") or shutil.which("chromium-browser") or started.chromium.executable_path
        if not Path(found).exists():
            pytest.skip(NONE)
        opened = started.chromium.launch(executable_path=found, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    guard = Guard(burst=100_000, each_second=100_000, misses=100_000)
    with served(hall(tmp_path_factory.mktemp("tables")), guard=guard, examples=ROOT / "examples") as made:
        yield made


@pytest.fixture
def person(browser: Any, site: Site) -> Iterator[Callable[..., Person]]:
    """Somebody with a device; on leaving, no page may have met an error."""
    here: list[Person] = []

    def comes(**device: Any) -> Person:
        here.append(Person(browser, site, **device))
        return here[-1]

    yield comes
    for each in here:
        each.leaves()
    assert [text for each in here for text in each.wrong] == []
