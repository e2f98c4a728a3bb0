"""Times as the product writes them: UTC, ISO 8601."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    """The current time, aware, UTC."""
    return datetime.now(UTC)


def iso(moment: datetime) -> str:
    """``2026-11-30T22:28:02.230Z``: milliseconds, UTC.

    >>> iso(datetime(2026, 11, 30, 22, 28, 2, 230377, tzinfo=UTC))
    '2026-11-30T22:28:02.230Z'
    """
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def stamp(moment: datetime) -> str:
    """``20261130T222802Z``, as run ids begin."""
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def parse(text: str) -> datetime:
    """The aware moment of an ISO time; without an offset it is UTC.

    Raises:
        ValueError: Not a time.
    """
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
