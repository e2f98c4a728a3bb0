"""Trends: where is each measure heading, and which cases keep failing?"""

from __future__ import annotations

from parts.chrome import view
from parts.trends.page import show

show(view())
