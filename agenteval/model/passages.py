"""What a retrieved passage is called and what it says, whatever the retriever names its keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_NAMES = ("id", "source", "doc_id", "document_id", "title", "url")
_TEXTS = ("text", "content", "page_content", "chunk")


def names_of(passage: Mapping[str, Any]) -> list[str]:
    """Everything that a passage can be cited by, the most specific first; its ``metadata`` counts too. Empty where it has no name.

    >>> names_of({"text": "Tokyo", "metadata": {"source": "atlas.md"}})
    ['atlas.md']
    """
    return list(dict.fromkeys(_named(passage)))


def text_of(passage: Mapping[str, Any]) -> str:
    """What a passage says: its text, else every text in it that is no name; "" where it says nothing.

    >>> text_of({"id": "d1", "snippet": "Tokyo is the capital."})
    'Tokyo is the capital.'
    """
    for key in _TEXTS:
        if isinstance(passage.get(key), str):
            return str(passage[key])
    return "\n".join(value for key, value in passage.items() if isinstance(value, str) and key not in _NAMES)


def _named(passage: Mapping[str, Any]) -> Iterator[str]:
    metadata = passage.get("metadata")
    for place in (passage, metadata if isinstance(metadata, Mapping) else {}):
        for key in _NAMES:
            value = place.get(key)
            if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
                yield str(value).strip()
