"""What the guide lets pass although a rule refuses it: it goes on as far as the rule can, or nothing has changed."""

import pytest
from realms import creature, table

import turnwright as tw


def two():
    return table(
        creature("kara", "x", (2, 2), seat="ann", hp=30),
        creature("dock", "y", (3, 2)),
        seats=[{"id": "ann"}],
        sides=["x", "y"],
        begin="kara",
    )


def stands(t):
    return t.state, t.waiting_on, t.pending, len(t.log), {seat: t.version(seat) for seat in ("guide", "ann")}


def test_a_declaration_that_fails_only_after_its_dice_leaves_no_entry():
    t = two()
    before = stands(t)
    said = {"target": "kara", "fall": 5, "damage": "no dice"}
    with pytest.raises(tw.Refused, match="damage is written like") as refused:
        t.declare("dock", "hazard", seat="guide", overrule="so be it", **said)
    assert [r.code for r in refused.value.refusals] == ["BAD_DAMAGE"]
    assert stands(t) == before
    t.declare("kara", "end")


def test_an_answer_that_cannot_be_gone_on_from_is_refused_and_the_question_stays():
    t = two()
    t.declare("dock", "escape", seat="guide", overrule="so be it")
    before = stands(t)
    with pytest.raises(tw.Refused, match="take it back") as refused:
        t.answer(t.waiting_on[0], "procedure")
    assert [r.code for r in refused.value.refusals] == ["CANNOT_GO_ON"]
    assert stands(t) == before
    t.undo()
    t.declare("kara", "end")


def test_what_was_taken_back_can_still_be_done_again_after_a_failure():
    t = two()
    t.declare("kara", "dodge", target="dock")
    dodged = t.state
    t.undo()
    with pytest.raises(tw.Refused):
        t.declare("dock", "hazard", seat="guide", overrule="so be it", target="kara", fall=5, damage="no dice")
    t.redo()
    assert t.state == dodged
