"""Retrieval and grounding: what is supported, what is denied, what is not measured."""

from __future__ import annotations

import re
from typing import Any

import pytest

from agenteval.evaluators import Context, compile_case, observe
from agenteval.model.attempt import Attempt
from agenteval.model.score import Score
from agenteval.model.status import Status
from agenteval.suites.suite import Case
from tests.evaluators.judging import a_case, problems_of, score, scores_of, spec
from tests.evaluators.test_docs import SECTIONS

CAPITAL = "Tokyo is the capital of Japan."


def context(*texts: str) -> tuple[dict[str, str], ...]:
    return tuple({"id": f"d{number}", "text": text} for number, text in enumerate(texts, 1))


def faithful(answer: str, *texts: str) -> float | None:
    return score("faithfulness", 0.8, answer, retrieved_context=context(*texts)).value


def observed(case: Case, output: str = "", **evidence: Any) -> dict[str, Score]:
    compiled, problems = compile_case(case)
    assert problems == []
    attempt = Attempt("a", Status.UNSCORED, output=output, **evidence)
    return {found.name: found for found in observe(compiled.checks, Context(attempt, case.prompt, case.expects))}


@pytest.mark.parametrize(
    ("answer", "passage", "value"),
    [
        pytest.param(CAPITAL, CAPITAL, 1.0, id="same words"),
        pytest.param("Tokyo is not the capital of Japan.", CAPITAL, 0.0, id="answer denies"),
        pytest.param("Tokyo isn't the capital of Japan.", CAPITAL, 0.0, id="answer denies in short"),
        pytest.param(CAPITAL, "Tokyo is not the capital of Japan.", 0.0, id="context denies"),
        pytest.param("Tokyo is not the capital of Japan.", "Tokyo is not the capital of Japan.", 1.0, id="both deny"),
        pytest.param("No refunds after 30 days.", "Refunds are not possible after 30 days.", 1.0, id="both deny in other words"),
        pytest.param("Refunds within 30 days.", "Refunds within 30 days, but not for sale items.", 1.0, id="context denies something else"),
        pytest.param("Sale items get refunds.", "Refunds within 30 days, but not for sale items.", 0.0, id="context denies this"),
        pytest.param("You can return items in 30 days.", "Refunds in 30 days, but not for sale items.", 1.0, id="another clause denied"),
        pytest.param("The old shop in Leeds is not open.", "The old shop in Leeds is open.", 0.0, id="a long sentence denied at its end"),
        pytest.param("Gift cards can be exchanged.", "Gift cards never expire and can be exchanged.", 1.0, id="a denial ends at and can"),
        pytest.param("They can be exchanged.", "Gift cards never expire and can not be exchanged.", 0.0, id="a denial after and can"),
        pytest.param("Tokyo is large, but it is not the capital of Japan.", f"Tokyo is large. {CAPITAL}", 0.0, id="one clause is enough"),
        pytest.param("Not only Tokyo but also Osaka is large.", "Tokyo and Osaka are large.", 1.0, id="not only denies nothing"),
        pytest.param("Die Filiale ist nicht offen.", "Die Filiale ist offen.", 0.0, id="German"),
        pytest.param("东京是日本的首都。", "东京是日本的首都。人口很多。", 1.0, id="Chinese"),
        pytest.param("东京不是日本的首都。", "东京是日本的首都。", 0.0, id="Chinese denies"),
        pytest.param("東京は日本の首都ではありません。", "東京は日本の首都です。", 0.0, id="Japanese denies"),
        pytest.param("दिल्ली भारत की राजधानी है।", "दिल्ली भारत की राजधानी है।", 1.0, id="Hindi"),
        pytest.param("กรุงเทพเป็นเมืองหลวง", "กรุงเทพเป็นเมืองหลวงของไทย", 1.0, id="Thai"),
        pytest.param("Bananas grow quickly.", CAPITAL, 0.0, id="other words"),
        pytest.param("It has 60 rooms.", "It has 30 rooms.", 0.0, id="other figure"),
        pytest.param("It costs $1.2M.", "It costs 1,200,000 dollars.", 1.0, id="figure written otherwise"),
        pytest.param("It has 12 rooms.", "It has twelve rooms.", 1.0, id="figure in words"),
        pytest.param("It weighs 3.014 kg.", "It weighs 3.02 kg.", 1.0, id="figure within .01"),
        pytest.param("It weighs 3.0 kg.", "It weighs 3.02 kg.", 0.0, id="figure beyond .01"),
        pytest.param("1. Tokyo is the capital.", CAPITAL, 1.0, id="list marker"),
        pytest.param("1. Tokyo is the capital.\n2. Bananas grow quickly.", CAPITAL, 0.5, id="numbered list"),
        pytest.param("Facts: 1. Tokyo is the capital. 2. Bananas grow quickly.", CAPITAL, 0.5, id="numbering inside a line"),
        pytest.param("* Tokyo is the **capital**\n* Japan has Tokyo", CAPITAL, 1.0, id="bullets"),
        pytest.param("Tokyo is the capital [1], of Japan [d1].", CAPITAL, 1.0, id="marks of citations"),
        pytest.param("Dr. Ito lives in Tokyo.", "Dr. Ito lives in Tokyo.", 1.0, id="abbreviation"),
        pytest.param("Tokyo is the capital. Shall I go on?", CAPITAL, 1.0, id="question asserts nothing"),
        pytest.param("Here is what I found:\nTokyo is the capital.", CAPITAL, 1.0, id="announcement asserts nothing"),
        pytest.param("Tokyo is the capital. I don't know its mayor.", CAPITAL, 1.0, id="not knowing asserts nothing"),
        pytest.param("I can't find it.", CAPITAL, None, id="refusal"),
        pytest.param("The documents do not mention it.", CAPITAL, None, id="refusal by the documents"),
        pytest.param("", CAPITAL, None, id="no answer"),
        pytest.param("Yes.", CAPITAL, None, id="no content words"),
        pytest.param("42.", "It is 42.", 1.0, id="a figure alone"),
    ],
)  # fmt: skip
def test_a_sentence_is_supported_by_its_words_its_figures_and_no_denial(answer: str, passage: str, value: float | None) -> None:
    assert faithful(answer, passage) == value


