"""The statistics of the product in one place: closed forms in Python's own ``math``; numpy only inside resampling."""

from agenteval.compare.agreement import Kappa, cohen_kappa
from agenteval.compare.distributions import normal_quantile, t_two_sided
from agenteval.compare.intervals import clopper_pearson, jeffreys, newcombe_paired, rule_of_three, wilson, wilson_corrected
from agenteval.compare.multiplicity import benjamini_hochberg, benjamini_yekutieli, bonferroni, holm
from agenteval.compare.paired import (
    PairedT,
    SignFlip,
    bootstrap_interval,
    correlation,
    mcnemar_chi_square,
    mcnemar_exact,
    mcnemar_mid_p,
    paired_t,
    sign_flip,
)
from agenteval.compare.percentiles import percentile
from agenteval.compare.power import (
    detectable_difference,
    mcnemar_power,
    minimum_detectable_drop,
    sample_size,
    sample_size_of_rates,
    smallest_possible_drop,
)
from agenteval.compare.repeated import by_cluster, clustered_se, pass_at_k, pass_hat_k, standard_error

__all__ = [
    "Kappa",
    "PairedT",
    "SignFlip",
    "benjamini_hochberg",
    "benjamini_yekutieli",
    "bonferroni",
    "bootstrap_interval",
    "by_cluster",
    "clopper_pearson",
    "clustered_se",
    "cohen_kappa",
    "correlation",
    "detectable_difference",
    "holm",
    "jeffreys",
    "mcnemar_chi_square",
    "mcnemar_exact",
    "mcnemar_mid_p",
    "mcnemar_power",
    "minimum_detectable_drop",
    "newcombe_paired",
    "normal_quantile",
    "paired_t",
    "pass_at_k",
    "pass_hat_k",
    "percentile",
    "rule_of_three",
    "sample_size",
    "sample_size_of_rates",
    "sign_flip",
    "smallest_possible_drop",
    "standard_error",
    "t_two_sided",
    "wilson",
    "wilson_corrected",
]
