"""A scripted endpoint for every test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.llm.server import Endpoint, endpoint


@pytest.fixture
def model() -> Iterator[Endpoint]:
    """Served on loopback; it says ``{"passed": true}`` until it is scripted."""
    with endpoint() as served:
        yield served
