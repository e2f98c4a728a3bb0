"""Statistics against published figures and against scipy and statsmodels."""

from __future__ import annotations

import csv
import doctest
import importlib
import json
import math
import random
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction

import pytest
import scipy.stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from agenteval.compare import distributions
from agenteval.compare import statistics as st
from tests.builders import shared_data

MODULES = ("agreement", "distributions", "intervals", "lcs", "multiplicity", "paired", "percentiles", "power", "repeated", "alignment")


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_the_docstrings_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(f"agenteval.compare.{name}")).failed == 0


def test_closed_forms_import_neither_numpy_nor_scipy() -> None:
    script = "import sys, agenteval.compare.statistics as s; s.sign_flip([1, 1, -1]); assert not {'numpy', 'scipy'} & set(sys.modules)"

    assert subprocess.run([sys.executable, "-c", script]).returncode == 0


def rounded(numbers: tuple[float, ...], digits: int = 6) -> tuple[float, ...]:
    return tuple(round(number, digits) for number in numbers)


@pytest.mark.parametrize(
    ("hits", "n", "expected"),
    [
        (0, 10, (0, 0.277533)),
        (1, 10, (0.017876, 0.404150)),
        (5, 10, (0.236593, 0.763407)),
        (10, 10, (0.722467, 1)),
        (81, 263, (0.255289, 0.366210)),
        (15, 148, (0.062386, 0.160487)),
        (0, 20, (0, 0.161125)),
        (1, 29, (0.006113, 0.171755)),
    ],
)
def test_wilson_gives_newcombes_rows(hits: int, n: int, expected: tuple[float, float]) -> None:
    assert rounded(st.wilson(hits, n)) == expected


@pytest.mark.parametrize(
    ("hits", "n", "expected"),
    [(81, 263, (0.2535, 0.3682)), (15, 148, (0.0598, 0.1644)), (0, 20, (0, 0.2005)), (1, 29, (0.0018, 0.1963))],
)
def test_corrected_wilson_gives_newcombes_rows(hits: int, n: int, expected: tuple[float, float]) -> None:
    assert rounded(st.wilson_corrected(hits, n), 4) == expected


@pytest.mark.parametrize(
    ("hits", "n", "expected"),
    [(1, 10, (0.002529, 0.445016)), (10, 10, (0.691503, 1)), (0, 20, (0, 0.168433))],
)
def test_clopper_pearson(hits: int, n: int, expected: tuple[float, float]) -> None:
    assert rounded(st.clopper_pearson(hits, n)) == expected


def test_jeffreys() -> None:
    assert rounded(st.jeffreys(9, 10)) == (0.618685, 0.988988)


def test_rule_of_three() -> None:
    exact, approximate = st.rule_of_three(200)

    assert (round(exact * 100, 4), approximate) == (1.4867, 0.015)


@pytest.mark.parametrize(("hits", "n"), [(0, 1), (1, 1), (3, 7), (44, 50), (199, 200), (4321, 5000)])
def test_intervals_agree_with_statsmodels(hits: int, n: int) -> None:
    assert st.wilson(hits, n) == pytest.approx(proportion_confint(hits, n, method="wilson"), abs=1e-12)
    assert st.clopper_pearson(hits, n) == pytest.approx(proportion_confint(hits, n, method="beta"), abs=1e-9)


def test_no_cases_leave_a_rate_open() -> None:
    assert st.wilson(0, 0) == (0.0, 1.0)
    assert st.wilson_corrected(0, 0) == (0.0, 1.0)
    assert st.newcombe_paired(0, 0, 0, 0) == (0.0, -1.0, 1.0)


@pytest.mark.parametrize(
    ("b", "c", "exact", "mid", "chi_p"),
    [
        (5, 0, 0.0625, 0.03125, 0.073638),
        (6, 0, 0.03125, 0.015625, None),
        (10, 2, 0.038574, 0.022461, 0.043308),
        (12, 4, 0.076813, 0.049042, 0.080118),
        (5, 15, 0.041389, 0.026604, 0.044171),
        (21, 9, 0.042774, None, 0.044610),
        (25, 10, 0.016674, 0.011331, 0.017960),
        (37, 13, 0.000936, None, 0.001143),
        (1, 0, 1.0, 0.5, None),
        (0, 0, 1.0, 1.0, 1.0),
    ],
)
def test_mcnemar(b: int, c: int, exact: float, mid: float | None, chi_p: float | None) -> None:
    assert round(st.mcnemar_exact(b, c), 6) == exact
    assert st.mcnemar_exact(c, b) == st.mcnemar_exact(b, c)
    if mid is not None:
        assert round(st.mcnemar_mid_p(b, c), 6) == mid
    if chi_p is not None:
        assert round(st.mcnemar_chi_square(b, c)[1], 6) == chi_p


