"""Gates: the whole table, each with and without its evidence."""

from __future__ import annotations

from typing import Any

import pytest

from agenteval.compare import compare_runs
from agenteval.compare.evidence import beside
from agenteval.compare.gates import recorded_limits
from agenteval.model.attempt import Attempt
from agenteval.model.gates import GateLimits, PassHatK
from agenteval.model.response import Usage
from agenteval.model.run import Selection
from agenteval.model.score import Feeds
from agenteval.model.status import Role
from tests.builders import a_run, an_attempt
from tests.compare.runs import case, compared, gate, outcome, repeated, run, scored

SIGNIFICANT = {"require_statistical_significance": True}


@pytest.mark.parametrize(
    ("now", "then", "limits", "expected"),
    [
        pytest.param("1" * 20, "1" * 20, {}, "pass", id="no change"),
        pytest.param("0" + "1" * 19, "1" * 20, {}, "pass", id="exactly the limit: 20 of 20 to 19 of 20 is .05"),
        pytest.param("0" * 2 + "1" * 18, "1" * 20, {}, "fail", id="beyond the limit, significance not required"),
        pytest.param("0" * 6 + "1" * 14, "1" * 20, SIGNIFICANT, "fail", id="beyond, required, p = .03"),
        pytest.param("0" * 5 + "1" * 45, "1" * 50, SIGNIFICANT, "pass", id="beyond, required, p = .06, drop of exactly .10"),
        pytest.param("0" * 5 + "1" * 44, "1" * 49, SIGNIFICANT, "inconclusive", id="beyond, required, p = .06, drop above .10"),
        pytest.param("00000", "11111", {}, "fail", id="5 of 5 to 0 of 5"),
        pytest.param("00000", "11111", SIGNIFICANT, "inconclusive", id="5 of 5 to 0 of 5 can't be significant and doesn't pass"),
        pytest.param("1100000000", "1111111100", {}, "fail", id="8 of 10 to 2 of 10"),
        pytest.param("1100000000", "1111111100", SIGNIFICANT, "fail", id="8 of 10 to 2 of 10, p = .03"),
        pytest.param(
            "1100000000", "1111111100", {**SIGNIFICANT, "significance_alpha": 0.01}, "inconclusive", id="8 of 10 to 2 of 10, alpha .01"
        ),
        pytest.param("1" * 20, "0" + "1" * 19, {}, "pass", id="better"),
        pytest.param("0" + "1" * 19, "1" * 20, {"max_correctness_drop": 0.0}, "fail", id="no drop allowed"),
        pytest.param("eeeee", "11111", {"fail_on_agent_error": False}, "fail", id="written, nothing decided in both"),
    ],
)
def test_the_table_of_drops(now: str, then: str, limits: dict[str, Any], expected: str) -> None:
    limits = {"max_correctness_drop": 0.05, **limits}

    assert outcome(compared(now, then, **limits), "max_correctness_drop") == expected
    assert (
        outcome(
            compared(now, then, max_pass_rate_drop=limits["max_correctness_drop"], **{**limits, "max_correctness_drop": None}),
            "max_pass_rate_drop",
        )
        == expected
    )


def test_a_default_drop_gate_without_pairs_is_inconclusive_and_without_verdicts_not_evaluated() -> None:
    assert outcome(compare_runs(run("", case("new")), run("1"), GateLimits()), "max_correctness_drop") == "inconclusive"
    assert outcome(compare_runs(run("u"), run("1"), GateLimits()), "max_correctness_drop") == "not_evaluated"


def test_a_drop_tells_rate_change_limit_baseline_and_what_it_could_have_shown() -> None:
    found = gate(compared("0" + "1" * 49, "1" * 50), "max_correctness_drop")

    assert found is not None
    assert found.message == (
        "max_correctness_drop: correctness_rate 98%, −2 pts over 50 cases, limit −5 pts, baseline 100%; "
        "the smallest drop this suite would have shown is 15.4 pts"
    )
    assert (found.value, found.limit, found.baseline, found.cases) == (0.02, 0.05, 1.0, ("c0",))


