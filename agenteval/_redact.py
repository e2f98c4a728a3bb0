"""Secrets out of text and values."""
from __future__ import annotations


def redact(text: str) -> str:
    return text