@pytest.mark.parametrize(
    ("b", "c", "statistic"), [(5, 0, 3.2), (5, 15, 4.05), (21, 9, 4.033333), (25, 10, 5.6), (37, 13, 10.58), (3, 3, 0)]
)
def test_mcnemars_chi_square(b: int, c: int, statistic: float) -> None:
    assert round(st.mcnemar_chi_square(b, c)[0], 6) == statistic


@pytest.mark.parametrize(("b", "c"), [(0, 6), (7, 9), (40, 61), (600, 660), (2600, 2500)])
def test_mcnemar_agrees_with_statsmodels(b: int, c: int) -> None:
    assert st.mcnemar_exact(b, c) == pytest.approx(mcnemar([[0, b], [c, 0]], exact=True).pvalue, rel=1e-9)
    assert st.mcnemar_mid_p(b, c) == pytest.approx(st.mcnemar_exact(b, c) - scipy.stats.binom.pmf(min(b, c), b + c, 0.5), rel=1e-6)


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ((36, 12, 2, 0), (0.2, 0.0569, 0.3404)),
        ((20, 12, 2, 16), (0.2, 0.0562, 0.3292)),
        ((80, 10, 2, 8), (0.08, 0.0102, 0.1554)),
        ((50, 0, 0, 0), (0.0, -0.0713, 0.0713)),
    ],
)
def test_newcombes_method_ten(cells: tuple[int, int, int, int], expected: tuple[float, float, float]) -> None:
    a, b, c, d = cells

    assert rounded(st.newcombe_paired(*cells), 4) == expected
    assert rounded(st.newcombe_paired(a, c, b, d), 4) == (-expected[0], -expected[2], -expected[1])


@pytest.mark.parametrize(("n", "passed", "k", "expected"), [(10, 3, 5, 0.916667), (200, 20, 10, 0.660226), (5, 4, 2, 1.0)])
def test_pass_at_k(n: int, passed: int, k: int, expected: float) -> None:
    assert round(st.pass_at_k(n, passed, k) or 0, 6) == expected


@pytest.mark.parametrize(("n", "passed", "k", "expected"), [(5, 4, 2, 0.6), (8, 6, 4, 0.214286), (10, 3, 5, 0.0)])
def test_pass_hat_k_is_without_the_naive_bias(n: int, passed: int, k: int, expected: float) -> None:
    assert round(st.pass_hat_k(n, passed, k) or 0, 6) == expected


def test_more_attempts_than_there_are_is_undefined() -> None:
    assert st.pass_at_k(2, 2, 3) is None
    assert st.pass_hat_k(2, 2, 3) is None


def test_standard_errors_of_tau_bench_airline() -> None:
    rows = [json.loads(line) for line in shared_data("data", "tau_bench_gpt4o_airline.jsonl").read_text().splitlines()]
    clusters = st.by_cluster([float(row["passed"]) for row in rows], [row["case_id"] for row in rows])

    naive = st.standard_error([value for cluster in clusters for value in cluster]) or 0
    clustered = st.clustered_se(clusters) or 0
    corrected = st.clustered_se(clusters, small_sample=True)

    assert sorted(sum(cluster) for cluster in clusters) == [0] * 14 + [1] * 12 + [2] * 10 + [3] * 4 + [4] * 10
    assert naive == pytest.approx(0.034987, abs=1e-6)
    assert clustered == pytest.approx(0.051691, abs=1e-6)
    assert corrected == pytest.approx(0.052216, abs=1e-6)
    assert (clustered / naive) ** 2 == pytest.approx(2.18, abs=0.005)