def test_a_sentence_that_stands_in_two_passages_counts_for_both() -> None:
    found = observed(a_case({"ground_truth": "x"}, prompt="Tokyo?"), "x", retrieved_context=context(CAPITAL, CAPITAL))

    assert found["context_relevance"].evidence["passages"] == [{"passage": "d1", "share": 1.0}, {"passage": "d2", "share": 1.0}]


def test_half_of_the_words_are_enough_and_less_is_not() -> None:
    assert faithful("Tokyo charms tourists, Japan.", CAPITAL) == 1.0  # 2 of 4
    assert faithful("Tokyo charms many tourists daily, Japan.", CAPITAL) == 0.0  # 2 of 5; many is a function word


def test_the_evidence_names_each_sentence_its_share_and_its_passage() -> None:
    found = score("faithfulness", 0.8, "Tokyo is the capital. It has 14 million people.", retrieved_context=context("Osaka.", CAPITAL))

    assert (found.value, found.passed) == (0.5, False)
    assert found.evidence == {
        "supported": 1,
        "of": 2,
        "claims": [
            {"sentence": "Tokyo is the capital.", "supported": True, "share": 1.0, "passage": "d2"},
            {
                "sentence": "It has 14 million people.",
                "supported": False,
                "share": 0.0,
                "passage": None,
                "why": "the context does not state 14 million",
            },
        ],
    }
    assert found.reason == (
        "1 of 2 sentences supported by the context; not “It has 14 million people.”: the context does not state 14 million"
    )


def test_a_long_passage_does_not_lower_relevance() -> None:
    case = a_case({"ground_truth": "x"}, prompt="What is the capital of Japan?")
    long = f"{CAPITAL} {'Rice grows well there in summer. ' * 60}"

    assert observed(case, "x", retrieved_context=context(CAPITAL))["context_relevance"].value == 1.0
    assert observed(case, "x", retrieved_context=context(long))["context_relevance"].value == 1.0


