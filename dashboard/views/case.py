"""Case: what was asked, what was expected, what came, and why it counts as it does."""

from __future__ import annotations

from parts.chrome import view
from parts.one_case import show

show(view())