def gpqa() -> tuple[list[list[float]], list[list[float]]]:
    """Five scores an item of the two models, items in one order."""
    models: dict[str, dict[str, list[float]]] = {}
    with shared_data("data", "gpqa_diamond_scores.csv").open() as file:
        for row in csv.DictReader(file):
            models.setdefault(row["model_id"], {}).setdefault(row["item_id"], []).append(float(row["score"]))
    nano, mini = (models[name] for name in sorted(models, key=lambda name: "nano" not in name))
    return [nano[item] for item in nano], [mini[item] for item in nano]


def test_gpqa_is_significant_only_when_paired() -> None:
    nano, mini = gpqa()
    a, b = ([sum(scores) / 5 for scores in model] for model in (nano, mini))
    differences = [Fraction(round(5 * x) - round(5 * y), 5) for x, y in zip(a, b, strict=True)]

    flip = st.sign_flip(differences)
    paired = st.paired_t([float(value) for value in differences])
    unpaired = math.hypot(st.standard_error(a) or 0, st.standard_error(b) or 0)

    assert paired is not None
    assert flip.method == "exact"
    assert flip.p == pytest.approx(0.0395, abs=0.0001)
    assert rounded((paired.mean, paired.se, paired.p or 0), 5) == (0.05859, 0.02779, 0.03627)
    assert rounded((paired.low or 0, paired.high or 0), 4) == (0.0038, 0.1134)
    assert unpaired == pytest.approx(0.040483, abs=1e-6)
    assert distributions.normal_two_sided(paired.mean / unpaired) == pytest.approx(0.1478, abs=5e-5)
    assert st.correlation(a, b) == pytest.approx(0.5301, abs=1e-4)
    assert st.sign_flip([-value for value in differences]).p == flip.p


def test_gpqa_design_effects() -> None:
    effects = []
    for model in gpqa():
        flat = [value for scores in model for value in scores]
        effects.append(((st.clustered_se(model) or 0) / (st.standard_error(flat) or 1)) ** 2)

    assert effects == [pytest.approx(3.42, abs=0.005), pytest.approx(3.65, abs=0.005)]


def test_clustered_standard_error_of_a_toy() -> None:
    scores, labels = [1.0, 1, 1, 0, 0, 0, 1, 0], [0, 0, 0, 1, 1, 1, 2, 2]
    clusters = st.by_cluster(scores, labels)

    assert st.standard_error(scores) == pytest.approx(0.188982, abs=1e-6)
    assert st.clustered_se(clusters) == pytest.approx(0.265165, abs=1e-6)
    assert st.clustered_se(clusters, small_sample=True) == pytest.approx(0.324760, abs=1e-6)


def test_a_cluster_without_a_name_is_refused() -> None:
    with pytest.raises(ValueError, match="NaN"):
        st.by_cluster([1.0, 0.0], [float("nan"), 1])


def test_duplicated_attempts_never_shrink_the_clustered_error() -> None:
    means = [1.0, 0.0, 0.5, 1.0, 0.25]

    assert st.clustered_se([[mean] * 20 for mean in means]) == pytest.approx(st.clustered_se([[mean] for mean in means]))


def test_paired_toy() -> None:
    a, b = ([float(digit) for digit in digits] for digits in ("1011011011", "1001010010"))

    found = st.paired_t([y - x for x, y in zip(a, b, strict=True)])

    assert found is not None
    assert (found.mean, found.se) == (pytest.approx(-0.3), pytest.approx(0.152753, abs=1e-6))
    assert math.hypot(st.standard_error(a) or 0, st.standard_error(b) or 0) == pytest.approx(0.223607, abs=1e-6)
    assert st.correlation(a, b) == pytest.approx(0.534522, abs=1e-6)


def test_differences_that_never_vary_have_no_t_test() -> None:
    found = st.paired_t([1.0] * 5)

    assert found is not None
    assert (found.mean, found.t, found.p) == (1.0, None, None)
    assert st.paired_t([1.0]) is None


def test_sign_flip_counts_patterns() -> None:
    assert st.sign_flip([0.1, 0.2, 0.05, 0.3, -0.1, 0.15]) == st.SignFlip(8 / 64, "exact")


@pytest.mark.parametrize("differences", [[], [0, 0], [1, -1], [0.5, -0.25, -0.25]])
def test_sign_flip_of_no_drift_is_one(differences: list[float]) -> None:
    assert st.sign_flip(differences).p == 1.0