def test_relevance_is_the_share_of_the_prompts_content_words() -> None:
    case = a_case({"ground_truth": "x"}, prompt="What do refunds cost in Rome?")
    found = observed(case, "x", retrieved_context=context("A refund is free.", "Rome is old."))["context_relevance"]

    assert found.value == pytest.approx(2 / 3)
    assert found.evidence == {
        "missing": ["cost"],
        "passages": [{"passage": "d1", "share": 0.333}, {"passage": "d2", "share": 0.333}],
    }


def test_only_the_context_supports_a_figure() -> None:
    found = scores_of(
        a_case({"ground_truth": "30"}, prompt="Is it 60 days?", evaluators=(spec("unsupported_claim_rate", 0),)),
        "It is 60 days, not 90, as of version 1.2.3 [1]; see page 12. 30% of cases.",
        retrieved_context=context("The share is 0.3."),
    )[1]

    assert (found.value, found.passed) == (0.5, False)
    assert found.evidence == {"figures": 2, "unsupported": ["60"]}


def test_an_answer_without_figures_has_no_rate() -> None:
    found = score("unsupported_claim_rate", 0, "Tokyo [1].", retrieved_context=context(CAPITAL))

    assert (found.value, found.passed, found.reason) == (None, None, "not applicable: the answer states no figure")


@pytest.mark.parametrize(
    ("retrieved", "f1", "precision", "recall"),
    [
        pytest.param(["d1", "d2"], 1.0, 1.0, 1.0, id="both"),
        pytest.param(["d1", "d1", "d1"], 2 / 3, 1.0, 0.5, id="chunks of one count once"),
        pytest.param(["d1", "x", "y"], 0.4, 1 / 3, 0.5, id="one among others"),
        pytest.param(["x"], 0.0, 0.0, 0.0, id="wrong"),
        pytest.param([], 0.0, 0.0, 0.0, id="nothing"),
    ],
)
def test_retrieval_is_judged_by_distinct_ids(retrieved: list[str], f1: float, precision: float, recall: float) -> None:
    passages = tuple({"id": name, "text": "t"} for name in retrieved)
    found = observed(a_case({"ground_truth": "x", "relevant_context_ids": ["d1", "d2"]}), "x", retrieved_context=passages)["retrieval_f1"]

    assert (found.value, found.evidence["precision"], found.evidence["recall"]) == pytest.approx((f1, precision, recall))


def test_what_retrieval_found_missed_and_added_is_named() -> None:
    passages = ({"source": "d1"}, {"metadata": {"source": "x"}}, {"text": "no name"})
    found = score("retrieval_f1", {"min": 0.5, "relevant": ["d1", "d2"]}, retrieved_context=passages)

    assert found.passed is False
    assert found.evidence == {"f1": 0.4, "precision": 1 / 3, "recall": 0.5, "found": ["d1"], "missing": ["d2"], "extra": ["x"]}
    assert found.reason == "1 of 2 relevant passages found; missing: d2; also retrieved: x"


def test_passages_without_a_name_measure_no_retrieval() -> None:
    found = observed(a_case({"ground_truth": "x", "relevant_context_ids": ["d1"]}), "x", retrieved_context=({"text": CAPITAL},))

    assert found["retrieval_f1"].value is None
    assert found["retrieval_f1"].reason == "not applicable: no retrieved passage has an id"


def test_citations_are_held_against_what_is_expected_else_against_what_was_retrieved() -> None:
    evidence = {"retrieved_context": context(CAPITAL), "citations": ("d1", "d9")}
    expected = observed(a_case({"ground_truth": "x", "expected_citations": ["d1"]}), CAPITAL, **evidence)
    structural = observed(a_case({"ground_truth": "x"}), CAPITAL, **evidence)

    assert expected["citation_f1"].value == pytest.approx(2 / 3)
    assert "citations_exist" not in expected
    assert "citation_f1" not in structural
    assert (structural["citations_exist"].value, structural["citations_exist"].feeds) == (0.5, None)
    assert structural["citations_exist"].evidence == {"extra": ["d9"]}


