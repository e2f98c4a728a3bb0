"""What a customer wants, read from words: an intent and the things it is about."""

from __future__ import annotations

import re
from dataclasses import dataclass

PRODUCTS = ("kettle", "blanket", "headphones", "lamp", "desk", "gift card")

# First match wins: asking for a person outranks everything, a rule is asked about before an order is acted on.
INTENTS = (
    ("escalate", r"\b(human|person|manager|supervisor|complain|lawyer)\b"),
    ("terms", r"\b(return policy|return window|how (long|many days)\b.*\breturn)"),
    ("cancel", r"\bcancel"),
    ("refund", r"\b(refund|money back|return|send (it|this) back)\b"),
    ("track", r"\b(where is|track|arrive|deliver(y|ed)?|when will)\b"),
    ("spent", r"\b(spent|in total|altogether)\b"),
    ("orders", r"\b(my orders|orders (do|did) i|list .*orders)\b"),
    ("stock", r"\b(stock|available|how many)\b"),
    ("price", r"\b(price|cost|how much)\b"),
    ("order", r"\border\b"),
    ("greet", r"^\W*(hi|hello|hey|good (morning|day|evening))\b"),
)


@dataclass(frozen=True, slots=True)
class Request:
    """One message, understood; what it does not name is None."""

    intent: str
    order_id: int | None = None
    email: str | None = None
    product: str | None = None
    as_json: bool = False


def understand(prompt: str) -> Request:
    """The request behind a message.

    >>> understand("Please refund order #1001").intent
    'refund'
    """
    text = prompt.lower()
    order = re.search(r"(?<![\d$.])(\d{4})(?!\d|\.\d)", text)
    email = re.search(r"[\w.]+@[\w.]+\w", text)
    return Request(
        intent=next((intent for intent, pattern in INTENTS if re.search(pattern, text)), "unclear"),
        order_id=int(order.group(1)) if order else None,
        email=email.group() if email else None,
        product=next((product for product in PRODUCTS if product in text), None),
        as_json="json" in text,
    )
