"""The agent: understands a message, calls tools, answers, and hands over the evidence of what it did."""

from __future__ import annotations

import json
import random
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any

from agenteval import AgentAdapter, AgentResponse, Step
from agenteval.model.response import ToolCall
from shop.models import DEFAULT, MODELS, Model
from shop.tools import ToolError, Tools, open_shop
from shop.understanding import Request, understand

REMEMBERED_SESSIONS = 200


class SupportAgent(AgentAdapter):
    """A support agent with a memory of its own for each session.

    Args:
        ms_per_token: Time that the model takes for a word; 0 answers at once.
    """

    def __init__(self, ms_per_token: float = 0.0) -> None:
        self._ms_per_token = ms_per_token
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._lock = Lock()

    def run(self, prompt: str, *, session: str | None = None, seed: int = 0, model: str | None = None, **_: Any) -> AgentResponse:
        """The answer to one message, with steps, tool calls, tokens and cost."""
        brain = MODELS[model or DEFAULT]
        if random.Random(seed).random() < brain.moodiness:
            brain = replace(brain, checks_policy=False, guesses_delivery=True)
        call = Call(self._session(session), brain, self._ms_per_token * brain.pace)
        answer = call.answer(prompt)
        return AgentResponse(
            output=answer,
            tool_calls=call.tool_calls,
            nodes_fired=[step.name for step in call.steps],
            prompt_tokens=call.tokens_in,
            completion_tokens=call.tokens_out,
            cost_usd=round((call.tokens_in + call.tokens_out) * brain.usd_per_token, 9),
            trace_steps=call.steps,
            model=brain.name,
        )

    def _session(self, name: str | None) -> Session:
        if name is None:
            return Session()
        with self._lock:
            found = self._sessions.setdefault(name, Session())
            self._sessions.move_to_end(name)
            while len(self._sessions) > REMEMBERED_SESSIONS:
                self._sessions.popitem(last=False)
        return found


@dataclass(slots=True)
class Session:
    """What one conversation has touched and remembers."""

    tools: Tools = field(default_factory=lambda: Tools(open_shop()))
    order_id: int | None = None
    pending: str | None = None


