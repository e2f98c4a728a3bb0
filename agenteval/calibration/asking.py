"""The judge's verdict on each item of a golden set: asked now, or as recorded in the set."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from typing import Any, Protocol

from agenteval.calibration.golden_set import GoldenItem
from agenteval.evaluators.judge import Judgement, Preference, Question
from agenteval.model.calibration import PASSES, JudgedItem, Label

_NAMES: dict[str | None, str] = {"a": "A", "b": "B", "tie": "tie"}
_LONGEST_TEXT = 4000
"""Characters kept of a text where judge and people disagree."""


class Asked(Protocol):
    """What is used of ``agenteval.evaluators.judge.Judge``."""

    def decide(self, question: Question) -> Judgement: ...

    def prefer(self, prompt: str, a: str, b: str, *, criteria: str | None = None) -> Preference: ...


def ask_all(
    judge: Asked, items: Sequence[GoldenItem], *, marks: bool = False, concurrency: int = 4
) -> Iterator[tuple[JudgedItem, float | None]]:
    """Every item with the judge's verdict and its cost in USD (None: unpriced), in order, as they are ready.

    An interrupt ends it at once: nothing more is asked, and what was asked is not waited for.

    Args:
        marks: Whether the judge is asked for marks, of which ``PASSES`` and more is good, where people said good or not.
    """
    told: list[Future[tuple[JudgedItem, float | None]]] = [Future() for _ in items]
    left = deque(zip(items, told, strict=True))

    def work() -> None:
        while True:
            try:
                item, future = left.popleft()
            except IndexError:
                return
            try:
                future.set_result(_asked(judge, item, marks))
            except BaseException as error:
                future.set_exception(error)

    for _ in range(min(concurrency, len(items))):
        threading.Thread(target=work, name="calibrate", daemon=True).start()
    try:
        for future in told:
            yield future.result()
    finally:
        left.clear()


def recorded(item: GoldenItem) -> JudgedItem:
    """The item with the verdict that stands in the golden set."""
    verdict: Label | None = item.recorded
    mark = None
    if isinstance(item.human, bool) and type(verdict) is int:
        mark, verdict = verdict, verdict >= PASSES
    error = "no verdict recorded" if verdict is None else None
    if verdict is not None and isinstance(item.human, bool) is not isinstance(verdict, bool):
        verdict, error = None, "the recorded verdict is not of the kind that people gave"
    swapped = item.recorded_swapped
    orders = (verdict, swapped) if isinstance(verdict, str) and swapped is not None else None
    return _told(item, verdict, reason=item.recorded_reason, error=error, mark=mark, orders=orders)


def _asked(judge: Asked, item: GoldenItem, marks: bool) -> tuple[JudgedItem, float | None]:
    if item.other_answer is not None:
        return _preferred(judge, item, item.other_answer)
    scale = "1-10" if marks or not isinstance(item.human, bool) else "binary"
    said = judge.decide(Question(item.prompt, item.answer, criteria=item.criteria, ground_truth=item.ground_truth, scale=scale))
    verdict: Label | None = said.passed if scale == "binary" else said.score
    mark = None
    if isinstance(item.human, bool) and said.score is not None:
        mark, verdict = said.score, said.score >= PASSES
    error = said.error or ("the judge gave no verdict" if verdict is None else None)
    told = _told(item, verdict, reason=said.reason, error=error, mark=mark, backing=None if error else said.agreement)
    return told, said.cost_usd


def _preferred(judge: Asked, item: GoldenItem, other: str) -> tuple[JudgedItem, float | None]:
    said = judge.prefer(item.prompt, item.answer, other, criteria=item.criteria)
    costs = [judgement.cost_usd for judgement in said.judgements]
    cost = None if None in costs else sum(each for each in costs if each is not None)
    there, back = said.orders
    reason = next((judgement.reason for judgement in said.judgements if judgement.reason), "")
    if said.error is not None or said.winner is None:
        return _told(item, None, error=said.error or "the judge gave no verdict"), cost
    reason = reason if said.consistent else f"the two orders disagree: {_NAMES[there]}, then {_NAMES[back]}"
    return _told(item, _NAMES[said.winner], reason=reason, orders=(_NAMES[there], _NAMES[back])), cost


def _told(item: GoldenItem, verdict: Label | None, *, error: str | None = None, **more: Any) -> JudgedItem:
    """The item; its texts only where someone will want to read them."""
    if error is not None:
        verdict = None
    if verdict is not None and verdict == item.human:
        return JudgedItem(item.id, item.human, verdict, error=error, **more)
    return JudgedItem(
        item.id,
        item.human,
        verdict,
        error=error,
        prompt=item.prompt[:_LONGEST_TEXT],
        answer=item.answer[:_LONGEST_TEXT],
        other_answer=None if item.other_answer is None else item.other_answer[:_LONGEST_TEXT],
        ground_truth=None if item.ground_truth is None else item.ground_truth[:_LONGEST_TEXT],
        **more,
    )
