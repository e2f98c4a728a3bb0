"""Flips over runs, groups that flake together and quarantines as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agenteval.compare.flips import CaseFlips
from agenteval.compare.quarantine import Quarantined
from agenteval.compare.together import FlakeGroup

if TYPE_CHECKING:
    import pandas as pd


def flip_rows(cases: Sequence[CaseFlips]) -> pd.DataFrame:
    """One row a case, in the given order.

    Returns:
        Columns ``case_id`` (str), ``flips``, ``transitions``, ``same_version_flips``, ``same_version_transitions``, ``passed_runs``,
        ``decided_runs`` (int), ``last_flip_run``, ``last_from``, ``last_to`` (str, "" without a flip).
    """
    import pandas as pd

    names = ["case_id", "flips", "transitions", "same_version_flips", "same_version_transitions", "passed_runs", "decided_runs"]
    return pd.DataFrame(
        [
            (
                *(case.case_id, case.flips, case.transitions, case.same_version, case.same_version_transitions, case.passed, case.decided),
                *(str(value or "") for value in (case.last_run, case.last_from, case.last_to)),
            )
            for case in cases
        ],
        columns=[*names, "last_flip_run", "last_from", "last_to"],
    )


def group_rows(groups: Sequence[FlakeGroup]) -> pd.DataFrame:
    """One row a group.

    Returns:
        Columns ``cases`` (str, separated by "; "), ``basis`` (str), ``phi``, ``p`` (float, NaN without a test), ``observations`` (int),
        ``shared`` (str, separated by "; ").
    """
    import pandas as pd

    frame = pd.DataFrame(
        [("; ".join(g.cases), g.basis, g.correlation, g.p, g.observations, "; ".join(g.shared)) for g in groups],
        columns=["cases", "basis", "phi", "p", "observations", "shared"],
    )
    return frame.astype({"phi": "float64", "p": "float64"})


def quarantine_rows(cases: Sequence[Quarantined]) -> pd.DataFrame:
    """One row a quarantined case.

    Returns:
        Columns ``case_id``, ``status``, ``until`` (ISO date, "" unknown), ``reason`` (str), ``overdue``, ``gated`` (bool).
    """
    import pandas as pd

    return pd.DataFrame(
        [(case.case_id, case.status.value, case.until, case.reason, case.overdue, case.gated) for case in cases],
        columns=["case_id", "status", "until", "reason", "overdue", "gated"],
    )