class Call:
    """One message on its way through the agent."""

    def __init__(self, session: Session, model: Model, ms_per_token: float) -> None:
        self.steps: list[Step] = []
        self.tool_calls: list[ToolCall] = []
        self.tokens_in = self.tokens_out = 0
        self._session, self._model, self._ms_per_token = session, model, ms_per_token
        self._began = time.perf_counter()

    def answer(self, prompt: str) -> str:
        """The agent's words; a tool's refusal is told to the customer."""
        began = self._now()
        request = self._recalled(understand(prompt))
        self._think("understand", began, prompt, {"intent": request.intent, "order_id": request.order_id}, len(words(prompt)), 0)
        try:
            handle: Callable[[Request], str] = getattr(self, f"_{request.intent}")
            text = handle(request)
        except ToolError as error:
            text = f"I am sorry, I could not do that: {error}."
        read = len(words(prompt)) + sum(len(words(json.dumps(call.result))) for call in self.tool_calls)
        self._think("answer", self._now(), request.intent, text, read, len(words(text)))
        return text

    def _recalled(self, request: Request) -> Request:
        """The request, completed with what the conversation is about."""
        memory = self._session
        if request.order_id is not None:
            memory.order_id = request.order_id
            if memory.pending is not None and request.intent in ("order", "unclear"):
                request = replace(request, intent=memory.pending)
        memory.pending = request.intent if memory.order_id is None and request.intent in ("refund", "cancel", "track") else None
        return replace(request, order_id=memory.order_id)

    def _greet(self, _: Request) -> str:
        return "Hello! How can I help you with your order?"

    def _unclear(self, _: Request) -> str:
        return "I can help with orders, returns, deliveries, prices and stock. What would you like to know?"

    def _refund(self, request: Request) -> str:
        if request.order_id is None:
            return "I can look into a refund. What is your order number?"
        order = self._use("lookup_order", order_id=request.order_id)
        number, paid = order["order_id"], order["paid"]
        if not self._model.checks_policy:
            self._use("issue_refund", order_id=number, amount=paid)
            return f"All done! Your refund of ${paid:.2f} for order {number} is on its way."
        policy = self._use("check_return_policy", order_id=number)
        if policy["decision"] == "refuse":
            return f"Order {number} is not eligible for a refund: {policy['reason']}."
        if policy["decision"] == "escalate":
            ticket = self._use("escalate", reason="refund above the limit", order_id=number)["ticket"]
            return f"Order {number} can be returned, but {policy['reason']}. A colleague will contact you; your ticket is {ticket}."
        self._use("issue_refund", order_id=number, amount=paid)
        return f"Order {number} is eligible: {policy['reason']}. Your refund of ${paid:.2f} has been issued."

    def _cancel(self, request: Request) -> str:
        if request.order_id is None:
            return "I can cancel an order that has not left yet. What is your order number?"
        order = self._use("lookup_order", order_id=request.order_id)
        if order["status"] != "processing":
            return f"Order {order['order_id']} is {order['status']} and can no longer be cancelled."
        paid = self._use("cancel_order", order_id=order["order_id"])["refunded"]
        return f"Order {order['order_id']} is cancelled and ${paid:.2f} goes back to you."

    def _track(self, request: Request) -> str:
        if request.order_id is None:
            return "I can track it. What is your order number?"
        order = self._use("lookup_order", order_id=request.order_id)
        if order["delivered_on"] is not None:
            return f"Order {order['order_id']} was delivered on {order['delivered_on']}."
        shipment = self._use("track_shipment", order_id=order["order_id"])
        if shipment["status"] == "shipped":
            if self._model.guesses_delivery:
                return f"Order {order['order_id']} is with {shipment['carrier']} and arrives within 48 hours."
            return f"Order {order['order_id']} is with {shipment['carrier']} and is due on {shipment['due_on']}."
        return f"Order {order['order_id']} is {shipment['status']}."

    def _order(self, request: Request) -> str:
        if request.order_id is None:
            return "Which order is it? The number has four digits."
        order = self._use("lookup_order", order_id=request.order_id)
        if request.as_json:
            return json.dumps({name: order[name] for name in ("order_id", "product", "quantity", "paid", "status")})
        return f"Order {order['order_id']}: {order['quantity']} × {order['product']}, ${order['paid']:.2f}, {order['status']}."

    def _orders(self, request: Request) -> str:
        if request.email is None:
            return "Which e-mail address are your orders under?"
        found = self._use("find_orders", email=request.email)
        return "Your orders:\n" + "\n".join(f"- {order['order_id']}: {order['product']}, {order['status']}" for order in found)

    def _spent(self, request: Request) -> str:
        if request.email is None:
            return "Which e-mail address are your orders under?"
        found = self._use("find_orders", email=request.email)
        total = sum(order["paid"] for order in found if order["status"] not in ("cancelled", "refunded"))
        return f"You have spent ${total:,.2f} in total, cancelled and refunded orders left out."

    def _stock(self, request: Request) -> str:
        if request.product is None:
            return "Which product do you mean?"
        units = self._use("check_stock", product=request.product)
        return f"In stock, {request.product} by colour:\n" + "\n".join(f"- {colour}: {count}" for colour, count in units.items())

    def _price(self, request: Request) -> str:
        if request.product is None:
            return "Which product do you mean?"
        return f"Price of the {request.product}: ${self._use('get_price', product=request.product):.2f}."

    def _terms(self, _: Request) -> str:
        terms = self._use("return_terms")
        return f"You can return an order within {terms['window_days']} days of delivery. Final-sale items are excluded."

    def _escalate(self, request: Request) -> str:
        ticket = self._use("escalate", reason="customer asks for a person", order_id=request.order_id)["ticket"]
        return f"I have asked a colleague to contact you; your ticket is {ticket}."

    def _use(self, tool: str, **arguments: Any) -> Any:
        """Call a tool and keep what happened."""
        began, result, refusal = self._now(), None, None
        try:
            result = getattr(self._session.tools, tool)(**arguments)
        except ToolError as error:
            refusal = str(error)
            raise
        finally:
            step = Step("tool_call", tool, arguments, result, began, self._now() - began, error=refusal, id=f"call_{len(self.tool_calls)}")
            self.steps.append(step)
            self.tool_calls.append(ToolCall(tool, arguments, result, refusal, step.id))
        return result

    def _think(self, name: str, began: float, read: Any, written: Any, tokens_in: int, tokens_out: int) -> None:
        """Account for the model's part: its tokens, and the time they take."""
        time.sleep((tokens_in + tokens_out) * self._ms_per_token / 1000)
        self.tokens_in += tokens_in
        self.tokens_out += tokens_out
        cost = (tokens_in + tokens_out) * self._model.usd_per_token
        self.steps.append(Step("model", name, read, written, began, self._now() - began, tokens_in, tokens_out, cost))

    def _now(self) -> float:
        return (time.perf_counter() - self._began) * 1000


def words(text: str) -> list[str]:
    """The pieces that this agent's models count as tokens."""
    return re.findall(r"\w+|[^\w\s]", text)
