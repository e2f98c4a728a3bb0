"""Cases in quarantine: until when, why, and whose date has passed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from agenteval.model.attempt import Attempt
from agenteval.model.status import Role, Status


@dataclass(frozen=True, slots=True)
class Quarantined:
    """One case with the terms of its quarantine.

    Attributes:
        until: The day from which it gates again, as the suite writes it (``2026-12-15``); "" where none is recorded.
        overdue: That day has come: the case gates again in the next run, whether or not it is mended.
        gated: It gated in this run already.
    """

    case_id: str
    status: Status
    until: str
    reason: str
    overdue: bool
    gated: bool


def quarantined(attempts: Iterable[Attempt], today: date) -> list[Quarantined]:
    """The quarantined cases among these attempts, overdue ones first, then the earliest date."""
    found = []
    for attempt in attempts:
        terms = attempt.quarantine or {}
        if not terms and attempt.role is not Role.QUARANTINED:
            continue
        until = str(terms.get("until") or "")
        overdue = bool(until) and until <= today.isoformat()
        found.append(
            Quarantined(
                attempt.case_id, attempt.status, until, str(terms.get("reason") or ""), overdue, attempt.role is not Role.QUARANTINED
            )
        )
    return sorted(found, key=lambda case: (not case.overdue, case.until, case.case_id))
