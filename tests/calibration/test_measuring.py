"""From verdicts to a calibration."""

from __future__ import annotations

from threading import Event

import pytest

from agenteval.calibration.asking import recorded
from agenteval.calibration.golden_set import GoldenItem, GoldenSet
from agenteval.calibration.measuring import measured
from agenteval.calibration.session import ask
from agenteval.evaluators.judge import Judgement, Question
from agenteval.model.calibration import Calibration, Kind, LengthBias, LengthOfWinner, Standing
from tests.calibration.judges import FirstPlaceJudge, ScriptedJudge, a_judgement


def a_set(*items: GoldenItem, kind: Kind = Kind.BINARY) -> GoldenSet:
    return GoldenSet("set.yaml", kind, items, "hash")


def an_item(name: str, human: bool | int | str, **more: object) -> GoldenItem:
    return GoldenItem(name, "p", name, human, **more)  # type: ignore[arg-type]


def calibration(golden: GoldenSet, judge: ScriptedJudge, threshold: float = 0.6, **how: bool) -> Calibration:
    items, cost = ask(judge, golden, **how)
    return measured("bot", golden, items, timestamp="2026-11-30T12:00:00.000Z", threshold=threshold, cost_usd=cost)


def test_the_example_of_agenteval_03_comes_out_the_same() -> None:
    """Three good and three bad answers, two of the bad ones passed: agreement 4/6, kappa 1/3."""
    golden = a_set(*(an_item(f"good{n}", True) for n in range(3)), *(an_item(f"bad{n}", False) for n in range(3)))

    found = calibration(golden, ScriptedJudge({**{f"good{n}": True for n in range(3)}, "bad0": True, "bad1": True, "bad2": False}))

    assert round(found.agreement.value or 0, 6) == 0.666667
    assert round(found.kappa or 0, 6) == 0.333333
    assert (found.interpretation, found.below_threshold, found.standing) == ("fair", True, Standing.BELOW)
    assert found.mismatches == ("bad0", "bad1")
    assert found.confusion is not None
    assert found.confusion.labels == ("good", "bad")
    assert found.confusion.table == ((3, 0), (2, 1))
    assert found.sensitivity is not None and (found.sensitivity.value, found.sensitivity.n) == (1.0, 3)
    assert found.specificity is not None and (found.specificity.value, found.specificity.n) == (1 / 3, 3)


def test_errors_of_the_judge_are_in_no_figure() -> None:
    golden = a_set(an_item("a", True), an_item("b", False), an_item("lost", False), an_item("gone", True))

    found = calibration(golden, ScriptedJudge({"a": True, "b": False}))

    assert (found.n_cases, found.n, found.errors) == (4, 2, 2)
    assert found.agreement.value == 1.0
    assert found.agreement.left_out == {"errors": 2}
    assert found.mismatches == ()
    assert [item.error for item in found.items if item.judge is None] == ["timeout: no reply within the time-out"] * 2


def test_a_judge_that_fails_everywhere_or_varies_nowhere_is_below_every_threshold() -> None:
    nothing = calibration(a_set(an_item("a", True)), ScriptedJudge({}), threshold=-1.0)
    same = calibration(a_set(an_item("a", True), an_item("b", True)), ScriptedJudge({"a": True, "b": True}), threshold=-1.0)

    for found in (nothing, same):
        assert (found.kappa, found.interpretation, found.below_threshold) == (None, None, True)


def test_a_judge_that_passes_everything_has_kappa_zero() -> None:
    golden = a_set(*(an_item(f"good{n}", True) for n in range(9)), an_item("bad", False))

    found = calibration(golden, ScriptedJudge({item.id: True for item in golden.items}))

    assert (found.kappa, found.agreement.value, found.low) == (0.0, 0.9, None)


def test_few_answers_prove_nothing_and_many_do() -> None:
    def of(each: int) -> Calibration:
        golden = a_set(*(an_item(f"good{n}", True) for n in range(each)), *(an_item(f"bad{n}", False) for n in range(each)))
        script = {item.id: bool(item.human) for item in golden.items} | {"good0": False}
        return calibration(golden, ScriptedJudge(script))

    assert of(6).standing is Standing.UNPROVEN
    assert (of(6).needed or 0) > 12
    assert of(60).standing is Standing.TRUSTED
    assert of(60).needed is None


