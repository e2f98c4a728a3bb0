"""What retrieval and grounding found of one attempt, as rows: sentences, ids, repeated calls. Files of any age and make are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from agenteval.model.attempt import Attempt
from agenteval.model.score import Feeds, Score

if TYPE_CHECKING:
    import pandas as pd

CLAIM_COLUMNS = ("turn", "supported", "sentence", "share", "passage", "why")


class ClaimRow(NamedTuple):
    """One sentence of an answer, held against the context.

    Attributes:
        turn: From 1; 0 outside conversations.
        share: Of its words and figures, those in the context, in [0, 1]; None where not recorded.
        passage, why: "" where there is none.
    """

    turn: int
    supported: bool
    sentence: str
    share: float | None
    passage: str
    why: str


class Ids(NamedTuple):
    """Which ids were due, and which of them were found, missing or found beside them; ``what`` is retrieval or citations."""

    what: str
    turn: int
    found: Sequence[str]
    missing: Sequence[str]
    extra: Sequence[str]


class Repeated(NamedTuple):
    """One call that was made more than once with the same arguments (as JSON, clipped)."""

    name: str
    arguments: str
    calls: int


def claim_rows(attempt: Attempt) -> list[ClaimRow]:
    """The sentences that ``faithfulness`` judged, unsupported ones first, else in order; at most 100 a turn."""
    rows = [
        ClaimRow(
            turn,
            claim.get("supported") is True,
            _text(claim.get("sentence")),
            _number(claim.get("share")),
            _text(claim.get("passage")),
            _text(claim.get("why")),
        )
        for turn, score in _scores(attempt, Feeds.FAITHFULNESS)
        for claim in _mappings(score.evidence.get("claims"))
    ]
    return sorted(rows, key=lambda row: row.supported)


def id_rows(attempt: Attempt) -> list[Ids]:
    """Found, missing and extra ids of retrieval and citations, where the case declares which are due."""
    return [
        Ids(what, turn, *(_texts(score.evidence.get(key)) for key in ("found", "missing", "extra")))
        for what, feeds in (("retrieval", Feeds.RETRIEVAL), ("citations", Feeds.CITATIONS))
        for turn, score in _scores(attempt, feeds)
        if "found" in score.evidence
    ]


def repeated_calls(attempt: Attempt) -> list[Repeated]:
    """Tool calls that were made more than once with the same arguments; recorded where the case declares tools and steps are kept."""
    return [
        Repeated(_text(call.get("name")), _text(call.get("arguments")), int(_number(call.get("calls")) or 0))
        for _, score in _scores(attempt, Feeds.TOOL_EFFICIENCY)
        for call in _mappings(score.evidence.get("repeated"))
    ]


def claim_table(attempt: Attempt) -> pd.DataFrame:
    """``claim_rows`` as a table with ``CLAIM_COLUMNS``."""
    import pandas as pd

    frame = pd.DataFrame([row._asdict() for row in claim_rows(attempt)], columns=list(CLAIM_COLUMNS))
    return frame.astype({"share": "float64"})


def _scores(attempt: Attempt, feeds: Feeds) -> Iterator[tuple[int, Score]]:
    for turn, part in enumerate((attempt, *attempt.turns)):
        for score in part.scores:
            if score.feeds is feeds and isinstance(score.evidence, Mapping):
                yield turn, score


def _mappings(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list | tuple) else []


def _texts(value: Any) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list | tuple) else []


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