def test_citing_nothing_where_a_citation_is_due_is_zero() -> None:
    found = observed(a_case({"ground_truth": "x", "expected_citations": ["d1"]}), "x")["citation_f1"]

    assert (found.value, found.reason) == (0.0, "0 of 1 expected citation made; missing: d1; the answer cites nothing")


def test_reference_context_counts_only_where_nothing_was_retrieved() -> None:
    case = a_case({"ground_truth": "x", "reference_context": [CAPITAL]})

    assert observed(case, CAPITAL)["faithfulness"].value == 1.0
    assert observed(case, CAPITAL, retrieved_context=context("Bananas are yellow."))["faithfulness"].value == 0.0


def test_a_case_without_context_is_not_measured() -> None:
    assert observed(a_case({"ground_truth": "x"}), CAPITAL) == {}
    assert score("faithfulness", 0.8, CAPITAL).reason == "not applicable: no context, neither retrieved nor given by reference_context"


def test_what_is_observed_decides_nothing_and_what_is_listed_decides_once() -> None:
    free = observed(a_case({"ground_truth": "x"}), "Bananas.", retrieved_context=context(CAPITAL))
    listed = a_case({"ground_truth": "x"}, evaluators=(spec("faithfulness", {"min": 0.8}),))

    assert {(name, found.required, found.passed) for name, found in free.items()} == {
        ("context_relevance", False, None),
        ("faithfulness", False, None),
    }
    assert "faithfulness" not in observed(listed, "Bananas.", retrieved_context=context(CAPITAL))
    assert scores_of(listed, "Bananas.", retrieved_context=context(CAPITAL))[1].passed is False


@pytest.mark.parametrize("name", ["faithfulness", "context_relevance", "retrieval_f1", "citation_f1", "citations_exist", "tool_efficiency"])
def test_a_required_check_without_a_bar_is_refused(name: str) -> None:
    assert problems_of(a_case({"ground_truth": "x"}, evaluators=(spec(name),))) == [
        f"cases[0].evaluators[0]: {name} without min decides nothing; add min, or required: false"
    ]
    assert problems_of(a_case({"ground_truth": "x"}, evaluators=(spec(name, required=False),))) == []


def test_a_measure_without_a_bar_can_not_be_correctness() -> None:
    assert problems_of(a_case({"evaluator": "faithfulness"})) == [
        "cases[0].expects.evaluator: faithfulness without min decides nothing; list it under evaluators, with min"
    ]


def test_a_huge_answer_is_judged_in_time_and_says_what_was_left() -> None:
    found = score("faithfulness", 0.8, "Tokyo is big.\n" * 5_000, retrieved_context=context("Tokyo is big. " * 20_000))

    assert found.value == 1.0
    assert found.reason == "500 of 500 sentences supported by the context (the first 500 were judged)"
    assert len(found.evidence["claims"]) == 100


_EXAMPLES = ["context_relevance", "faithfulness", "unsupported_claim_rate", "retrieval_f1", "citation_f1", "citations_exist"]


@pytest.mark.parametrize("name", _EXAMPLES)
def test_the_example_in_the_docs_is_right(name: str) -> None:
    (block,) = re.findall(r"```text\n(.*?)```", SECTIONS[name], re.DOTALL)
    lines = [tuple(re.split(r"\s+", line, maxsplit=1)) for line in block.splitlines()]
    said = dict(lines)
    passages = tuple(dict(zip(("id", "text"), text.split(": ", 1), strict=True)) for word, text in lines if word == "passage")
    ids = {word: said[word].split(", ") for word in ("relevant", "expected", "cited") if word in said}
    params = {
        "max" if name == "unsupported_claim_rate" else "min": 0.1,
        **{word: ids[word] for word in ("relevant", "expected") if word in ids},
    }

    case = a_case(evaluators=(spec(name, params),), prompt=said.get("prompt", "q"))
    (found,) = scores_of(case, said.get("answer", ""), retrieved_context=passages, citations=tuple(ids.get("cited", ())))

    assert found.value == pytest.approx(float(said["value"]), abs=5e-5)
