"""Changes of level: found where they are, told no more often than promised where nothing changed."""

from __future__ import annotations

import doctest
import itertools
import math
import random

import numpy as np
import pytest
import scipy.stats

from agenteval.compare import changepoints as module
from agenteval.compare import out_of_line as late_module
from agenteval.compare.changepoints import change_points
from agenteval.compare.maxima import max_rank_split_p, max_rate_split_p, rank_split, rate_split
from agenteval.compare.out_of_line import out_of_line

NILE = [
    *(1120, 1160, 963, 1210, 1160, 1160, 813, 1230, 1370, 1140, 995, 935, 1110, 994, 1020, 960, 1180, 799, 958, 1140),
    *(1100, 1210, 1150, 1250, 1260, 1220, 1030, 1100, 774, 840, 874, 694, 940, 833, 701, 916, 692, 1020, 1050, 969),
    *(831, 726, 456, 824, 702, 1120, 1100, 832, 764, 821, 768, 845, 864, 862, 698, 845, 744, 796, 1040, 759),
    *(781, 865, 845, 944, 984, 897, 822, 1010, 771, 676, 649, 846, 812, 742, 801, 1040, 860, 874, 848, 890),
    *(744, 749, 838, 1050, 918, 986, 797, 923, 975, 815, 1020, 906, 901, 1170, 912, 746, 919, 718, 714, 740),
]
"""Annual flow at Aswan, 1871 to 1970, in 10^8 cubic metres. Source: Cobb (1978), Biometrika 65."""


def rates(hits: list[int], n: int) -> tuple[list[float | None], list[int]]:
    return [hit / n for hit in hits], [n] * len(hits)


@pytest.mark.parametrize("examples", [module, late_module])
def test_the_examples_in_the_docstrings_hold(examples: object) -> None:
    assert doctest.testmod(examples).failed == 0  # type: ignore[arg-type]


def test_the_nile_fell_in_1899_after_the_published_28_years() -> None:
    """Pettitt's test in R's package trend names year 28 (1898) as the last of the old level, p = 3.6e-07."""
    (change,) = change_points([float(flow) for flow in NILE], unit="tokens", better="higher")

    assert 1871 + change.at == 1899
    assert (change.runs_before, change.runs_after, change.better) == (28, 72, False)
    assert change.p == pytest.approx(1 / 2000)


def test_the_rank_statistic_agrees_with_scipys_mann_whitney() -> None:
    values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0, 8.0]

    at, z = rank_split(values, 3)

    others = {
        split: abs(
            scipy.stats.norm.isf(
                scipy.stats.mannwhitneyu(values[:split], values[split:], method="asymptotic", use_continuity=False).pvalue / 2
            )
        )
        for split in range(3, 8)
    }
    assert (at, pytest.approx(z)) == max(others.items(), key=lambda item: item[1])


def test_the_permutation_p_agrees_with_all_orders() -> None:
    """Of the 70 ways to lay four equal low values among four equal high ones, two part them wholly."""
    values = [1.0] * 4 + [2.0] * 4
    _, z = rank_split(values, 3)
    orders = ([2.0 if place in high else 1.0 for place in range(8)] for high in itertools.combinations(range(8), 4))
    reached = [rank_split(order, 3)[1] >= z - 1e-9 for order in orders]

    assert np.mean(reached) == pytest.approx(2 / 70)
    assert max_rank_split_p(z, values, 3) == pytest.approx(2 / 70, abs=0.01)


def test_the_score_statistic_is_pearsons_without_correction() -> None:
    hits, sizes = [9, 8, 9, 3, 4, 5], [10] * 6

    at, z = rate_split(hits, sizes, 3)

    assert at == 3
    assert z**2 == pytest.approx(scipy.stats.chi2_contingency([[26, 4], [12, 18]], correction=False).statistic)