def test_an_old_file_that_does_not_record_a_rate_cannot_pass_its_gate() -> None:
    old = run("1", legacy="AgentEval 0.3", run_id="old", metrics={"correctness_rate": run("1").head.metrics["correctness_rate"]})

    found = gate(compared(run("1"), old, max_pass_rate_drop=0.1), "max_pass_rate_drop")

    assert found is not None
    assert (found.outcome, found.message) == ("fail", "max_pass_rate_drop: no evidence: old does not record pass_rate")


def test_p_is_adjusted_over_the_gates_that_require_a_test() -> None:
    now, then = "0" * 6 + "1" * 14, "1" * 20

    one = gate(compared(now, then, **SIGNIFICANT), "max_correctness_drop")
    two = gate(compared(now, then, **SIGNIFICANT, max_pass_rate_drop=0.05), "max_correctness_drop")
    none = gate(compared(now, then, max_pass_rate_drop=0.05), "max_correctness_drop")

    assert one is not None and two is not None and none is not None
    assert (one.p, two.p, none.p) == (0.03125, 0.0625, None)
    assert (one.outcome, two.outcome) == ("fail", "inconclusive")


def test_a_drop_from_edited_cases_alone_is_not_proven_by_improved_pairs() -> None:
    edited = [case(f"e{i}", "0", definition="new") for i in range(20)]
    before = [case(f"e{i}", "1", definition="old") for i in range(20)]

    found = compared(run("1" * 8, *edited), run("0" * 8, *before), **SIGNIFICANT)

    assert found.test is not None
    assert (found.test.regressed, found.test.improved, found.test.p) == (0, 8, 0.0078125)
    assert outcome(found, "max_correctness_drop") == "inconclusive"


@pytest.mark.parametrize(
    ("now", "then", "margin", "expected"),
    [
        pytest.param("1" * 50, "1" * 50, 0.08, "pass", id="equal, worst case −7.1 points"),
        pytest.param("1" * 50, "1" * 50, 0.07, "fail", id="equal, but 50 cases can't exclude −7.1"),
        pytest.param("0" * 3 + "1" * 47, "1" * 50, 0.1, "fail", id="worse"),
        pytest.param("e", "1", 0.1, "fail", id="no pairs"),
    ],
)
def test_non_inferiority(now: str, then: str, margin: float, expected: str) -> None:
    assert outcome(compared(now, then, non_inferiority_margin=margin, max_correctness_drop=None), "non_inferiority_margin") == expected


def priced(cost: float | None, tokens: int | None = None) -> Attempt:
    return case("a", cost_usd=cost, usage=Usage(total_tokens=tokens))


@pytest.mark.parametrize(
    ("now", "then", "limit", "expected"),
    [
        pytest.param(0.12, 0.1, 20, "pass", id="exactly the limit"),
        pytest.param(0.1201, 0.1, 20, "fail", id="beyond"),
        pytest.param(0.1, 0.1, 0, "pass", id="no increase allowed, none came"),
        pytest.param(0.1001, 0.1, 0, "fail", id="no increase allowed, one came"),
        pytest.param(0.01, 0.0, 500, "fail", id="from zero to anything is an increase"),
        pytest.param(0.0, 0.0, 0, "pass", id="zero stays zero"),
        pytest.param(None, 0.1, 20, "fail", id="null is not zero now"),
        pytest.param(0.1, None, 20, "fail", id="null is not zero then"),
    ],
)
def test_cost_increase(now: float | None, then: float | None, limit: float, expected: str) -> None:
    assert outcome(compared(run("", priced(now)), run("", priced(then)), max_cost_increase_pct=limit), "max_cost_increase_pct") == expected


