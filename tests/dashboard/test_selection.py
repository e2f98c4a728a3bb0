"""The selection: what a URL says, and what a wrong one is answered."""

from __future__ import annotations

import pytest

from tests.dashboard.conftest import Open

pytestmark = pytest.mark.usefixtures("pages_on_path")


def test_a_view_reads_back_what_its_url_holds() -> None:
    from parts.selection import Selection

    selection = Selection("bot", "20261128T090000Z-aaaaaaa-000001", "baseline", "a [b](c)", 2)

    assert Selection.read(selection.query()) == selection


@pytest.mark.parametrize("attempt", ["-1", "x", "٣", "9" * 30, ""])
def test_an_attempt_that_is_no_number_is_no_attempt(attempt: str) -> None:
    from parts.selection import Selection

    assert Selection.read({"attempt": attempt}) == Selection()


def test_latest_and_nothing_are_the_same_run() -> None:
    from parts.selection import Selection

    assert Selection.read({"run": "latest"}) == Selection.read({"run": ""}) == Selection()


def test_an_ambiguous_beginning_offers_the_newest_run() -> None:
    from parts.selection import Unknown, choose

    assert choose("2026", ["20260101-a", "20260102-b"], "run", prefix=True) == Unknown("run", "2026", "20260102-b")


def test_words_for_markdown_keep_markdown_out() -> None:
    from parts.words import code, escaped

    assert escaped("![x](http://h/p.png)\n# a") == "\\!\\[x\\]\\(http\u2060\\:\\/\\/h\\/p\\.png\\) \\# a"
    assert code("a`b``c") == "```a`b``c```"
    assert code("`") == "`` ` ``"


def test_a_difference_marks_words_and_reads_none_of_them_as_markdown() -> None:
    from parts.difference import word_difference

    assert word_difference("It is not due", "It is due") == "It is :red[~~not~~] due"
    assert word_difference("![x](http://h)", "ok") == ":red[~~\\!\\[x\\]\\(http\u2060\\:\\/\\/h\\)~~] :green[**ok**]"


def test_a_quoted_command_is_code_and_the_rest_of_a_sentence_is_not() -> None:
    from parts.words import sentence

    assert (
        sentence("pin it with `agenteval baseline set latest`: a_b `x`") == "Pin it with `agenteval baseline set latest`\\: a\\_b \\`x\\`"
    )


__all__ = ["Open"]
