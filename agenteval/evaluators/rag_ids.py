"""``retrieval_f1``, ``citation_f1``, ``citations_exist``: which passages were found and cited, by their ids."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from agenteval._format import of
from agenteval.evaluators.context import Context
from agenteval.evaluators.rag import Share, at_least
from agenteval.model.passages import names_of
from agenteval.model.score import Feeds, Score
from agenteval.suites.shape import Range, Word

_SHOWN = 100
_Ids = list[Word]


@dataclass(frozen=True)
class RetrievalF1:
    """Retrieval found the right passages: F1 of precision and recall over distinct ids, in [0, 1].

    Precision is over the passages retrieved, recall over those that should be; a passage without a name counts as retrieved and wrong. 0
    where nothing was retrieved. Not applicable where the case declares no ids, or where passages were retrieved and none has a name.

    Attributes:
        min: Least F1 that passes.
        relevant: Ids of the passages to find; the case's relevant_context_ids where not given.
    """

    feeds: ClassVar[Feeds] = Feeds.RETRIEVAL
    bar: ClassVar[str] = "min"

    min: Share | None = None
    relevant: _Ids = field(default_factory=list)

    def evaluate(self, context: Context) -> Score:
        """F1; evidence has precision, recall, and the ids found, missing and extra."""
        relevant = list(dict.fromkeys(self.relevant or context.expects.get("relevant_context_ids") or ()))
        if not relevant:
            return Score("retrieval_f1", reason="not applicable: the case declares no relevant_context_ids")
        names = [names_of(passage) for passage in context.attempt.retrieved_context]
        if names and not any(names):
            return Score("retrieval_f1", reason="not applicable: no retrieved passage has an id")
        wanted = set(relevant)
        retrieved = [next((name for name in known if name in wanted), known[0]) for known in names if known]
        score = _f1(relevant, retrieved, unnamed=sum(not known for known in names))
        reason = f"{of(len(score['found']), len(relevant), 'relevant passage')} found"
        reason += _also("missing", score["missing"]) + (_also("also retrieved", score["extra"]) if names else "; nothing was retrieved")
        return Score("retrieval_f1", score["f1"], at_least(score["f1"], self.min), reason, score)


@dataclass(frozen=True)
class CitationF1:
    """The answer cites the right passages: F1 of precision and recall over distinct ids, in [0, 1]; 0 where it cites nothing.

    Not applicable where the case declares no citations; citations_exist is the check that needs none.

    Attributes:
        min: Least F1 that passes.
        expected: Ids to cite; the case's expected_citations where not given.
    """

    feeds: ClassVar[Feeds] = Feeds.CITATIONS
    bar: ClassVar[str] = "min"

    min: Share | None = None
    expected: _Ids = field(default_factory=list)

    def evaluate(self, context: Context) -> Score:
        """F1; evidence has precision, recall, and the ids found, missing and extra."""
        expected = list(dict.fromkeys(self.expected or context.expects.get("expected_citations") or ()))
        if not expected:
            return Score("citation_f1", reason="not applicable: the case declares no expected_citations")
        cited = context.attempt.citations
        score = _f1(expected, cited)
        reason = f"{of(len(score['found']), len(expected), 'expected citation')} made"
        reason += _also("missing", score["missing"]) + (_also("also cited", score["extra"]) if cited else "; the answer cites nothing")
        return Score("citation_f1", score["f1"], at_least(score["f1"], self.min), reason, score)


@dataclass(frozen=True)
class CitationsExist:
    """What the answer cites was retrieved: the share of its distinct citations that name a retrieved passage, in [0, 1].

    It says nothing about whether they are the right ones. Not applicable where the answer cites nothing or nothing was retrieved.

    Attributes:
        min: Least share that passes.
    """

    bar: ClassVar[str] = "min"

    min: Annotated[float, Range(ge=0, le=1)] | None = None

    def evaluate(self, context: Context) -> Score:
        """The share; evidence names the citations that are not among the passages."""
        cited = list(dict.fromkeys(context.attempt.citations))
        known = {name for passage in context.attempt.retrieved_context for name in names_of(passage)}
        if not cited or not known:
            what = "the answer cites nothing" if not cited else "no retrieved passage has an id"
            return Score("citations_exist", reason=f"not applicable: {what}")
        invented = [name for name in cited if name not in known]
        share = 1 - len(invented) / len(cited)
        reason = f"{of(len(cited) - len(invented), len(cited), 'citation')} among the retrieved passages{_also('not there', invented)}"
        return Score("citations_exist", share, at_least(share, self.min), reason, {"extra": invented[:_SHOWN]})


def _f1(wanted: Collection[str], given: Collection[str], unnamed: int = 0) -> dict[str, Any]:
    """Precision, recall and F1 of distinct ids, with those found, missing and extra."""
    distinct = dict.fromkeys(given)
    found = [name for name in wanted if name in distinct]
    total = len(distinct) + unnamed
    return {
        "f1": 2 * len(found) / (total + len(wanted)),
        "precision": len(found) / total if total else 0.0,
        "recall": len(found) / len(wanted),
        "found": found[:_SHOWN],
        "missing": [name for name in wanted if name not in distinct][:_SHOWN],
        "extra": [name for name in distinct if name not in set(wanted)][:_SHOWN],
    }


def _also(what: str, names: list[str]) -> str:
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return f"; {what}: {', '.join(names[:5])}{more}" if names else ""
