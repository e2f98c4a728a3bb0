"""What pages ought to show, worked out from the stored files by other code: json, statistics, scipy and statsmodels alone.

Nothing of the product is imported. Rules are those that docs/statistics.md and docs/artifacts.md state.
"""

from tests.dashboard.oracle.measures import Measure, measures, percentile, wilson
from tests.dashboard.oracle.pairs import Change, Delta, Pair, change, deltas, gone, holm, matrix, new, pairs, ratios, typical
from tests.dashboard.oracle.repeats import Flips, curve, flips, steadiness
from tests.dashboard.oracle.stored import (
    STATUSES,
    Folder,
    Record,
    Run,
    decided,
    fed,
    kin,
    latency,
    number_read,
    read,
    score,
    status,
    tokens,
)

__all__ = [
    "STATUSES",
    "Change",
    "Delta",
    "Flips",
    "Folder",
    "Measure",
    "Pair",
    "Record",
    "Run",
    "change",
    "curve",
    "decided",
    "deltas",
    "fed",
    "flips",
    "gone",
    "holm",
    "kin",
    "latency",
    "matrix",
    "measures",
    "new",
    "number_read",
    "pairs",
    "percentile",
    "ratios",
    "read",
    "score",
    "status",
    "steadiness",
    "tokens",
    "typical",
    "wilson",
]