def test_worsleys_p_agrees_with_counting_every_outcome() -> None:
    """Seven runs of three cases, given eight passes in all: every outcome weighs as many ways as its cases can be chosen."""
    sizes, hits = [3] * 7, [2, 2, 2, 1, 0, 1, 0]
    _, z = rate_split(hits, sizes, 3)
    weight = reached = 0.0
    for outcome in itertools.product(range(4), repeat=7):
        if sum(outcome) == sum(hits):
            ways = float(np.prod([scipy.special.comb(3, k) for k in outcome]))
            weight += ways
            scores = [abs(sum(outcome[:t]) - 3 * t * 8 / 21) / np.sqrt(3 * t * (8 / 21) * (13 / 21) * (1 - t / 7)) for t in range(3, 5)]
            reached += ways * (max(scores) >= z - 1e-9)

    assert max_rate_split_p(z, hits, sizes, 3) == pytest.approx(reached / weight)


def test_many_cases_prove_what_few_can_not() -> None:
    few = change_points(*rates([9, 9, 9, 9, 8, 8, 8, 8], 10), unit="rate", better="higher")
    many = change_points(*rates([900, 905, 898, 901, 800, 803, 795, 804], 1000), unit="rate", better="higher")

    assert few == ()
    assert [(change.at, change.better) for change in many] == [(4, False)]
    assert many[0].before == pytest.approx(3604 / 4000)


def test_runs_that_scatter_more_than_counts_can_are_no_change() -> None:
    """Rates of a judge with moods: 100 cases, but 60% and 95% take turns."""
    assert change_points(*rates([95, 60, 94, 61, 96, 60, 62, 95, 60, 61], 100), unit="rate", better="higher") == ()


def test_a_drop_that_was_mended_is_two_changes_with_the_levels_between() -> None:
    found = change_points(*rates([47] * 8 + [38] * 6 + [47] * 8, 50), unit="rate", better="higher")

    assert [(change.at, change.before, change.after, change.better) for change in found] == [
        (8, 0.94, 0.76, False),
        (14, 0.76, 0.94, True),
    ]


def test_a_change_within_the_dead_band_is_none() -> None:
    assert change_points([1000.0] * 10 + [1010.0] * 10, unit="ms", better="lower") == ()
    assert len(change_points([1000.0] * 10 + [1200.0] * 10, unit="ms", better="lower")) == 1


def test_runs_that_measured_nothing_keep_the_places_of_the_others() -> None:
    values: list[float | None] = [None, *[0.94] * 8, None, *[0.76] * 8]

    (change,) = change_points(values, [0, *[50] * 8, 0, *[50] * 8], unit="rate", better="higher")

    assert change.at == 10


@pytest.mark.parametrize("values", [[], [0.9] * 5, [0.5] * 40, [None] * 9], ids=["none", "too few", "all equal", "nothing measured"])
def test_no_change_without_evidence(values: list[float | None]) -> None:
    assert change_points(values, [100] * len(values), unit="rate", better="higher") == ()
    assert change_points(values, unit="score", better="higher") == ()


def false_alarms(series: list[tuple[list[float | None], list[int] | None]], unit: str) -> float:
    return float(np.mean([bool(change_points(values, counts, unit=unit, better="higher")) for values, counts in series]))


def test_equal_agents_raise_an_alarm_no_more_often_than_promised() -> None:
    """600 series of 24 runs of 50 cases: alpha .01 and two standard errors."""
    draw = np.random.default_rng(5)
    limit = 0.01 + 2 * np.sqrt(0.01 * 0.99 / 600)

    counted = [rates(draw.binomial(50, 0.85, 24).tolist(), 50) for _ in range(600)]
    moody = [rates(draw.binomial(50, draw.beta(17, 3, 24)).tolist(), 50) for _ in range(600)]
    times = [(draw.lognormal(7, 0.4, 24).tolist(), None) for _ in range(600)]

    assert false_alarms(counted, "rate") <= limit
    assert false_alarms(moody, "rate") <= limit
    assert false_alarms(times, "ms") <= limit