def test_token_increase_is_over_cases_decided_in_both() -> None:
    now = run("", priced(None, 120), case("b", "e", usage=Usage(total_tokens=9000)))
    then = run("", priced(None, 100), case("b", usage=Usage(total_tokens=10)))

    found = gate(compared(now, then, max_token_increase_pct=20), "max_token_increase_pct")

    assert found is not None
    assert found.message == "max_token_increase_pct: total_tokens 120 tokens, +20% over 1 case, limit +20%, baseline 100 tokens"
    assert found.outcome == "pass"


def test_unpriced_cases_are_counted() -> None:
    now, then = run("1", priced(0.1)), run("1", priced(0.1))

    found = gate(compared(now, then, max_cost_increase_pct=5), "max_cost_increase_pct")

    assert found is not None
    assert found.message.endswith("; 1 case unpriced in either run left out")


@pytest.mark.parametrize(
    ("letters", "limits", "name", "expected"),
    [
        ("1e", {}, "fail_on_agent_error", "fail"),
        ("1e", {"fail_on_agent_error": False}, "fail_on_agent_error", None),
        ("1v", {}, "fail_on_evaluator_error", "fail"),
        ("1v", {"fail_on_evaluator_error": False}, "fail_on_evaluator_error", None),
        ("1s", {}, "fail_on_skipped", "fail"),
        ("1s", {"fail_on_skipped": False}, "fail_on_skipped", None),
        ("1u", {}, "fail_on_skipped", "pass"),
        ("11", {}, "fail_on_agent_error", "pass"),
    ],
)
def test_errors_and_skipped_cases(letters: str, limits: dict[str, Any], name: str, expected: str | None) -> None:
    assert outcome(compared(letters, "11", **limits), name) == expected


def test_an_error_gate_names_its_cases() -> None:
    found = gate(compared("e1ee", "1111"), "fail_on_agent_error")

    assert found is not None
    assert found.message == "fail_on_agent_error: 3 of 4 cases with an agent error: c0, c2, c3"
    assert found.cases == ("c0", "c2", "c3")


@pytest.mark.parametrize(
    ("limits", "expected"), [pytest.param({}, "fail", id="default"), pytest.param({"fail_on_missing": False}, None, id="allowed")]
)
def test_a_case_gone_from_the_suite_is_missing(limits: dict[str, Any], expected: str | None) -> None:
    assert outcome(compared("1", "11", **limits), "fail_on_missing") == expected


def test_a_deselected_case_is_not_missing() -> None:
    now = run("1", selection=Selection({"tag": ["smoke"]}, 1))
    named = compare_runs(now, run("11"), GateLimits())

    assert outcome(named, "fail_on_missing") == "pass"


def hallucinating(share: int, n: int) -> list[Attempt]:
    return [scored(f"h{i}", Feeds.HALLUCINATION, passed=i >= share) for i in range(n)]


@pytest.mark.parametrize(
    ("now", "then", "written", "expected"),
    [
        pytest.param([], [], False, None, id="nobody asks for it"),
        pytest.param([], [], True, "fail", id="written, without evidence"),
        pytest.param(hallucinating(1, 10), [], False, "pass", id="1 of 10 is within .10"),
        pytest.param(hallucinating(2, 10), [], False, "fail", id="2 of 10"),
        pytest.param(hallucinating(1, 1), [], False, "fail", id="1 of 1 beside nine that don't ask"),
        pytest.param([case("h0")], hallucinating(0, 1), False, "fail", id="measured then, not now"),
        pytest.param([case("h0", "u")], hallucinating(0, 1), False, None, id="unscored now by request"),
    ],
)
def test_hallucination_gates_where_it_is_measured(now: list[Attempt], then: list[Attempt], written: bool, expected: str | None) -> None:
    limits = GateLimits(written=frozenset({"max_hallucination_rate"} if written else ()))

    found = compare_runs(run("111111111", *now), run("111111111", *then), limits)

    assert outcome(found, "max_hallucination_rate") == expected


