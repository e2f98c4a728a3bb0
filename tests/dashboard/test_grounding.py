"""What the pages show of retrieval, grounding and repeated calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agenteval.evaluators import Context, compile_case, observe
from agenteval.model.attempt import Attempt
from agenteval.model.response import Step, ToolCall
from tests.builders import an_attempt
from tests.dashboard.conftest import Open, words
from tests.dashboard.stored import store
from tests.evaluators.judging import a_case

FIRST = "20261128T090000Z-aaaaaaa-000001"
SECOND = "20261129T090000Z-bbbbbbb-000002"
HOSTILE = "![x](https://evil.test/leak.png) <script>alert(1)</script>"


def observed(case_id: str, output: str, passages: dict[str, str], **evidence: Any) -> Attempt:
    """A passed attempt with what is measured of its evidence."""
    expects = {"ground_truth": "x", "relevant_context_ids": ["terms", "fees"], "must_call_tools": ["look"]}
    attempt = an_attempt(
        case_id,
        output=output,
        prompt="How long is the window?",
        retrieved_context=tuple({"id": name, "text": text} for name, text in passages.items()),
        expects=expects,
        **evidence,
    )
    checks = compile_case(a_case(expects))[0].checks
    attempt.scores += observe(checks, Context(attempt, attempt.prompt, expects))
    return attempt


def test_a_case_shows_what_its_answer_stands_on(open_page: Open, tmp_path: Path) -> None:
    look = Step("tool_call", "look", {"q": 1})
    answer = f"The window is 30 days. The fee is $9. {HOSTILE}"
    passages = {"terms": "The window is 30 days.", "news": HOSTILE}
    store(
        tmp_path,
        [observed("a", answer, passages, citations=("terms", "gone"), steps=(look, look), tool_calls=(ToolCall("look"), ToolCall("look")))],
        FIRST,
    )

    page = open_page("case", case="a")

    text = words(page)
    assert not page.exception
    assert "Relevant passages: :red[∅ missing] `fees` · :green[✓ found] `terms` · :gray[+ also retrieved] `news`" in text
    assert "Cited, not among the passages:] `gone`" in text
    assert ":red[✕ not supported] the context does not state $9" in text
    assert "The fee is $9." in [element.value for element in page.text]
    assert ":green[✓ supported]" in text
    assert "1. `terms` :green-badge[✓ relevant] :green-badge[✓ cited]" in text
    assert "1 redundant call: the same tool with the same arguments" in text
    assert ":orange[↻ 2 calls] `look`" in text
    assert not any("![x](https" in element.value for element in page.markdown)


def test_a_case_without_retrieval_has_no_such_section(open_page: Open, tmp_path: Path) -> None:
    store(tmp_path, [an_attempt("a")], FIRST)

    text = words(open_page("case", case="a"))

    assert "Retrieval and grounding" not in text
    assert "Repeated tool calls" not in text


def test_the_overview_has_a_card_for_a_measure_only_where_it_was_made(open_page: Open, tmp_path: Path) -> None:
    store(tmp_path, [an_attempt("a")], FIRST)
    store(tmp_path, [observed("a", "The window is 60 days.", {"terms": "The window is 30 days."})], SECOND)

    without = [card.label for card in open_page(run=FIRST).metric]
    page = open_page(run=SECOND)

    assert "Faithfulness" not in without
    cards = {card.label: card.value.replace("\\", "") for card in page.metric}
    assert (cards["Faithfulness"], cards["Retrieval F1"]) == ("0.00", "0.67")
    assert "Unsupported claims **1.00 · n 1**" in words(page)
    assert "context relevance" not in words(page).partition("not measured")[2]


def test_a_conversation_names_the_turn_and_counts_the_checks_of_its_turns(open_page: Open, tmp_path: Path) -> None:
    turns = (
        observed("a::turn0", "The window is 30 days.", {"terms": "The window is 30 days."}),
        observed("a::turn1", "The fee is $9.", {"fees": "The fee is $5."}),
    )
    store(tmp_path, [an_attempt("a", turns=turns, scores=())], FIRST)

    text = words(open_page("case", case="a"))

    assert "Every required check held (2)." in text
    assert "no check was made" not in text
    assert "Relevant passages (turn 2): :red[∅ missing] `terms` · :green[✓ found] `fees`" in text
    assert ":red[✕ not supported] the context does not state $9" in text
    assert "turn 2 · nearest: `fees`" in text
    assert "faithfulness" not in text.partition("Retrieval and grounding")[0]
