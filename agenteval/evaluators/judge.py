"""The judge: a model asked once or several times, its votes counted; whatever goes wrong is an error with a reason, never a verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agenteval._redact import redact
from agenteval.evaluators.questions import VERSION, Ask, about_answer, about_pair
from agenteval.llm.client import ModelClient, ModelError
from agenteval.llm.replies import ReplyError, one_object, reason


@dataclass(frozen=True, slots=True)
class Question:
    """An answer to be judged. ``scale`` is ``binary`` or ``1-10``; ``transcript`` replaces the answer by a whole conversation."""

    prompt: str
    answer: str
    criteria: str | None = None
    ground_truth: str | None = None
    rubric: str | None = None
    transcript: str | None = None
    scale: str = "binary"


@dataclass(frozen=True, slots=True)
class Vote:
    """One reply. ``value`` is what was read out of it, None where ``error`` says why there is nothing."""

    value: Any
    reason: str = ""
    error: str | None = None
    cached: bool = False
    cost_usd: float | None = None
    tokens: int | None = None
    requests: int = 0
    waited_s: float = 0.0
    elapsed_s: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """As scores keep it."""
        record: dict[str, Any] = {"value": list(self.value) if isinstance(self.value, tuple) else self.value}
        for name in ("reason", "error", "cost_usd", "tokens"):
            value = getattr(self, name)
            if value not in (None, ""):
                record[name] = value
        if self.cached:
            record["cached"] = True
        else:
            record["ms"] = round(self.elapsed_s * 1000, 1)
            if self.waited_s >= 0.001:
                record["waited_ms"] = round(self.waited_s * 1000, 1)
            if self.requests > 1:
                record["requests"] = self.requests
        return record


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the votes come to.

    Attributes:
        passed: The majority's verdict of a binary question, else None.
        score: The median of whole points, else None.
        value: The same, or the reply of a question of another kind.
        agreement: Share of the votes that agree with it, in [0, 1]; 0 where there is none.
        error: Why there is no judgement; then everything else is None.
        cost_usd: Sum of the votes; None where one is unpriced; hits of the cache cost nothing.
    """

    passed: bool | None
    score: int | None
    value: Any
    reason: str
    votes: tuple[Vote, ...]
    agreement: float
    model: str
    prompt_version: str
    cost_usd: float | None
    tokens: int | None
    cached: bool
    error: str | None = None

    def evidence(self) -> dict[str, Any]:
        """What a score keeps of it."""
        return {
            "model": self.model,
            "prompt_version": self.prompt_version,
            "votes": [vote.to_json() for vote in self.votes],
            "agreement": round(self.agreement, 4),
            "cost_usd": self.cost_usd,
        }


@dataclass(frozen=True, slots=True)
class Preference:
    """Which of two answers a judge prefers, asked in both orders: ``a``, ``b`` or ``tie``.

    ``consistent`` is False where the orders disagree; the winner is then ``tie``.
    """

    winner: str | None
    consistent: bool
    orders: tuple[str | None, str | None]
    judgements: tuple[Judgement, Judgement]
    error: str | None = None


