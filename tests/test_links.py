"""Links into the dashboard."""

from __future__ import annotations

from agenteval._links import page_url


def test_hostile_ids_stay_inside_their_parameter() -> None:
    url = page_url("case", agent="a&run=x", run="r#f", case="<b>/../é")

    assert url == "/case?agent=a%26run%3Dx&run=r%23f&case=%3Cb%3E%2F..%2F%C3%A9"