def test_sign_flip_of_single_attempts_is_mcnemar() -> None:
    assert st.sign_flip([-1] * 10 + [1] * 2 + [0] * 30).p == st.mcnemar_exact(10, 2)


def test_sign_flip_does_not_care_which_way_it_counts() -> None:
    draw = random.Random(3)
    steps = [Fraction(draw.randint(-3, 4), 5) for _ in range(60)]
    patterns = {0: 1}
    for step in steps:
        patterns = {
            total: patterns.get(total - step, 0) + patterns.get(total + step, 0) for old in patterns for total in (old + step, old - step)
        }
    exact = sum(number for total, number in patterns.items() if abs(total) >= abs(sum(steps))) / 2 ** len(steps)

    assert st.sign_flip(steps).p == pytest.approx(exact, rel=1e-9)


def test_sign_flip_of_measurements_is_sampled_with_a_stated_seed() -> None:
    draw = random.Random(5)
    values = [draw.gauss(0.3, 1) for _ in range(60)]

    found = st.sign_flip(values)

    assert found.method == "sampled, 10,000 draws, seed 1234"
    assert found == st.sign_flip(values)
    assert found.p == pytest.approx(scipy.stats.ttest_1samp(values, 0).pvalue, abs=0.02)


def test_bootstrap_is_seeded_and_near_the_exact_interval() -> None:
    differences = [-1.0] * 12 + [1.0] * 4 + [0.0] * 84

    found = st.bootstrap_interval(differences)

    assert found == st.bootstrap_interval(differences[::-1])
    assert found == (pytest.approx(-0.16, abs=0.011), pytest.approx(0.0, abs=0.011))
    assert st.bootstrap_interval([]) is None


def test_sample_sizes() -> None:
    assert (st.sample_size(0.03), st.sample_size(0.05)) == (969, 349)
    assert (st.sample_size(0.03, within=(1 / 6, 1 / 6)), st.sample_size(0.05, within=(1 / 6, 1 / 6))) == (3876, 1396)
    assert st.detectable_difference(198, within=(1 / 6, 1 / 6)) == pytest.approx(0.1327, abs=5e-5)
    assert (st.sample_size_of_rates(0.75, 0.8), st.sample_size_of_rates(0.75, 0.8, arcsine=True)) == (1091, 1092)


@pytest.mark.parametrize(
    ("adjust", "expected"),
    [
        (st.holm, [0.03, 0.06, 0.06, 0.02]),
        (st.benjamini_hochberg, [0.02, 0.04, 0.04, 0.02]),
        (st.bonferroni, [0.04, 0.16, 0.12, 0.02]),
        (st.benjamini_yekutieli, [0.041667, 0.083333, 0.083333, 0.041667]),
    ],
)
def test_adjusted_p_values(adjust: Callable[[list[float]], list[float]], expected: list[float]) -> None:
    assert [round(p, 6) for p in adjust([0.01, 0.04, 0.03, 0.005])] == expected


def test_the_example_of_benjamini_and_hochberg() -> None:
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]

    assert sum(q <= 0.05 for q in st.benjamini_hochberg(p)) == 4
    assert sum(q <= 0.05 for q in st.holm(p)) == 3
    assert sum(q <= 0.05 for q in st.bonferroni(p)) == 3
    assert [round(q, 6) for q in st.benjamini_hochberg(p)[:5]] == [0.0015, 0.003, 0.0095, 0.035625, 0.0603]
    for adjust, name in ((st.holm, "holm"), (st.benjamini_hochberg, "fdr_bh"), (st.benjamini_yekutieli, "fdr_by")):
        assert adjust(p) == pytest.approx(multipletests(p, method=name)[1])
    assert st.holm([]) == []


@pytest.mark.parametrize(
    ("table", "expected"),
    [([[20, 5], [10, 15]], 0.4), ([[45, 15], [25, 15]], 0.130435), ([[25, 35], [5, 35]], 0.259259), ([[40, 10], [5, 45]], 0.70)],
)
def test_cohens_kappa(table: list[list[int]], expected: float) -> None:
    found = st.cohen_kappa(table)

    assert found is not None
    assert round(found.value or 0, 6) == expected
    assert found.se == pytest.approx(cohens_kappa(table).std_kappa)


