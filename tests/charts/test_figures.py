"""Figures hold the data they were given, in the looks of the palette, and never read text as HTML."""

from __future__ import annotations

import pytest

from agenteval.charts.palette import STATUSES, look

pytest.importorskip("plotly")


def test_every_status_differs_in_colour_symbol_and_word() -> None:
    looks = [look(status) for status in STATUSES]

    assert len({shown.colour for shown in looks}) == len({shown.symbol for shown in looks}) == len({shown.word for shown in looks}) == 6


def test_ticks_are_written_as_numbers_are_everywhere() -> None:
    from agenteval.charts.layout import value_ticks

    assert value_ticks([0.75, 0.99], "rate")["ticktext"] == ["80%", "90%", "100%"]
    assert value_ticks([0.0134, 0.0139], "usd")["ticktext"] == ["$0.0134", "$0.0136", "$0.0138"]
    assert value_ticks([], "ms") == {}