def test_marks_are_compared_with_quadratic_weights_and_the_furthest_apart_come_first() -> None:
    golden = a_set(*(an_item(f"m{mark}", mark) for mark in range(1, 11)), kind=Kind.MARKS)
    judge = ScriptedJudge({**{f"m{mark}": mark for mark in range(1, 11)}, "m2": 3, "m9": 4})

    found = calibration(golden, judge)

    assert {question.scale for question in judge.questions} == {"1-10"}
    assert (found.weights, found.agreement.value) == ("quadratic", 0.8)
    assert found.mismatches == ("m9", "m2")
    # 7, 8, 9 and 10 are good; of these the judge fails 9. All six others are bad, and it fails them too.
    assert found.sensitivity is not None and (found.sensitivity.value, found.sensitivity.n) == (0.75, 4)
    assert found.specificity is not None and (found.specificity.value, found.specificity.n) == (1.0, 6)


def test_marks_against_good_and_bad_pass_from_seven_on_and_find_a_better_mark() -> None:
    golden = a_set(*(an_item(f"good{n}", True) for n in range(20)), *(an_item(f"bad{n}", False) for n in range(20)))
    judge = ScriptedJudge({item.id: 6 if item.human else 3 for item in golden.items})

    found = calibration(golden, judge, marks=True)

    assert found.sensitivity is not None and found.sensitivity.value == 0.0
    assert {item.mark for item in found.items} == {6, 3}
    assert found.pass_mark is not None
    assert (found.pass_mark.mark, found.pass_mark.tested_on, found.pass_mark.kappa) == (6, 20, 1.0)


def test_a_judge_that_prefers_the_first_place_is_found_out() -> None:
    pairs = [an_item(f"p{n}", "A", other_answer="other") for n in range(8)] + [an_item("", "B", other_answer="longer")]

    found = calibration(a_set(*pairs, kind=Kind.PAIRS), FirstPlaceJudge())

    assert found.position is not None
    assert (found.position.n, found.position.same, found.position.first, found.position.second) == (9, 1, 8, 0)
    assert found.position.p == 2 / 2**8
    assert {item.judge for item in found.items[:8]} == {"tie"}
    assert "two orders disagree" in found.items[0].reason


def test_length_is_looked_at_in_answers_and_in_pairs() -> None:
    answers = a_set(*(GoldenItem(f"i{n}", "p", "x" * (n + 1), n % 2 == 0) for n in range(12)))
    pairs = a_set(*(GoldenItem(f"i{n}", "p", "long", "B", other_answer="b", recorded="A") for n in range(3)), kind=Kind.PAIRS)

    of_answers = calibration(answers, ScriptedJudge({"x" * (n + 1): n >= 6 for n in range(12)}))
    of_pairs = measured("bot", pairs, [recorded(item) for item in pairs.items], timestamp="2026-11-30T12:00:00Z", threshold=0.6)

    assert isinstance(of_answers.length, LengthBias)
    assert (of_answers.length.longer, of_answers.length.shorter) == (0.5, -0.5)
    assert of_pairs.length == LengthOfWinner(3, 3, 0, 0.25)


def test_texts_are_kept_where_someone_will_read_them() -> None:
    found = calibration(
        a_set(an_item("right", True), an_item("wrong", False), an_item("lost", True)), ScriptedJudge({"right": True, "wrong": True})
    )

    assert [item.answer for item in found.items] == [None, "wrong", "lost"]


def test_an_unpriced_judgement_leaves_the_cost_unknown() -> None:
    assert calibration(a_set(an_item("a", True), an_item("b", False)), ScriptedJudge({"a": True, "b": False})).cost_usd == 0.5


def test_recorded_verdicts_of_another_kind_are_errors() -> None:
    kinds = [recorded(an_item("a", True, recorded="A")), recorded(an_item("b", 7, recorded=True)), recorded(an_item("c", True))]

    assert [item.judge for item in kinds] == [None, None, None]
    assert kinds[2].error == "no verdict recorded"
    assert recorded(an_item("d", True, recorded=8)).judge is True


def test_after_an_interrupt_nothing_more_is_asked() -> None:
    interrupted = Event()

    class Waiting(ScriptedJudge):
        def decide(self, question: Question) -> Judgement:
            self.questions.append(question)
            if len(self.questions) > 1:
                interrupted.wait(0.2)  # set by nobody: the time in which the others are called off
            return a_judgement(passed=True)

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    judge = Waiting({})
    with pytest.raises(KeyboardInterrupt):
        ask(judge, a_set(*(an_item(f"i{n}", True) for n in range(200))), concurrency=1, progress=interrupt)

    assert len(judge.questions) <= 3
