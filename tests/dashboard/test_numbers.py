"""Every number on every page against other code that reads the same stored files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.dashboard import oracle
from tests.dashboard.numbered import ATTACKED, MINI, PAIRS, RETURNS, SMOKE, Open, folder, known, opened, seen
from tests.dashboard.numerals import Piece, figures, numbers, pieces, tables
from tests.dashboard.oracle import Folder, beside, compare, flakiness, judge, models, overview, robustness, runs, trends, words
from tests.dashboard.oracle import case as of_case
from tests.dashboard.oracle.said import Said, Seen
from tests.dashboard.oracle.said import word as written
from tests.dashboard.rich_folder import AGENT, NEWEST, OTHER, PINNED, STOPPED, run_id
from tests.dashboard.rich_judges import MARKS, SAME, SCALED, golden
from tests.dashboard.rich_judges import PAIRS as IN_PAIRS

__all__ = ["folder", "known", "opened"]  # fixtures


def alike(piece: Piece, wanted: tuple[str, ...]) -> bool:
    """The same numbers; the smallest drop that a suite finds is known to a hundredth of a point, and its tenth can round either way."""
    if not re.search("would have shown|found with power|is found with", piece.text):
        return piece.numbers == wanted
    return len(piece.numbers) == len(wanted) and all(
        one == other or _near(one, other) for one, other in zip(piece.numbers, wanted, strict=True)
    )


def _near(one: str, other: str) -> bool:
    ends = [re.fullmatch(r"([\d.]+) pts?", text) for text in (one, other)]
    return all(ends) and abs(float(ends[0][1]) - float(ends[1][1])) < 0.11  # type: ignore[index]


def explained(page: Any, expected: Said, names: list[str], besides: str | None = None) -> None:
    """Every piece of a page that holds a number is one that is expected, and every expected one is there.

    A piece with the words ``besides`` is a table of stored text.
    """
    shown = [piece for piece in pieces(page.main, names) if besides is None or besides not in piece.text]
    missing = []
    for word, text in expected:
        wanted = numbers(text, names)
        found = next((piece for piece in shown if word in piece.text and alike(piece, wanted)), None)
        if found is None:
            missing.append((word, wanted))
        elif wanted:
            shown.remove(found)
    unexplained = [f"{piece.numbers} in {piece.text[:90]!r}" for piece in shown]
    assert not missing and not unexplained, "\n".join(["", *(f"not found: {item}" for item in missing), *unexplained])


@pytest.mark.parametrize(
    ("run", "baseline"),
    [
        (run_id(NEWEST), ""),
        (run_id(NEWEST), "none"),
        (run_id(NEWEST), run_id(6)),
        (run_id(STOPPED), ""),
        (run_id(PINNED), ""),
        (run_id(6), ""),
        (SMOKE, ""),
        (RETURNS, ""),
        (MINI, ""),
    ],
)
def test_overview(opened: Open, known: Folder, run: str, baseline: str) -> None:
    given = seen(known, run, baseline)
    address = {"agent": given.run.head["agent"], "run": run, **({"baseline": baseline} if baseline else {})}

    explained(opened("overview", **address), overview.overview(given, agents=False), known.names())


def test_overview_lists_all_agents_where_none_is_chosen(opened: Open, known: Folder) -> None:
    explained(opened("overview"), overview.overview(seen(known, run_id(NEWEST)), agents=True), known.names())


@pytest.mark.parametrize(("run", "baseline"), PAIRS)
def test_compare(opened: Open, known: Folder, run: str, baseline: str) -> None:
    given = seen(known, run, baseline)
    assert given.then is not None

    page = opened("compare", agent=given.run.head["agent"], run=run, baseline=baseline)

    # The bootstrap's ends are drawn by chance, 10,000 times: they are held against the exact distribution of the mean.
    (told,) = [piece for piece in pieces(page.main) if piece.text.startswith("bootstrap 95%")]
    ends = [float(end.replace("−", "-")) for end in re.findall(r"[−+]?[\d.]+", told.numbers[0])]
    assert ends == pytest.approx([100 * end for end in oracle.change(given.run, given.then).bootstrap], abs=1.5)
    explained(page, compare.compare(given), [*known.names(), told.numbers[0]])
    metrics, moves = tables(page.main)
    wanted = compare.metric_table(given.run, given.then)
    titles = ("metric", "then", "now", "change", "verdict", "interval", "p", "left_out")
    shown = [tuple(str(row.get(title, "–" if title in ("interval", "p") else "")) for title in titles) for _, row in metrics.iterrows()]
    assert [(*row[:4], row[4].split(" ", 1)[1], *row[5:]) for row in shown] == wanted
    counts = oracle.matrix(given.run, given.then)
    cells = {(_bare(then), _bare(now)): int(moves.loc[then, now]) for then in moves.index for now in moves.columns}
    assert {cell: number for cell, number in cells.items() if number} == {
        (written(then), written(now)): number for (then, now), number in counts.items()
    }


def _bare(title: str) -> str:
    """``✓ passed`` without its sign."""
    return title.split(" ", 1)[1]


@pytest.mark.parametrize(
    ("run", "case", "attempt"),
    [
        *((run_id(NEWEST), "refund_after_30_days", number) for number in (0, 1, 2)),
        (run_id(NEWEST), "price_of_two_lamps", 3),
        (run_id(NEWEST), "wrapping_paper", 1),
        *(
            (run_id(NEWEST), case, 0)
            for case in (
                "cancel_and_refund",
                "track_order",
                "greet_politely",
                "exchange_in_turns",
                "return_policy_cited",
                "slow_lookup",
                "invoice_copy",
                "summary_quality",
                "loyalty_tone",
                "gift_card_balance",
                "catalogue_mug",
            )
        ),
        (run_id(STOPPED), "catalogue_mug", 0),
        (MINI, "refund_after_30_days", 0),
        (run_id(PINNED), "exchange_in_turns", 0),
    ],
)
def test_case(opened: Open, known: Folder, run: str, case: str, attempt: int) -> None:
    given = seen(known, run)
    address = {"agent": given.run.head["agent"], "run": run, "case": case, **({"attempt": str(attempt)} if attempt else {})}

    page = opened("case", **address)

    explained(page, of_case.case(given, case, attempt), [*known.names(), *stored_text(given.run.attempts(case))])
    shown = next(item for item in given.run.attempts(case) if item.get("repetition", 0) == attempt)
    tools, steps = of_case.cost_tables(shown)
    columns = (["name", "cost", "share", "steps"], ["step", "name", "cost"])
    drawn = [[tuple(map(str, row)) for row in table[names].to_numpy()] for table, names in zip(tables(page.main), columns, strict=False)]
    assert drawn == ([tools, steps] if steps else [])


def stored_text(attempts: list[Any]) -> list[str]:
    """What the stored records say in words of their own: their digits are no numbers of the page."""
    parts = [part for attempt in attempts for part in (attempt, *attempt.get("turns", ()))]
    checks = [check for part in parts for check in part.get("scores", ())]
    said = [check.get(name) for check in checks for name in ("reason", "error")]
    said += [part[name] for part in parts for name in ("prompt", "output") if name in part]
    said += [part["error"]["message"] for part in parts if part.get("error")]
    said += [passage["id"] for part in parts for passage in part.get("retrieved_context", ())]
    said += [cited for part in parts for cited in part.get("citations", ())]
    return [text for text in said if text and any(letter.isdigit() for letter in text)]


@pytest.mark.parametrize("run", [run_id(NEWEST), run_id(8), run_id(PINNED), run_id(6), RETURNS, MINI])
def test_flakiness(opened: Open, known: Folder, run: str) -> None:
    given = seen(known, run)

    page = opened("flakiness", agent=given.run.head["agent"], run=run)

    explained(page, flakiness.flakiness(given), known.names())
    if given.run.again:
        (shown,) = tables(page.main)
        rows = [tuple(map(str, row)) for row in shown[["case_id", "class", "passed", "consistency", "errors", "answers"]].to_numpy()]
        found = sorted(oracle.steadiness(given.run), key=lambda item: (item.share, item.case_id))
        assert [(row[0], _bare(row[1]), *row[2:]) for row in rows] == [
            (item.case_id, item.word, words.of(item.passed, item.total), words.rate(item.share), str(item.errors), str(len(item.answers)))
            for item in found
        ]


@pytest.mark.parametrize("case", ["refund_after_30_days", "price_of_two_lamps", "wrapping_paper", "opening_hours"])
def test_flakiness_of_one_case(opened: Open, known: Folder, case: str) -> None:
    given = seen(known, run_id(NEWEST))

    page = opened("flakiness", run=run_id(NEWEST), case=case)

    explained(page, flakiness.flaky_case(given, case), known.names())


@pytest.mark.parametrize("run", [run_id(NEWEST), MINI, run_id(PINNED), run_id(8)])
def test_models(opened: Open, known: Folder, run: str) -> None:
    given = seen(known, run)

    page = opened("models", agent=given.run.head["agent"], run=run)

    explained(page, models.models(given), known.names())
    (shown,) = tables(page.main)
    rows = [tuple(map(str, row)) for row in shown.to_numpy()]
    assert [(*row[:2], _bare(row[2]), *row[3:]) for row in rows] == models.duel_table(given)


@pytest.mark.parametrize("run", [run_id(NEWEST), MINI, run_id(STOPPED), SMOKE, RETURNS, run_id(PINNED)])
def test_runs(opened: Open, known: Folder, folder: Path, run: str) -> None:
    given = seen(known, run)

    page = opened("runs", agent=given.run.head["agent"], run=run)

    explained(page, runs.runs(given), [*known.names(), str(folder)])
    listed, *tagged = tables(page.main)
    assert [_run_cells(row) for _, row in listed.iterrows()] == runs.run_table(known)
    wanted = runs.tag_table(given.run)
    assert tagged or [row["tag"] for row in wanted] == ["(no tag)"]
    for table in tagged:
        rows = [{name: str(value) for name, value in row.items()} for row in table.to_dict("records")]
        assert rows == [{name: row[name] for name in table.columns} for row in wanted]


def _run_cells(row: Any) -> tuple[str, ...]:
    """A row as the table's number formats write it."""
    known = row["duration_s"] == row["duration_s"]
    numbers_of = (f"{row['duration_s']:.1f} s", f"${row['cost_usd']:.4f}") if known else ("", "")
    return row["run"], _bare(row["verdict"]), row["correctness"], str(row["cases"]), *numbers_of, row["record"]


