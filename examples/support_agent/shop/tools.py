"""What the agent can do in the shop: each tool reads or writes the database and returns plain values."""

from __future__ import annotations

import sqlite3
from datetime import date
from pathlib import Path
from typing import Any


class ToolError(Exception):
    """A tool refused; its text is what the agent is told."""


def open_shop() -> sqlite3.Connection:
    """A fresh shop in memory, so that no conversation sees what another one did."""
    shop = sqlite3.connect(":memory:", check_same_thread=False)
    shop.row_factory = sqlite3.Row
    shop.executescript(Path(__file__).with_name("shop.sql").read_text(encoding="utf-8"))
    return shop


class Tools:
    """The tools over one shop; the public methods are what the agent may call."""

    def __init__(self, shop: sqlite3.Connection) -> None:
        self._shop = shop

    def lookup_order(self, order_id: int) -> dict[str, Any]:
        """The order with its customer's name."""
        row = self._shop.execute(
            "SELECT id AS order_id, name AS customer, product, quantity, paid, status, delivered_on"
            " FROM orders JOIN customers USING (email) WHERE id = ?",
            (order_id,),
        ).fetchone()
        if row is None:
            raise ToolError(f"no order {order_id}")
        return dict(row)

    def find_orders(self, email: str) -> list[dict[str, Any]]:
        """The customer's orders, oldest first."""
        query = "SELECT id AS order_id, product, paid, status FROM orders WHERE email = ? ORDER BY id"
        rows = self._shop.execute(query, (email,)).fetchall()
        if not rows:
            raise ToolError(f"no customer {email}")
        return [dict(row) for row in rows]

    def track_shipment(self, order_id: int) -> dict[str, Any]:
        """Carrier and due date of an order on its way."""
        row = self._shop.execute("SELECT status, carrier, due_on FROM orders WHERE id = ?", (order_id,)).fetchone()
        if row is None:
            raise ToolError(f"no order {order_id}")
        return dict(row)

    def check_return_policy(self, order_id: int) -> dict[str, Any]:
        """Whether the order may be refunded without a person, and why not."""
        order = self._order(order_id)
        window, limit = int(self._fact("return_window_days")), float(self._fact("refund_limit"))
        policy: dict[str, Any] = {"window_days": window}
        if order["status"] != "delivered":
            return policy | {"decision": "refuse", "reason": f"the order is {order['status']}"}
        days = (date.fromisoformat(self._fact("today")) - date.fromisoformat(order["delivered_on"])).days
        policy["days_since_delivery"] = days
        if order["final_sale"]:
            return policy | {"decision": "refuse", "reason": f"a {order['product']} is final sale"}
        if days > window:
            return policy | {"decision": "refuse", "reason": f"it was delivered {days} days ago and the return window is {window} days"}
        if order["paid"] > limit:
            return policy | {"decision": "escalate", "reason": f"refunds above ${limit:.2f} need a person"}
        return policy | {"decision": "refund", "reason": f"it was delivered {days} days ago, within the {window} days of the return window"}

    def issue_refund(self, order_id: int, amount: float) -> dict[str, Any]:
        """Pays back; the money is gone, whatever the policy says."""
        if self._order(order_id)["status"] == "refunded":
            raise ToolError(f"order {order_id} is refunded already")
        self._shop.execute("INSERT INTO refunds VALUES (?, ?)", (order_id, amount))
        self._shop.execute("UPDATE orders SET status = 'refunded' WHERE id = ?", (order_id,))
        return {"order_id": order_id, "refunded": amount}

    def cancel_order(self, order_id: int) -> dict[str, Any]:
        """Stops an order that has not left the house."""
        order = self._order(order_id)
        if order["status"] != "processing":
            raise ToolError(f"order {order_id} is {order['status']}")
        self._shop.execute("UPDATE orders SET status = 'cancelled' WHERE id = ?", (order_id,))
        return {"order_id": order_id, "refunded": order["paid"]}

    def check_stock(self, product: str) -> dict[str, int]:
        """Units by colour."""
        rows = self._shop.execute("SELECT colour, units FROM stock WHERE product = ? ORDER BY rowid", (product,)).fetchall()
        return {row["colour"]: row["units"] for row in rows}

    def get_price(self, product: str) -> float:
        """Price in USD."""
        return float(self._shop.execute("SELECT price FROM products WHERE name = ?", (product,)).fetchone()["price"])

    def escalate(self, reason: str, order_id: int | None = None) -> dict[str, Any]:
        """Hands over to a person; the ticket's number is for the customer."""
        query = "INSERT INTO tickets (id, order_id, reason) SELECT 501 + COUNT(*), ?, ? FROM tickets"
        return {"ticket": self._shop.execute(query, (order_id, reason)).lastrowid}

    def return_terms(self) -> dict[str, Any]:
        """The rules of returns, in numbers."""
        return {"window_days": int(self._fact("return_window_days")), "refund_limit": float(self._fact("refund_limit"))}

    def _order(self, order_id: int) -> sqlite3.Row:
        row: sqlite3.Row | None = self._shop.execute(
            "SELECT orders.*, final_sale FROM orders JOIN products ON products.name = product WHERE id = ?", (order_id,)
        ).fetchone()
        if row is None:
            raise ToolError(f"no order {order_id}")
        return row

    def _fact(self, name: str) -> str:
        return str(self._shop.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()["value"])
