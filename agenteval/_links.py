"""Links into the dashboard: what its URLs hold, so that reports and pages agree."""

from __future__ import annotations

from urllib.parse import urlencode

PARAMETERS = ("agent", "run", "baseline", "case", "attempt")
"""What a view's URL holds, in this order."""


def query(
    *, agent: str | None = None, run: str | None = None, baseline: str | None = None, case: str | None = None, attempt: int | None = None
) -> dict[str, str]:
    """The URL parameters of a view; what is None is left out.

    >>> query(agent="bot", attempt=2)
    {'agent': 'bot', 'attempt': '2'}
    """
    given = {"agent": agent, "run": run, "baseline": baseline, "case": case, "attempt": attempt}
    return {name: str(value) for name, value in given.items() if value is not None}


def page_url(
    page: str,
    *,
    agent: str | None = None,
    run: str | None = None,
    baseline: str | None = None,
    case: str | None = None,
    attempt: int | None = None,
) -> str:
    """Path and query of a page, to be put behind the dashboard's address.

    >>> page_url("case", agent="bot", run="20261130T222802Z-ff60109-3f2a11", case="a b")
    '/case?agent=bot&run=20261130T222802Z-ff60109-3f2a11&case=a+b'
    >>> page_url("overview")
    '/'
    """
    path = "/" if page == "overview" else f"/{page}"
    text = urlencode(query(agent=agent, run=run, baseline=baseline, case=case, attempt=attempt))
    return f"{path}?{text}" if text else path
