"""What retrieval and grounding found, as rows, from files of any age."""

from __future__ import annotations

from agenteval.charts.grounding import CLAIM_COLUMNS, ClaimRow, Ids, Repeated, claim_rows, claim_table, id_rows, repeated_calls
from agenteval.model.score import Feeds, Score
from tests.builders import an_attempt


def a_score(feeds: Feeds, **evidence: object) -> Score:
    return Score(feeds.value, 0.5, feeds=feeds, required=False, evidence=evidence)


GOOD = {"sentence": "Tokyo is large.", "supported": True, "share": 1.0, "passage": "d1"}
BAD = {"sentence": "It has 9 seas.", "supported": False, "share": 0.25, "passage": None, "why": "the context does not state 9"}


def test_unsupported_sentences_come_first_and_turns_are_named() -> None:
    turn = an_attempt("a::turn1", scores=(a_score(Feeds.FAITHFULNESS, claims=[BAD]),))
    attempt = an_attempt("a", scores=(a_score(Feeds.FAITHFULNESS, claims=[GOOD]),), turns=(an_attempt("a::turn0"), turn))

    assert claim_rows(attempt) == [
        ClaimRow(2, False, "It has 9 seas.", 0.25, "", "the context does not state 9"),
        ClaimRow(0, True, "Tokyo is large.", 1.0, "d1", ""),
    ]
    assert list(claim_table(attempt).columns) == list(CLAIM_COLUMNS)
    assert claim_table(attempt)["share"].tolist() == [0.25, 1.0]


def test_ids_are_told_where_the_case_declares_them() -> None:
    retrieval = a_score(Feeds.RETRIEVAL, found=["d1"], missing=["d2"], extra=[])
    citations = Score("citation_f1", reason="not applicable: the case declares no expected_citations", feeds=Feeds.CITATIONS)

    assert id_rows(an_attempt("a", scores=(retrieval, citations))) == [Ids("retrieval", 0, ["d1"], ["d2"], [])]


def test_repeated_calls_are_told_with_their_arguments() -> None:
    score = a_score(Feeds.TOOL_EFFICIENCY, redundant_calls=2, repeated=[{"name": "search", "arguments": '{"q": 1}', "calls": 3}])

    assert repeated_calls(an_attempt("a", scores=(score,))) == [Repeated("search", '{"q": 1}', 3)]


def test_evidence_of_another_make_gives_no_rows() -> None:
    scores = (
        a_score(Feeds.FAITHFULNESS, faithfulness=0.3, missing_citations=[]),  # as AgentEval 0.3 recorded it
        a_score(Feeds.RETRIEVAL, f1=1.0),
        a_score(Feeds.TOOL_EFFICIENCY, redundant_calls=1),
        a_score(Feeds.FAITHFULNESS, claims="text", repeated=3),
        a_score(Feeds.FAITHFULNESS, claims=[1, {"sentence": None, "share": "much"}]),
    )
    attempt = an_attempt("a", scores=scores)

    assert claim_rows(attempt) == [ClaimRow(0, False, "", None, "", "")]
    assert (id_rows(attempt), repeated_calls(attempt)) == ([], [])
    assert len(claim_table(an_attempt("b"))) == 0
