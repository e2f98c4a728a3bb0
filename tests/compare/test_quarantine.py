"""Quarantines: overdue first, whatever became of the case."""

from __future__ import annotations

from datetime import date

from agenteval.compare.quarantine import quarantined
from agenteval.model.status import Role
from tests.builders import an_attempt

TODAY = date(2026, 12, 1)


def test_overdue_ones_come_first_and_free_cases_are_left_out() -> None:
    later = an_attempt("later", quarantine={"until": "2026-12-15", "reason": "vendor"}, role=Role.QUARANTINED)
    due = an_attempt("due", False, quarantine={"until": "2026-12-01", "reason": "ticket"}, role=Role.QUARANTINED)
    long_due = an_attempt("long_due", quarantine={"until": "2026-09-01", "reason": ""})

    found = quarantined([an_attempt("free"), later, due, long_due], TODAY)

    assert [(case.case_id, case.overdue, case.gated) for case in found] == [
        ("long_due", True, True),
        ("due", True, False),
        ("later", False, False),
    ]


def test_terms_that_no_file_records_are_not_overdue() -> None:
    (case,) = quarantined([an_attempt("old", role=Role.QUARANTINED)], TODAY)

    assert (case.until, case.reason, case.overdue) == ("", "", False)
