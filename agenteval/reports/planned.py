"""What a run would do, as text and JSON."""

from __future__ import annotations

from dataclasses import asdict

from agenteval import _format
from agenteval._files import dumps
from agenteval._text import plain
from agenteval.runner.listing import Listing


def planned_text(listing: Listing, *, calls: bool) -> str:
    """One line a case (``--list``), or with ``calls`` also attempts, calls and known cost (``--dry-run``)."""
    lines = []
    for row in listing.rows:
        parts = [plain(row.case_id)]
        if row.tags:
            parts.append(f"[{plain(', '.join(row.tags))}]")
        if row.role:
            parts.append(f"({row.role})")
        if row.attempts > 1 or calls:
            parts.append(_format.count(row.attempts, "attempt"))
        lines.append("  ".join(parts))
    out = f", {listing.left_out} left out" if listing.left_out else ""
    lines.append(f"{_format.count(len(listing.rows), 'case')} of {plain(listing.suite)} for {plain(listing.agent)}{out}")
    if calls:
        most = "at most " if listing.at_most else ""
        lines.append(f"{most}{_format.count(listing.calls, 'call')} of the agent; {_cost(listing)}")
    return "\n".join(lines)


def _cost(listing: Listing) -> str:
    if listing.cost_usd is None:
        return "cost unknown: no stored run of this suite recorded one"
    unknown = f", unknown for {_format.count(listing.unpriced, 'case')}" if listing.unpriced else ""
    return f"about {_format.usd(listing.cost_usd)} by run {listing.cost_from}{unknown}"


def planned_json(listing: Listing) -> str:
    """The same as one JSON object."""
    return dumps({**asdict(listing), "calls": listing.calls}).decode()
