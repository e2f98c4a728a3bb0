"""Figures of a judge against people."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from agenteval.charts.judge import calibration_rows, confusion_table, kappa_history, verdict_rows
from agenteval.model.calibration import Calibration, Confusion, Standing
from tests.calibration.test_files import a_calibration


def dated(day: str, **changes: object) -> Calibration:
    return replace(a_calibration(), timestamp=f"2026-{day}T12:00:00.000Z", path=Path(f"{day}.json"), **changes)  # type: ignore[arg-type]


def test_each_calibration_is_a_mark_with_its_interval_and_the_look_of_its_standing() -> None:
    found = [
        dated("11-01", kappa=0.3, low=0.1, high=0.5),
        dated("11-02", kappa=None, low=None, high=None),
        dated("11-03", kappa=0.7, low=0.55, high=0.85),
        dated("11-04", kappa=0.9, low=0.8, high=1.0, kappa_threshold=0.7),
    ]

    limit, marks = kappa_history(found).data

    assert [item.standing for item in found] == [Standing.BELOW, Standing.BELOW, Standing.UNPROVEN, Standing.TRUSTED]
    assert list(limit.y) == [0.6, *[0.6, 0.6, 0.6, 0.7], 0.7]
    assert list(marks.y) == [0.3, 0.7, 0.9]
    assert list(marks.marker.symbol) == ["x", "diamond", "circle"]
    assert [round(size, 6) for size in marks.error_y.arrayminus] == [0.2, 0.15, 0.1]
    assert list(marks.text) == ["", "", "0.90"]


def test_two_calibrations_of_one_morning_stand_apart_under_times_and_the_limit_goes_all_across() -> None:
    figure = kappa_history([dated("11-01"), replace(dated("11-01"), timestamp="2026-11-01T12:25:00.000Z")])

    # 25 minutes: 1 more before them, 5 after.
    assert list(figure.layout.xaxis.range) == ["2026-11-01T11:59:00.000Z", "2026-11-01T12:30:00.000Z"]
    assert figure.layout.xaxis.tickformat.startswith("%H:%M")
    assert (figure.data[0].x[0], figure.data[0].x[-1]) == tuple(figure.layout.xaxis.range)


def test_a_calibration_without_interval_has_a_mark_without_one() -> None:
    marks = kappa_history([dated("11-01", kappa=0.3, low=None, high=None)]).data[1]

    assert list(marks.error_y.array) == [0.0]


def test_the_table_counts_and_agreement_is_told_from_disagreement() -> None:
    cells = confusion_table(Confusion(("good", "bad"), ((43, 9), (8, 56)))).data[0]

    assert [list(row) for row in cells.text] == [["✓ 43 of 52<br>83%", "✕ 9 of 52<br>17%"], ["✕ 8 of 64<br>13%", "✓ 56 of 64<br>88%"]]
    assert list(cells.x) == ["judge: good", "judge: bad"]
    assert list(cells.y) == ["people: good", "people: bad"]
    assert cells.z[0][0] > 0 > cells.z[0][1]


def test_an_empty_row_has_no_share() -> None:
    cells = confusion_table(Confusion(("good", "bad"), ((1, 0), (0, 0)))).data[0]

    assert list(cells.text[1]) == [" 0", "✓ 0"]


def test_ties_that_nobody_gave_are_not_drawn() -> None:
    without = confusion_table(Confusion(("A", "B", "tie"), ((3, 1, 0), (1, 3, 0), (0, 0, 0)))).data[0]
    with_tie = confusion_table(Confusion(("A", "B", "tie"), ((3, 1, 1), (1, 3, 0), (0, 0, 0)))).data[0]

    assert list(without.x) == ["judge: A", "judge: B"]
    assert list(with_tie.x) == ["judge: A", "judge: B", "judge: tie"]


def test_marks_that_nobody_gave_stay_empty() -> None:
    labels = tuple(map(str, range(1, 11)))
    table = tuple(tuple(int(row == column == 4) for column in range(10)) for row in range(10))

    cells = confusion_table(Confusion(labels, table)).data[0]

    assert [share for row in cells.z for share in row if share is not None] == [1.0]
    assert cells.text[4][4] == "1"


def test_model_names_are_no_markup() -> None:
    figure = kappa_history([dated("11-01", model="<b>big</b>", kappa=0.5, low=0.4, high=0.6)])

    assert "&lt;b&gt;big&lt;/b&gt;" in figure.data[1].hovertext[0]


def test_the_rows_say_what_was_measured_and_what_was_not() -> None:
    rows = calibration_rows([dated("11-01"), dated("11-02", legacy="old", sensitivity=None)])

    assert list(rows["n"]) == [12, 12]
    assert str(rows["timestamp"].dt.tz) == "UTC"
    assert rows["errors"].isna().tolist() == [False, True]
    assert rows["sensitivity"].isna().tolist() == [False, True]


def test_the_verdicts_are_rows_in_words() -> None:
    rows = verdict_rows(a_calibration())

    assert list(rows.columns) == ["id", "people", "judge", "agrees", "reason", "error"]
    assert rows.iloc[0].tolist()[:4] == ["g0", "good", "good", True]
    assert verdict_rows(replace(a_calibration(), items=())).empty