def test_evidence_of_deselected_cases_is_not_asked_for() -> None:
    full = run("111", *hallucinating(0, 2), scored("t", Feeds.TOOLS, value=1.0))
    smoke = run("111", selection=Selection({"case_id": ["c0", "c1", "c2"]}, 3))

    found = compare_runs(smoke, full, GateLimits())

    assert {result.gate for result in found.verdict.gates} == {
        "max_correctness_drop",
        "fail_on_agent_error",
        "fail_on_evaluator_error",
        "fail_on_skipped",
        "fail_on_missing",
    }
    assert found.verdict.passed


@pytest.mark.parametrize(("value", "expected"), [(0.9, "pass"), (0.89, "fail")])
def test_tool_accuracy(value: float, expected: str) -> None:
    assert outcome(compared(run("", scored("t", Feeds.TOOLS, value=value)), run("")), "min_tool_accuracy") == expected


@pytest.mark.parametrize(
    ("limits", "name", "expected"),
    [
        ({"min_pass_rate": 0.75}, "min_pass_rate", "pass"),
        ({"min_pass_rate": 0.76}, "min_pass_rate", "fail"),
        ({"max_latency_p95_ms": 100}, "max_latency_p95_ms", "pass"),
        ({"max_latency_p95_ms": 99}, "max_latency_p95_ms", "fail"),
        ({"max_break_rate": 0.5}, "max_break_rate", "fail"),
        ({"min_faithfulness": 0.5}, "min_faithfulness", "fail"),
        ({"min_trajectory_f1": 0.5}, "min_trajectory_f1", "fail"),
        ({"max_flakiness_rate": 0.2}, "max_flakiness_rate", "fail"),
        ({"min_pass_hat_k": PassHatK(2, 0.5)}, "min_pass_hat_k", "fail"),
        ({"critical_tags": ("vip",)}, "critical_tags", "fail"),
    ],
)
def test_optional_gates_fail_beyond_their_limit_or_without_evidence(limits: dict[str, Any], name: str, expected: str) -> None:
    assert outcome(compared("1110", "1110", **limits), name) == expected
    assert outcome(compared("1110", "1110"), name) is None


def test_break_rate_is_of_adversarial_cases() -> None:
    now = run("", case("a", "0", source="adversarial"), case("b", source="adversarial"), case("c", "0"))

    assert outcome(compared(now, now, max_break_rate=0.5), "max_break_rate") == "pass"
    assert outcome(compared(now, now, max_break_rate=0.49), "max_break_rate") == "fail"


def test_trajectories_are_gated_case_by_case() -> None:
    now = run("", scored("good", Feeds.TRAJECTORY, value=1.0), scored("items", Feeds.TRAJECTORY, value=0.8), case("none"))

    found = gate(compared(now, now, min_trajectory_f1=0.9), "min_trajectory_f1")

    assert found is not None
    assert found.message == "min_trajectory_f1: 1 of 2 cases: items 0.80, limit 0.90"
    assert outcome(compared(now, now, min_trajectory_f1=0.8), "min_trajectory_f1") == "pass"


def test_flakiness_is_gated_case_by_case() -> None:
    now = repeated(["11111", "11110", "11100"])

    found = gate(compared(now, "111", max_flakiness_rate=0.2), "max_flakiness_rate")

    assert found is not None
    assert found.message == "max_flakiness_rate: 1 of 3 cases: c2 40%, limit 20%"
    assert outcome(compared(now, "111", max_flakiness_rate=0.4), "max_flakiness_rate") == "pass"


def test_flakiness_without_a_sidecar_names_the_flag() -> None:
    found = gate(compared("1", "1", max_flakiness_rate=0.2), "max_flakiness_rate")

    assert found is not None
    assert found.message == "max_flakiness_rate: no evidence: no repeated case; run with --repeat"


def test_a_repeated_case_with_errors_only_is_no_evidence() -> None:
    assert outcome(compared(repeated(["1ee"]), "1", max_flakiness_rate=0.2), "max_flakiness_rate") == "fail"


