"""What the page Models ought to say."""

from __future__ import annotations

import statistics

from scipy import stats

from tests.dashboard import oracle
from tests.dashboard.oracle import Change, Run
from tests.dashboard.oracle.said import Said, Seen
from tests.dashboard.oracle.words import (
    count,
    dotted,
    left_out,
    of,
    p_value,
    points,
    points_interval,
    rate,
    shares,
    usd,
)


def entrants(seen: Seen, suite: str) -> list[Run]:
    """The newest whole finished run of every agent, the chosen one in the place of its agent's; the best first."""
    whole = [
        r
        for r in seen.folder.runs
        if r.head["suite"]["name"] == suite and r.head["status"] == "completed" and not r.head["selection"]["filter"]
    ]
    newest = {run.head["agent"]: run for run in whole}
    if seen.run in whole:
        newest[seen.run.head["agent"]] = seen.run
    right = {agent: oracle.measures(run.counted())["Correctness"] for agent, run in newest.items()}
    return sorted(newest.values(), key=lambda run: (-(right[run.head["agent"]].value or 0), -right[run.head["agent"]].n, run.head["agent"]))


def mean_cost(run: Run) -> tuple[float, float, float]:
    """Of a priced case, with Student's interval cut at 0."""
    costs = [case["cost_usd"] for case in run.counted() if case.get("cost_usd") is not None]
    mean, sd = statistics.fmean(costs), statistics.stdev(costs)
    reach = 0.0 if sd < 1e-12 else float(stats.t.ppf(0.975, len(costs) - 1)) * sd / len(costs) ** 0.5
    return mean, max(0.0, mean - reach), mean + reach


def duel(first: Run, second: Run) -> tuple[Run, Run, Change]:
    """The one with the higher correctness over the cases that both decided goes first."""
    moved = oracle.change(first, second)
    return (first, second, moved) if moved.delta >= 0 else (second, first, oracle.change(second, first))


def models(seen: Seen) -> Said:
    first, second = entrants(seen, seen.run.head["suite"]["name"])
    right = {run.id: oracle.measures(run.counted()) for run in (first, second)}
    best, _, moved = duel(first, second)
    own = right[first.id]["Correctness"]
    silent = len(first.counted()) - own.n
    undecided = f", {count(silent, 'undecided case')} left out" if silent else ""
    told = f"{rate(own.value)} of {count(own.n, 'case')} correct{undecided} and ({rate(right[second.id]['Correctness'].value)}), "
    difference = points(moved.delta if best is first else -moved.delta)
    said: Said = [("at this n", f"{told}{difference} over the {count(len(moved.shares), 'case')} that, {p_value(moved.p)}")]
    said.append(("contenders", count(2, "contender")))
    for place, run in enumerate((first, second), 1):
        held = right[run.id]
        curve = oracle.curve(run, every=True)
        steady = (
            f"pass^{curve[-1].k} {rate(curve[-1].value)} n {count(curve[-1].cases, 'case')} · " + shares(curve[-1].low, curve[-1].high)
            if curve
            else ""
        )
        cost, used = held["Cost / run"], held["Tokens / run"]
        said.append(
            (
                run.head["agent"],
                dotted(
                    [
                        f"{place}.",
                        held["Correctness"].text,
                        steady,
                        held["Latency p95"].text,
                        f"{usd(mean_cost(run)[0])} a case",
                        f"{usd(cost.value)} a run",
                        f"n {cost.n}",
                        left_out(cost.left_out),
                        f"{round((used.value or 0) / used.n):,} tokens a case, n {used.n}",
                    ]
                ),
            )
        )
    alike = moved.p > 0.05
    edited = len(moved.shares) - len(moved.tested)
    reach = f"at this n a difference of about {points(moved.detectable or 0).lstrip('+')} is found"
    said.append(
        (
            "not distinguishable",
            dotted(
                [
                    f"{of(alike, 1, 'pair')} not distinguishable",
                    f"over {count(1, 'pair')}",
                    reach,
                    f"up to {count(edited, 'case')}" if edited else "",
                ]
            ),
        )
    )
    return said


def duel_table(seen: Seen) -> list[tuple[str, ...]]:
    """first, second, n cases, both rates, difference, interval, only one right, p, verdict's words."""
    first, second, moved = duel(*entrants(seen, seen.run.head["suite"]["name"]))
    return [
        (
            first.head["agent"],
            second.head["agent"],
            "first is better" if moved.p <= 0.05 else "not distinguishable",
            points(moved.delta),
            points_interval(*moved.interval),
            p_value(oracle.holm([moved.p])[0]),
            str(len(moved.shares)),
            f"{rate(float(moved.now))} – {rate(float(moved.then))}",
            f"{moved.up} – {moved.down}",
        )
    ]