def test_a_clear_step_is_found_where_it_is() -> None:
    """94% to 80% of 50 cases after 15 of 25 runs; latency up by half with a spread of a tenth."""
    draw = np.random.default_rng(6)
    places = []
    for _ in range(200):
        values, counts = rates([*draw.binomial(50, 0.94, 15).tolist(), *draw.binomial(50, 0.80, 10).tolist()], 50)
        places.append([change.at for change in change_points(values, counts, unit="rate", better="higher")])
    times = [[*draw.lognormal(7, 0.1, 15), *draw.lognormal(7.4, 0.1, 10)] for _ in range(100)]
    found = [[change.at for change in change_points(values, unit="ms", better="lower")] for values in times]

    assert np.mean([any(abs(at - 15) <= 1 for at in place) for place in places]) > 0.8
    assert np.mean([place == [15] for place in found]) > 0.9


def test_one_late_drop_is_out_of_line() -> None:
    """46 to 48 of 50 in 11 runs, then 71%: Fisher's exact test agrees that this is no luck."""
    hits = [48, 47, 46, 48, 47, 46, 47, 48, 46, 47, 47, 35]
    values, counts = rates(hits, 50)

    late = out_of_line(values, counts, unit="rate", better="higher")

    assert late is not None
    assert (late.runs, late.value, late.low, late.high, late.before, late.better) == (1, 0.70, 0.92, 0.96, 11, False)
    tail = scipy.stats.hypergeom(600, sum(hits), 50).cdf(35)
    assert late.p == pytest.approx(2 * tail)


def test_two_late_drops_are_out_of_line_together() -> None:
    late = out_of_line(*rates([47] * 10 + [36, 37], 50), unit="rate", better="higher")

    assert late is not None
    assert (late.runs, late.low) == (2, 0.94)


@pytest.mark.parametrize(
    ("values", "counts", "unit"),
    [
        pytest.param([0.94, 0.96, 0.92, 0.94, 0.90, 0.88], [50] * 6, "rate", id="a rate a little below"),
        pytest.param([0.6, 0.9, 0.7, 0.95, 0.65, 0.5], [20] * 6, "rate", id="a rate that always scatters"),
        pytest.param([1.0, 1.0, 0.0], [50] * 3, "rate", id="two runs before are too few"),
        pytest.param([1000.0, 1400.0, 900.0, 1200.0, 1100.0, 1500.0], None, "ms", id="a time within the interval"),
        pytest.param([1000.0] * 9 + [1001.0], None, "ms", id="within the dead band of a constant"),
    ],
)
def test_an_ordinary_last_run_is_not(values: list[float | None], counts: list[int] | None, unit: str) -> None:
    assert out_of_line(values, counts, unit=unit, better="higher") is None


def test_students_prediction_interval_of_logarithms() -> None:
    """Mean 7, standard deviation .1 over six runs: t with 5 degrees of freedom at (ln 2000 - 7) / (.1 sqrt(7/6))."""
    logs = [6.9, 7.1, 6.9, 7.1, 6.9, 7.1]
    late = out_of_line([*np.exp(logs).tolist(), 2000.0], unit="ms", better="lower")

    assert late is not None
    t = (np.log(2000) - 7) / (np.std(logs, ddof=1) * np.sqrt(7 / 6))
    assert late.p == pytest.approx(2 * scipy.stats.t.sf(t, 5))
    assert (late.runs, late.better) == (1, False)


def test_equal_agents_are_out_of_line_no_more_often_than_promised() -> None:
    draw = random.Random(7)
    alarms = 0
    for _ in range(1000):
        hits = [sum(draw.random() < 0.85 for _ in range(50)) for _ in range(12)]
        alarms += out_of_line(*rates(hits, 50), unit="rate", better="higher") is not None

    assert alarms / 1000 <= 0.01 + 2 * np.sqrt(0.01 * 0.99 / 1000)


def test_counted_rates_need_only_three_runs_to_show_a_late_drop() -> None:
    found = out_of_line([1.0, 1.0, 1.0, 15 / 23], [23] * 4, unit="rate", better="higher")
    assert found is not None
    # Fisher's exact test of 15 of 23 against 69 of 69, by hypergeometric sums: twice the one-sided p.
    one_sided = math.comb(84, 15) * math.comb(8, 8) / math.comb(92, 23)
    assert (found.better, found.before, found.p) == (False, 3, pytest.approx(2 * one_sided))
    assert out_of_line([1.0, 1.0, 15 / 23], [23] * 3, unit="rate", better="higher") is None
