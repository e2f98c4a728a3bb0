"""Every point of every figure against other code that reads the same stored files, to a billionth."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.dashboard import oracle
from tests.dashboard.numbered import ATTACKED, MINI, PAIRS, RETURNS, SMOKE, Open, folder, known, opened, seen
from tests.dashboard.numerals import figures, sparks
from tests.dashboard.oracle import Folder, judge, models, robustness
from tests.dashboard.oracle import case as of_case
from tests.dashboard.oracle import figures as expected_figures
from tests.dashboard.oracle.figures import Arrays
from tests.dashboard.rich_folder import AGENT, NEWEST, OTHER, PINNED, STOPPED, run_id

__all__ = ["folder", "known", "opened"]  # fixtures


def near(expected: Any) -> Any:
    if isinstance(expected, Mapping):
        return {name: near(value) for name, value in expected.items()}
    return pytest.approx(expected, rel=1e-9, abs=1e-9)


def traces(figure: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The arrays of a figure by the name of the trace; ``lines`` are its straight lines, upright or level."""
    found = {}
    for trace in figure["data"]:
        arrays = {axis: trace[axis] for axis in ("x", "y", "z", "base") if axis in trace}
        for axis, (up, down) in {"error_x": ("right", "left"), "error_y": ("up", "down")}.items():
            if trace.get(axis, {}).get("array"):
                arrays |= {up: trace[axis]["array"], down: trace[axis]["arrayminus"]}
        arrays["marks"] = trace.get("customdata") or []
        found[str(trace.get("name"))] = arrays
    return found


def same(figure: Mapping[str, Any], expected: Arrays) -> None:
    """Each expected array is drawn; an interval across is told as up and down too."""
    drawn = traces(figure)
    assert set(drawn) == set(expected) - {"lines"}
    for name, arrays in expected.items():
        for axis, values in arrays.items():
            if name == "lines":
                continue
            if axis == "case":
                shown: Any = [mark[0] for mark in drawn[name]["marks"] if mark]
            else:
                shown = drawn[name].get(axis) or drawn[name].get({"up": "right", "down": "left"}.get(axis, axis))
            assert shown == (near(values) if axis != "case" else values), (name, axis)


@pytest.mark.parametrize("run", [run_id(NEWEST), run_id(STOPPED), MINI, SMOKE])
def test_lines_of_the_cards(opened: Open, known: Folder, run: str) -> None:
    given = seen(known, run)

    shown = sparks(opened("overview", agent=given.run.head["agent"], run=run).main)

    expected = expected_figures.sparks(given)
    assert shown
    assert shown == near({title: expected[title] for title in shown})


@pytest.mark.parametrize("run", [run_id(NEWEST), MINI, SMOKE, RETURNS])
def test_trends(opened: Open, known: Folder, run: str) -> None:
    given = seen(known, run)

    shown = figures(opened("trends", agent=given.run.head["agent"], run=run, measures="all measures").main)

    name, rows, marks = expected_figures.outcome_rows(given)
    expected = expected_figures.trends(given)
    assert list(shown) == [*expected, name]
    for title, arrays in expected.items():
        same(shown[title], arrays)
        level = [line["y0"] for line in shown[title]["layout"].get("shapes", []) if line["y0"] == line["y1"]]
        assert sorted(level) == near(sorted(arrays["lines"]["y"]))
    heat, symbols = shown[name]["data"]
    assert sorted(map(str, heat["z"])) == sorted(map(str, rows))
    signs = {"failed": "✕", "agent_error": "!", "evaluator_error": "?", "skipped": "–", "unscored": "○"}
    drawn = {tuple(mark): text for mark, text in zip(symbols["customdata"], symbols["text"], strict=True)}
    assert drawn == {mark: signs[status] for mark, status in marks.items()}


@pytest.mark.parametrize(("run", "baseline"), PAIRS)
def test_compare(opened: Open, known: Folder, run: str, baseline: str) -> None:
    given = seen(known, run, baseline)
    assert given.then is not None

    shown = figures(opened("compare", agent=given.run.head["agent"], run=run, baseline=baseline).main)

    forests, points = expected_figures.forests(given.run, given.then), expected_figures.points(given.run, given.then)
    assert set(shown) == {*forests, *points}
    for name, arrays in forests.items():
        same(shown[name], arrays)
    for name, cases in points.items():
        drawn = {
            mark[0]: (then, now)
            for trace in shown[name]["data"]
            for mark, then, now in zip(trace.get("customdata") or [], trace["x"], trace["y"], strict=False)
        }
        assert drawn == near(cases)


