"""Choosing cases by id and tag."""

from __future__ import annotations

import pytest

from agenteval.errors import InputError
from agenteval.model.run import Selection
from agenteval.suites import Selector, select
from agenteval.suites.suite import Suite
from tests.suites.conftest import ReadText

SUITE = """
    - {id: refund_1, prompt: x, tags: [smoke, money]}
    - {id: refund_2, prompt: x, tags: [money]}
    - {id: hello, prompt: x, tags: [smoke]}
    - {id: draft, prompt: x, tags: [new], review_status: candidate}
    """


@pytest.fixture
def suite(read_text: ReadText) -> Suite:
    return read_text(SUITE)[0]


@pytest.mark.parametrize(
    ("selector", "ids", "selection"),
    [
        (Selector(), ["refund_1", "refund_2", "hello"], Selection({}, 0)),
        (Selector(include_candidates=True), ["refund_1", "refund_2", "hello", "draft"], Selection({"include_candidates": True}, 0)),
        (Selector(tags=("smoke",)), ["refund_1", "hello"], Selection({"tags": ["smoke"]}, 1)),
        (Selector(tags=("smoke", "money")), ["refund_1", "refund_2", "hello"], Selection({"tags": ["smoke", "money"]}, 0)),
        (Selector(case_ids=("hello", "refund_1")), ["refund_1", "hello"], Selection({"case_ids": ["hello", "refund_1"]}, 1)),
        (Selector(("hello", "refund_2"), ("smoke",)), ["hello"], Selection({"case_ids": ["hello", "refund_2"], "tags": ["smoke"]}, 2)),
    ],
    ids=["all", "candidates", "tag", "any of several tags", "ids in suite order", "both"],
)
def test_cases_are_selected_in_suite_order(suite: Suite, selector: Selector, ids: list[str], selection: Selection) -> None:
    cases, found, left_out = select(suite, selector)

    assert [case.id for case in cases] == ids
    assert found == selection
    assert len(left_out) == selection.left_out
    assert set(left_out).isdisjoint(ids)


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        (
            Selector(case_ids=("hello", "refnd_1"), tags=("somke",)),
            "--case-id: no case 'refnd_1' in the suite; did you mean 'refund_1'?\n--tag: no tag 'somke' in the "
            "suite; did you mean 'smoke'?",
        ),
        (Selector(case_ids=("zzz",)), "--case-id: no case 'zzz' in the suite; the suite has: refund_1, refund_2, hello, draft"),
        (
            Selector(("refund_2",), ("smoke",)),
            "--case-id and --tag: nothing selected: no case fits both; choose ids that have one of the tags",
        ),
        (
            Selector(case_ids=("draft",)),
            "--case-id: nothing selected: 'draft' is a candidate awaiting review; review them, or add --include-candidates",
        ),
    ],
)
def test_a_selection_that_fits_nothing_is_refused(suite: Suite, selector: Selector, message: str) -> None:
    with pytest.raises(InputError) as caught:
        select(suite, selector)

    assert str(caught.value) == message
