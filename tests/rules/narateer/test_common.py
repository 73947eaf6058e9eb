"""The common Actions explain familiar attempts and limit nobody to them."""

from __future__ import annotations

import pytest
from attempts import attempt, told
from scenes import acted, character, happened, question, table

from turnwright.events import Told

ANN = [{"id": "ann"}]


@pytest.mark.rule("narateer.common.list-not-closed")
@pytest.mark.parametrize(
    "method",
    ["I haggle", "distract him with a song", "climb the mast", "repair the wheel", "ask around", "fold a bird"],
)
def test_whatever_is_not_on_the_list_is_ruled_on(method):
    t = table(character("selka", "heroes", (1, 1), seat="ann"), seats=ANN, begin="selka")
    assert t.explain("selka", "attempt", intent="the ferry waits", method=method).verdict == "ruling"
    t.declare("selka", "attempt", intent="the ferry waits", method=method)
    assert (question(t).who, question(t).kind) == ("guide", "rule")


@pytest.mark.rule("narateer.common.list-not-closed")
def test_a_free_attempt_is_offered_among_the_named_actions_and_is_an_action_like_them():
    t = table(character("selka", "heroes", (1, 1), seat="ann"), seats=ANN, begin="selka")
    offered = {offer.action for offer in t.offers("selka")}
    assert {"attempt", "walk", "run", "sprint", "hide", "search", "use"} <= offered
    attempt(t, "selka", told(success="the ferryman waits"), intent="the ferry waits", method="I haggle")
    assert acted(t) == [("attempt", "proactive")]
    assert happened(t, Told)[-1].text == "the ferryman waits"
