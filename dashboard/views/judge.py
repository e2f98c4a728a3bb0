"""Judge: how far does it agree with people, and may gates stand on it?"""

from __future__ import annotations

from parts.chrome import opened_view
from parts.judge.page import show

show(opened_view())