@pytest.mark.parametrize("run", [run_id(NEWEST), MINI, run_id(STOPPED), SMOKE, RETURNS])
def test_runs(opened: Open, known: Folder, run: str) -> None:
    given = seen(known, run)

    shown = figures(opened("runs", agent=given.run.head["agent"], run=run).main)

    grid = shown.pop("Every check of the worst cases")
    expected = expected_figures.run_figures(given.run)
    assert set(shown) == set(expected)
    for name, arrays in expected.items():
        same(shown[name], arrays)
        if "lines" in arrays:
            assert [line["x0"] for line in shown[name]["layout"].get("shapes", [])] == near(arrays["lines"]["x"])
    cases, checks, fills, texts = expected_figures.checks(given.run)
    assert grid["data"][0]["z"] == fills
    assert grid["layout"]["xaxis"]["ticktext"] == checks
    cells = [
        (x, y, text)
        for trace in grid["data"][1:]
        if trace["name"] != "reason"
        for x, y, text in zip(trace["x"], trace["y"], trace["text"], strict=True)
    ]
    assert {(x, y): text for x, y, text in cells if any(letter.isdigit() for letter in text)} == texts
    rows = {y: mark[0] for trace in grid["data"][1:] for y, mark in zip(trace["y"], trace.get("customdata") or [], strict=False)}
    assert [rows[place] for place in range(len(cases))] == cases


@pytest.mark.parametrize("place", [PINNED, 8, NEWEST])
def test_flakiness(opened: Open, known: Folder, place: int) -> None:
    run = known.run(run_id(place))

    shown = figures(opened("flakiness", run=run.id).main)

    marks = shown.pop("Pass rate and consistency of the repeated cases")["data"]
    drawn = {case: (trace["x"][0], trace["y"][0]) for trace in marks for case in trace["customdata"][0]}
    assert drawn == near(expected_figures.steady_marks(run))
    numbers = expected_figures.numbers(run)
    strips = shown.pop("Numbers in the answers of repeated cases")["data"] if numbers else []
    assert {tuple(mark): x for trace in strips for mark, x in zip(trace["customdata"], trace["x"], strict=True)} == near(numbers)
    expected = expected_figures.flakiness(run)
    assert set(shown) == set(expected)
    for name, arrays in expected.items():
        same(shown[name], arrays)


@pytest.mark.parametrize("run", [run_id(NEWEST), MINI, run_id(8)])
def test_models(opened: Open, known: Folder, run: str) -> None:
    given = seen(known, run)

    (figure,) = figures(opened("models", agent=given.run.head["agent"], run=run).main).values()

    drawn = traces(figure)
    expected = expected_figures.cost_quality(models.entrants(given, "support"))
    drawn.pop("front", None)
    assert {name: {axis: drawn[name][axis] for axis in arrays} for name, arrays in expected.items()} == near(expected)


@pytest.mark.parametrize("case", ["refund_after_30_days", "track_order", "exchange_in_turns"])
def test_steps_of_a_case(opened: Open, known: Folder, case: str) -> None:
    shown = of_case.steps(known.run(run_id(NEWEST)).case(case))

    figure = figures(opened("case", run=run_id(NEWEST), case=case).main)["Steps on a time line"]

    (bars,) = figure["data"]
    expected = expected_figures.waterfall(known.run(run_id(NEWEST)).case(case))
    assert {axis: bars[axis] for axis in expected} == near(expected)
    assert len(bars["x"]) == len(shown)


@pytest.mark.parametrize(("agent", "run"), [(AGENT, run_id(NEWEST)), (OTHER, MINI)])
def test_judge(opened: Open, folder: Path, agent: str, run: str) -> None:
    history = judge.calibrations(folder, agent)

    for item in history:
        shown = figures(opened("judge", agent=agent, run=run, calibration=item["timestamp"][:19]).main)

        same(shown.pop("Kappa of each calibration with its limit"), judge.history(history))
        if judge.legacy(item):
            assert not shown
            continue
        (drawn,) = shown["Verdicts of people against verdicts of the judge"]["data"]
        fills, cells = judge.confusion(item)
        assert drawn["z"] == [[None if fill is None else near(fill) for fill in row] for row in fills]
        assert [[cell.lstrip("✓✕ ") for cell in row] for row in drawn["text"]] == cells


@pytest.mark.parametrize(("run", "baseline"), ATTACKED)
def test_robustness(opened: Open, known: Folder, run: str, baseline: str) -> None:
    given = seen(known, run, baseline)

    shown = figures(opened("robustness", agent=given.run.head["agent"], run=run).main)

    expected = robustness.figures(given)
    assert set(shown) == set(expected)
    for name, arrays in expected.items():
        same(shown[name], arrays)


def test_the_oracle_knows_published_figures() -> None:
    assert judge.kappa_of(np.array([[20, 5], [10, 15]])).value == near(0.4)
    assert judge.kappa_of(np.array([[20, 5], [10, 15]])).low == pytest.approx(0.1511, abs=5e-5)
    assert judge.kappa_of(np.array([[61, 2, 0], [3, 2, 1], [1, 0, 1]]), "quadratic").value == pytest.approx(0.578885, abs=1e-6)
    assert judge.even(12, 4) == pytest.approx(0.076813, abs=1e-6)
    assert oracle.wilson(1, 10) == pytest.approx((0.017876, 0.404150), abs=1e-6)
    assert oracle.holm([0.01, 0.04, 0.03, 0.005]) == near([0.03, 0.06, 0.06, 0.02])
    assert oracle.percentile([10, 20, 30, 40], 95) == near(38.5)