@pytest.mark.parametrize("run", [run_id(NEWEST), MINI, SMOKE, RETURNS])
def test_trends(opened: Open, known: Folder, run: str) -> None:
    given = seen(known, run)

    page = opened("trends", agent=given.run.head["agent"], run=run, measures="all measures")

    # Of a change of level the page's p is drawn by chance, 1,999 orders: it is held against ours of 20,000.
    shown = {piece.text.split(" ▼")[0].split(" ▲")[0]: p for piece in pieces(page.main) for p in re.findall(r"; p = ([.\d]+);", piece.text)}
    wanted = {title: item.levels[0].p for title, item in trends.series(given).items() if item.levels}
    assert {title: float(p) for title, p in shown.items()} == pytest.approx(wanted, abs=0.006)
    explained(page, trends.trends(given), [*known.names(), *(f"; p = {p};" for p in shown.values())])


@pytest.mark.parametrize("case", ["refund_after_30_days", "cancel_and_refund", "summary_quality", "exchange_in_turns", "change_address"])
def test_compare_of_one_case(opened: Open, known: Folder, case: str) -> None:
    given = seen(known, run_id(NEWEST))
    assert given.then is not None

    page = opened("compare", run=run_id(NEWEST), case=case)

    names = [*known.names(), *stored_text([given.then.case(case), given.run.case(case)])]
    explained(page, beside.beside(given, case), names, besides="step, input, output")


