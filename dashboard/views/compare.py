"""Compare: two runs, metric by metric and case by case."""

from __future__ import annotations

from parts.chrome import view
from parts.compare.page import show

show(view())
