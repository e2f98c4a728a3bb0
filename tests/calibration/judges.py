"""Judges by hand, of the shape of ``agenteval.evaluators.judge.Judge``."""

from __future__ import annotations

from collections.abc import Mapping

from agenteval.evaluators.judge import Judgement, Preference, Question


def a_judgement(
    passed: bool | None = None, score: int | None = None, error: str | None = None, reason: str = "because", cost: float | None = 0.25
) -> Judgement:
    value = passed if passed is not None else score
    return Judgement(passed, score, value, reason, (), 1.0 if error is None else 0.0, "small-1", "1", cost, 10, False, error)


class ScriptedJudge:
    """Says of each answer what the script says; an answer that is not in it is an error."""

    def __init__(self, script: Mapping[str, bool | int]) -> None:
        self.script = script
        self.questions: list[Question] = []

    def decide(self, question: Question) -> Judgement:
        self.questions.append(question)
        verdict = self.script.get(question.answer)
        if verdict is None:
            return a_judgement(error="timeout: no reply within the time-out", cost=0.0)
        return a_judgement(passed=verdict) if isinstance(verdict, bool) else a_judgement(score=verdict)

    def prefer(self, prompt: str, a: str, b: str, *, criteria: str | None = None) -> Preference:
        raise AssertionError("no pair was to be judged")


class FirstPlaceJudge(ScriptedJudge):
    """Prefers whichever answer stands first, unless one of them is empty."""

    def __init__(self) -> None:
        super().__init__({})

    def prefer(self, prompt: str, a: str, b: str, *, criteria: str | None = None) -> Preference:
        there, back = ("a", "b") if a and b else ("a", "a") if a else ("b", "b")
        both = (a_judgement(passed=True), a_judgement(passed=True))
        return Preference(there if there == back else "tie", there == back, (there, back), both)