def test_trends_of_a_tag(opened: Open, known: Folder) -> None:
    given = Seen(known, known.run(run_id(NEWEST)), None)

    page = opened("trends", run=run_id(NEWEST), measures="all measures", tag="returns")

    explained(page, trends.trends(given, "returns"), [*known.names(), "A tag reads the newest 200 runs at most"])


@pytest.mark.parametrize("run", [run_id(NEWEST), MINI])
def test_costs_by_tool_of_a_run(opened: Open, known: Folder, folder: Path, run: str) -> None:
    given = seen(known, run)
    page = opened("runs", agent=given.run.head["agent"], run=run)

    page.session_state["bytool"] = True
    page.run()

    told, sums = runs.by_tool(given.run)
    explained(page, [*runs.runs(given), *told], [*known.names(), str(folder)])
    drawn = next(figure for name, figure in figures(page.main).items() if name.startswith("Cost by tool"))
    bars = [cost for trace in drawn["data"] if trace["type"] == "bar" for cost in trace["x"] if cost]
    assert bars == pytest.approx(sorted(sums.values(), reverse=True), rel=1e-9)


def test_inputs_and_outputs_of_steps(opened: Open, known: Folder) -> None:
    given, case = seen(known, run_id(NEWEST)), "cancel_and_refund"
    page = opened("case", run=run_id(NEWEST), case=case)

    page.session_state["step-io-0"] = True
    page.run()

    shown = given.run.case(case)
    explained(page, [*of_case.case(given, case, 0), *of_case.transcript(shown)], [*known.names(), *stored_text([shown])])


