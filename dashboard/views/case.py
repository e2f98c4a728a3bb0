"""Case: what was asked, what was expected, what came, and why it counts as it does."""

from __future__ import annotations

from parts.case.page import show
from parts.chrome import view

show(view())
