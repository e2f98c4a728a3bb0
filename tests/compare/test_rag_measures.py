"""Means of retrieval, grounding and tool efficiency: over whom they are, and what their gates say."""

from __future__ import annotations

import pytest

from agenteval.compare.measures import measures
from agenteval.model.attempt import Attempt
from agenteval.model.facts import facts_of
from agenteval.model.run import Measure
from agenteval.model.score import MEANS, Feeds, Score
from agenteval.model.status import Status
from tests.builders import an_attempt
from tests.compare.runs import case, compared, gate, outcome, run, scored


def measured(*attempts: Attempt) -> dict[str, Measure]:
    return measures(map(facts_of, attempts))


def observed(feeds: Feeds, value: float | None, **fields: object) -> Score:
    return Score(feeds.value, value, feeds=feeds, required=False, **fields)  # type: ignore[arg-type]


def test_the_metrics_have_the_names_that_older_files_use() -> None:
    assert {f"{feeds.value}_avg" for feeds in MEANS} == {
        "context_relevance_avg",
        "faithfulness_avg",
        "unsupported_claim_rate_avg",
        "citation_f1_avg",
        "retrieval_f1_avg",
        "tool_efficiency_avg",
    }


@pytest.mark.parametrize("feeds", MEANS)
def test_a_mean_is_over_the_cases_that_have_a_value(feeds: Feeds) -> None:
    found = measured(
        an_attempt("none"),
        scored("a", feeds, value=0.5),
        scored("b", feeds, value=1.0),
        scored("c", feeds, value=None, reason="not applicable: nothing there"),
        an_attempt("e", None),
        case("u", "u"),
    )[f"{feeds.value}_avg"]

    assert (found.value, found.n, found.unit) == (0.75, 2, "score")
    assert found.left_out == {"errors": 1, "unscored": 1, "not_applicable": 2}
    assert found.better == ("lower" if feeds is Feeds.UNSUPPORTED_CLAIMS else "higher")


def test_without_such_evidence_there_is_no_value_and_no_zero() -> None:
    found = measured(an_attempt("a"), an_attempt("b"))

    assert [found[f"{feeds.value}_avg"].value for feeds in MEANS] == [None] * 6
    assert found["faithfulness_avg"].left_out == {"not_applicable": 2}


def test_an_undecided_case_contributes_no_value() -> None:
    undecided = an_attempt("a", None, status=Status.EVALUATOR_ERROR, scores=(observed(Feeds.FAITHFULNESS, 1.0),))

    assert measured(undecided)["faithfulness_avg"].n == 0


def test_a_conversation_counts_once_by_its_own_value_else_by_the_mean_of_its_turns() -> None:
    turns = tuple(
        an_attempt(f"a::turn{number}", scores=(observed(Feeds.FAITHFULNESS, value), observed(Feeds.RETRIEVAL, value)))
        for number, value in enumerate((1.0, 0.5, None))
    )
    conversation = an_attempt("a", turns=turns, scores=(observed(Feeds.RETRIEVAL, 0.2),))

    found = measured(conversation, scored("b", Feeds.FAITHFULNESS, value=0.25))

    assert (found["faithfulness_avg"].value, found["faithfulness_avg"].n) == (0.5, 2)
    assert found["retrieval_f1_avg"].value == 0.2


def test_a_low_rate_of_unsupported_claims_raises_the_score_of_its_case() -> None:
    scores = (
        Score("exact", 1.0, True, feeds=Feeds.CORRECTNESS),
        Score("unsupported_claim_rate", 0.25, True, feeds=Feeds.UNSUPPORTED_CLAIMS),
    )

    assert facts_of(an_attempt("a", scores=scores)).outcome.score == 0.875


_GATES = [
    ("min_faithfulness", Feeds.FAITHFULNESS),
    ("min_retrieval_f1", Feeds.RETRIEVAL),
    ("min_citation_f1", Feeds.CITATIONS),
    ("min_tool_efficiency", Feeds.TOOL_EFFICIENCY),
]


@pytest.mark.parametrize(("name", "feeds"), _GATES)
def test_a_gate_holds_the_mean_against_its_limit(name: str, feeds: Feeds) -> None:
    now = run("", scored("a", feeds, value=0.6), scored("b", feeds, value=0.8), case("c"))
    then = run("", scored("a", feeds, value=1.0), run_id="20261129T120000Z-abc1234-000001")

    assert outcome(compared(now, None, **{name: 0.7}), name) == "pass"
    found = gate(compared(now, then, **{name: 0.71}), name)
    assert found is not None
    assert found.outcome.value == "fail"
    assert (found.value, found.limit, found.baseline) == (pytest.approx(0.7), 0.71, 1.0)
    assert found.message == f"{name}: {feeds.value}_avg 0.70 (n 2), limit 0.71, baseline 1.00"


@pytest.mark.parametrize(("name", "feeds"), _GATES)
def test_a_written_gate_without_its_evidence_fails_and_says_why(name: str, feeds: Feeds) -> None:
    found = gate(compared("11", "11", **{name: 0.5}), name)

    assert found is not None
    assert found.outcome.value == "fail"
    assert found.message == f"{name}: no evidence: no case measured {feeds.value}_avg (2 not applicable left out)"
    assert gate(compared("11", "11"), name) is None


def test_an_older_run_that_lacks_the_metric_is_no_baseline_for_it() -> None:
    now = run("", scored("a", Feeds.FAITHFULNESS, value=0.6))
    older = run("", case("a"), run_id="20261129T120000Z-abc1234-000001")
    lacking = {name: measure for name, measure in older.head.metrics.items() if name not in {f"{feeds.value}_avg" for feeds in MEANS}}
    older = run("", case("a"), run_id="20261129T120000Z-abc1234-000001", metrics=lacking)

    (delta,) = [delta for delta in compared(now, older).metrics if delta.name == "faithfulness_avg"]

    assert (delta.delta, delta.note) == (None, "not recorded")


def test_the_change_of_a_mean_knows_its_better_direction() -> None:
    then = run("", *(scored(name, Feeds.UNSUPPORTED_CLAIMS, value=0.5) for name in "abcdef"), run_id="20261129T120000Z-abc1234-000001")
    now = run("", *(scored(name, Feeds.UNSUPPORTED_CLAIMS, value=0.25) for name in "abcdef"))

    (delta,) = [delta for delta in compared(now, then).metrics if delta.name == "unsupported_claim_rate_avg"]

    assert (delta.delta, delta.direction) == (-0.25, "better")


def test_over_unequal_cases_a_mean_is_compared_over_the_pairs() -> None:
    then = run("", scored("a", Feeds.RETRIEVAL, value=0.5), run_id="20261129T120000Z-abc1234-000001")
    now = run("", scored("a", Feeds.RETRIEVAL, value=0.75), scored("new", Feeds.RETRIEVAL, value=0.0))

    (delta,) = [delta for delta in compared(now, then).metrics if delta.name == "retrieval_f1_avg"]

    assert (delta.delta, delta.current.n if delta.current else None) == (0.25, 1)