@pytest.mark.parametrize(
    ("k", "value", "expected"),
    [
        pytest.param(2, 0.6, "pass", id="4 of 5: pass^2 is .6"),
        pytest.param(2, 0.61, "fail", id="above"),
        pytest.param(6, 0.1, "fail", id="more than were run"),
    ],
)
def test_pass_hat_k(k: int, value: float, expected: str) -> None:
    assert outcome(compared(repeated(["11110"]), "1", min_pass_hat_k=PassHatK(k, value)), "min_pass_hat_k") == expected


@pytest.mark.parametrize(("letter", "expected"), [("1", "pass"), ("0", "fail"), ("e", "fail"), ("v", "fail"), ("s", "fail"), ("u", "pass")])
def test_any_failure_of_a_critical_case_fails(letter: str, expected: str) -> None:
    marked = run("1", case("refund", letter, critical=True))
    tagged = run("1", case("refund", letter, tags=("vip",)))

    assert outcome(compared(marked, marked), "critical_tags") == expected
    assert outcome(compared(tagged, tagged, critical_tags=("vip",)), "critical_tags") == expected


def test_a_misspelt_critical_tag_is_no_green_light() -> None:
    now = run("1", case("a", tags=("vip",)))
    partial = run("1", selection=Selection({"case_id": ["c0"]}, 1))

    found = gate(compared(now, now, critical_tags=("vpi",)), "critical_tags")

    assert found is not None
    assert found.message == "critical_tags: no evidence: no case of the suite has the tag vpi"
    assert outcome(compared(partial, now, critical_tags=("vip",)), "critical_tags") == "not_evaluated"


@pytest.mark.parametrize("role", list(Role))
def test_cases_with_a_role_trip_no_gate(role: Role) -> None:
    now = run("1", case("x", "0", role=role, critical=True), case("y", "e", role=role))

    found = compared(now, run("1", case("x"), case("y")))

    assert found.verdict.passed
    assert outcome(compared(now, None), "every_case_passes") == "pass"


def test_gates_against_the_baseline_wait_for_one() -> None:
    limits = {"max_correctness_drop": 0.05, "max_pass_rate_drop": 0.1, "max_cost_increase_pct": 5, "non_inferiority_margin": 0.1}

    found = compared("11", None, **limits)

    waiting = [result.message for result in found.verdict.gates if result.outcome == "not_evaluated"]
    assert waiting == [
        "max_correctness_drop: not evaluated, no baseline",
        "max_pass_rate_drop: not evaluated, no baseline",
        "non_inferiority_margin: not evaluated, no baseline",
        "max_cost_increase_pct: not evaluated, no baseline",
        "fail_on_missing: not evaluated, no baseline",
    ]
    assert found.verdict.passed


def test_written_gates_of_an_unscored_run_are_not_evaluated() -> None:
    found = compared("uu", "11", max_correctness_drop=0.05, max_hallucination_rate=0.1, min_pass_rate=0.9)

    assert {
        result.outcome
        for result in found.verdict.gates
        if result.gate in ("max_correctness_drop", "max_hallucination_rate", "min_pass_rate")
    } == {"not_evaluated"}
    assert found.verdict.outcome == "not_evaluated"


def test_a_value_never_looks_like_the_limit_that_it_misses() -> None:
    assert beside(0.8958333, 0.9, "score") == "0.896"
    assert beside(0.1034, 0.1, "rate") == "10.3%"
    assert beside(0.89999, 0.9, "score") == "0.89999"
    assert beside(0.9, 0.9, "score") == "0.90"


def test_a_stored_verdict_gives_its_limits_back() -> None:
    limits = GateLimits(max_hallucination_rate=0.25, min_tool_accuracy=0.5, max_correctness_drop=0.2)
    stored = a_run([an_attempt("a"), an_attempt("b")])
    found = recorded_limits(compare_runs(stored, stored, limits).verdict)
    assert found.max_correctness_drop == 0.2
    assert recorded_limits(None) == GateLimits()