def test_cohens_kappa_has_an_interval() -> None:
    found = st.cohen_kappa([[20, 5], [10, 15]])

    assert found is not None
    assert round(found.se or 0, 6) == 0.126996
    assert rounded((found.low or 0, found.high or 0), 4) == (0.1511, 0.6489)


@pytest.mark.parametrize(("weights", "expected"), [("none", 0.458606), ("linear", 0.516184), ("quadratic", 0.578885)])
def test_weighted_kappa(weights: str, expected: float) -> None:
    found = st.cohen_kappa([[61, 2, 0], [3, 2, 1], [1, 0, 1]], weights=weights)

    assert found is not None
    assert found.value == pytest.approx(expected, abs=1e-6)


def test_a_judge_that_always_passes_agrees_by_chance_alone() -> None:
    found = st.cohen_kappa([[90, 0], [10, 0]])

    assert found is not None
    assert (found.value, found.agreement) == (0.0, 0.9)
    assert st.cohen_kappa([[5, 0], [0, 0]]) == st.Kappa(None, 1.0)
    assert st.cohen_kappa([[0, 0], [0, 0]]) is None


def test_percentiles_interpolate_linearly() -> None:
    assert st.percentile([10, 20, 30, 40], 95) == pytest.approx(38.5)
    assert st.percentile([7.0], 95) == 7.0
    assert st.percentile([], 50) is None


@pytest.mark.parametrize(("a", "b", "x"), [(0.5, 0.5, 0.1), (3, 8, 0.2), (120, 30, 0.81), (2500, 2501, 0.49), (0.5, 2500, 1e-4)])
def test_beta_distribution_agrees_with_scipy(a: float, b: float, x: float) -> None:
    assert distributions.beta_cdf(x, a, b) == pytest.approx(scipy.stats.beta.cdf(x, a, b), rel=1e-9)
    assert distributions.beta_quantile(0.025, a, b) == pytest.approx(scipy.stats.beta.ppf(0.025, a, b), rel=1e-9)


@pytest.mark.parametrize(("t", "df"), [(0.0, 3), (-2.1, 1), (2.108279, 197), (6.5, 9), (12.0, 4999)])
def test_students_t_agrees_with_scipy(t: float, df: int) -> None:
    assert st.t_two_sided(t, df) == pytest.approx(2 * scipy.stats.t.sf(abs(t), df), rel=1e-8)
    assert distributions.t_quantile(0.975, df) == pytest.approx(scipy.stats.t.ppf(0.975, df), rel=1e-9)


@pytest.mark.parametrize(("n", "expected"), [(0, None), (5, None), (6, 1.0), (50, 0.12)])
def test_fewer_than_six_changed_cases_prove_nothing(n: int, expected: float | None) -> None:
    assert st.smallest_possible_drop(n) == expected
    assert (st.minimum_detectable_drop(n, 0.1) is None) == (expected is None)


def test_smallest_possible_drop_follows_alpha_and_repeats() -> None:
    assert st.smallest_possible_drop(50, 0.01) == 8 / 50
    assert st.smallest_possible_drop(50, 0.05, step=1 / 5) == pytest.approx(0.024)


@pytest.mark.parametrize(("n", "share", "drop"), [(20, 0.3, 0.2), (50, 0.1, 0.1), (200, 0.1, 0.05)])
def test_exact_power_agrees_with_the_full_sum(n: int, share: float, drop: float) -> None:
    fall, rise = (share + drop) / 2, (share - drop) / 2
    full = math.fsum(
        scipy.stats.multinomial.pmf([b, c, n - b - c], n, [fall, rise, 1 - fall - rise])
        for b in range(min(n, 60) + 1)
        for c in range(min(b, n - b, 40) + 1)
        if st.mcnemar_exact(b, c) <= 0.05 and b > c
    )

    assert st.mcnemar_power(n, share, drop) == pytest.approx(full, abs=1e-6)


@pytest.mark.parametrize(("n", "share"), [(6, 0.0), (50, 0.1), (200, 0.1), (1000, 0.3), (5000, 0.1)])
def test_the_detectable_drop_is_detected_four_times_in_five(n: int, share: float) -> None:
    drop = st.minimum_detectable_drop(n, share)

    assert drop is not None
    assert st.mcnemar_power(n, share, drop) >= 0.8
    assert st.mcnemar_power(n, share, drop - 0.001) < 0.8