@pytest.mark.parametrize("place", [0, 1, 2])
def test_judge(opened: Open, known: Folder, folder: Path, place: int) -> None:
    history = judge.calibrations(folder, AGENT)
    stamp = history[place]["timestamp"]

    page = opened("judge", agent=AGENT, run=run_id(NEWEST), calibration=stamp[:19])

    lengths = {item["id"]: (len("It sounds right."),) for item in history[place].get("items", ())}
    explained(page, judge.judge(history, place, lengths), [*known.names(), *named_items(history)])


@pytest.mark.parametrize("stamp", [IN_PAIRS, MARKS, SCALED, SAME])
def test_judge_of_marks_and_of_pairs(opened: Open, known: Folder, folder: Path, stamp: str) -> None:
    history = judge.calibrations(folder, OTHER)

    page = opened("judge", agent=OTHER, run=MINI, calibration=stamp[:19])

    lengths = {item.id: tuple(len(text) for text in (item.answer, item.other_answer) if text is not None) for item in golden(stamp)}
    place = [item["timestamp"] for item in history].index(stamp)
    explained(page, judge.judge(history, place, lengths), [*known.names(), *named_items(history)])


def named_items(history: list[Any]) -> list[str]:
    """Names and reasons of the items, whose digits are no numbers of the page."""
    said = [str(item[key]) for one in history for item in one.get("items", ()) for key in ("id", "reason") if item.get(key)]
    return said + [name for one in history for name in one["mismatches"]]


@pytest.mark.parametrize(("run", "baseline"), ATTACKED)
def test_robustness(opened: Open, known: Folder, run: str, baseline: str) -> None:
    given = seen(known, run, baseline)
    address = {"agent": given.run.head["agent"], "run": run, **({"baseline": baseline} if baseline else {})}

    page = opened("robustness", **address)

    told = [text for case in given.run.cases for text in stored_text([case])]
    explained(page, robustness.robustness(given), [*known.names(), *told])


RATE = re.compile(r"[<>]?\d+(?:\.\d)?%|[<>]?[01]\.\d\d(?: [a-z]+)?")
COUNT = re.compile(r"n .*|.* of .*|\d+ (?:cases?|runs?|pairs?)")


@pytest.mark.parametrize("name", ["overview", "trends", "compare", "runs", "flakiness", "models", "judge", "robustness"])
def test_a_rate_or_a_mean_never_stands_without_what_it_is_of(opened: Open, known: Folder, name: str) -> None:
    page = opened(name, run=run_id(NEWEST), **({"measures": "all measures"} if name == "trends" else {}))

    # What a bar draws as done is counted in words above it.
    shown = [piece for piece in pieces(page.main, known.names()) if not piece.text.endswith("% done")]
    # A limit is of nothing.
    found = [Piece(piece.text, numbers(re.sub(r"limit [\d.]+", "", piece.text), known.names())) for piece in shown]
    assert found
    assert [piece for piece in found if any(map(RATE.fullmatch, piece.numbers)) and not any(map(COUNT.fullmatch, piece.numbers))] == []