class Judge:
    """Asks a model and counts its votes; usable from any thread, never raises.

    Args:
        votes: Instead of the number in the client's settings.
    """

    def __init__(self, client: ModelClient, votes: int | None = None) -> None:
        self.client = client
        self.settings = client.settings
        self.votes = votes or client.settings.votes

    def decide(self, question: Question) -> Judgement:
        """The judgement of one answer."""
        return self.ask(
            about_answer(
                question.prompt,
                question.answer,
                criteria=question.criteria,
                ground_truth=question.ground_truth,
                rubric=question.rubric,
                transcript=question.transcript,
                scale=question.scale,
            )
        )

    def ask(self, asked: Ask, first_vote: int = 0) -> Judgement:
        """The judgement of any question."""
        votes = tuple(self._vote(asked, number) for number in range(first_vote, first_vote + self.votes))
        return _counted(votes, self.settings.model)

    def prefer(self, prompt: str, a: str, b: str, *, criteria: str | None = None) -> Preference:
        """Which answer is better, asked as (a, b) and as (b, a)."""
        there, back = self.ask(about_pair(prompt, a, b, criteria=criteria)), self.ask(about_pair(prompt, b, a, criteria=criteria))
        if error := there.error or back.error:
            return Preference(None, False, (None, None), (there, back), error)
        orders = (_NAMES[there.value], _SWAPPED[back.value])
        same = orders[0] == orders[1]
        return Preference(orders[0] if same else "tie", same, orders, (there, back))

    def _vote(self, asked: Ask, number: int, anew: bool = False) -> Vote:
        try:
            completion = self.client.ask(asked.prompt, schema=asked.schema, name=asked.name, vote=number, anew=anew)
        except ModelError as error:
            return Vote(None, error=f"{error.kind}: {error}", cost_usd=error.cost_usd, requests=int(error.replied))
        except Exception as error:  # the client's and the network's own; one judgement must not cost another
            return Vote(None, error=redact(f"{type(error).__name__}: {error}"))
        told: dict[str, Any] = {
            "cached": completion.cached,
            "cost_usd": completion.cost_usd,
            "tokens": completion.usage.total,
            "requests": completion.requests,
            "waited_s": completion.waited_s,
            "elapsed_s": completion.elapsed_s,
        }
        try:
            reply = one_object(completion.text)
            value = asked.read(reply)
        except ReplyError as error:
            if completion.cached:  # damaged on disk, or by the redaction of a secret
                return self._vote(asked, number, anew=True)
            return Vote(None, error=redact(f"the judge's reply {error}"), **told)
        self.client.keep(completion)
        return Vote(value, redact(reason(reply))[:600], **told)


_NAMES = {"first": "a", "second": "b", "tie": "tie"}
_SWAPPED = {"first": "b", "second": "a", "tie": "tie"}


def _counted(votes: tuple[Vote, ...], model: str) -> Judgement:
    valid = [vote for vote in votes if vote.error is None]
    known = [vote.cost_usd for vote in votes if vote.error is None or vote.requests]
    cost = None if any(each is None for each in known) or not known else sum(each for each in known if each is not None)
    tokens = [vote.tokens for vote in votes if vote.tokens is not None and not vote.cached]
    totals: dict[str, Any] = {
        "votes": votes,
        "model": model,
        "prompt_version": VERSION,
        "cost_usd": cost,
        "tokens": sum(tokens) if tokens else None,
        "cached": bool(votes) and all(vote.cached for vote in votes),
    }
    value, backing, error = _majority(votes, valid)
    if error is not None:
        return Judgement(None, None, None, "", agreement=0.0, error=error, **totals)
    told = next((vote.reason for vote in valid if vote.value == value and vote.reason), "")
    passed = value if isinstance(value, bool) else None
    score = value if isinstance(value, int) and not isinstance(value, bool) else None
    return Judgement(passed, score, value, told, agreement=backing, error=None, **totals)


def _majority(votes: Sequence[Vote], valid: Sequence[Vote]) -> tuple[Any, float, str | None]:
    """The value that more than half of all votes back (whole points: the median of more than half of them), and the share that backs it."""
    first_error = next((vote.error for vote in votes if vote.error), "no vote")
    if 2 * len(valid) <= len(votes):
        return None, 0.0, first_error if len(votes) == 1 else f"{len(votes) - len(valid)} of {len(votes)} votes failed: {first_error}"
    values = [vote.value for vote in valid]
    if all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        middle = sorted(values)[(len(values) - 1) // 2]
        return middle, sum(value == middle for value in values) / len(values), None
    value, backers = Counter(values).most_common(1)[0]
    if 2 * backers <= len(votes):
        failed = len(votes) - len(valid)
        return None, 0.0, f"no majority among {len(votes)} votes" + (f", {failed} of which failed: {first_error}" if failed else "")
    return value, backers / len(values), None


def text_of(value: Any) -> str | None:
    """A criterion, truth or rubric as the judge reads it: text as it is, lists a line each, mappings ``key: value``."""
    if value is None:
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return "\n".join(f"{key}: {text_of(entry)}" for key, entry in value.items())
    if isinstance(value, (list, tuple)):
        return "\n".join(f"- {text_of(entry)}" for entry in value)
    return str(value).lower() if isinstance(value, bool) else str(value)
