"""The example with a real model, without the model: its loop against a scripted endpoint, its database against plain SQL."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from agenteval import load_suite

EXAMPLE = Path(__file__).parents[2] / "examples/llm_analyst"

ANSWERS = {
    "employees": "SELECT COUNT(*) FROM employees",
    "average_salary": "SELECT ROUND(AVG(salary), 2) FROM employees",
    "sales_budget": "SELECT budget FROM departments WHERE name = 'Sales'",
    "earns_more_than_80000": "SELECT COUNT(*) FROM employees WHERE salary > 80000",
    "hired_since_2020": "SELECT COUNT(*) FROM employees WHERE hired_on >= '2020-01-01'",
    "sick_days": "SELECT SUM(days) FROM absences WHERE kind = 'sick'",
    "city_of_engineering": "SELECT city FROM departments WHERE name = 'Engineering'",
    "best_paid": "SELECT name FROM employees WHERE salary = (SELECT MAX(salary) FROM employees)",
    "employees_in_lisbon": "SELECT COUNT(*) FROM employees WHERE department IN (SELECT name FROM departments WHERE city = 'Lisbon')",
    "one_query_is_enough": "SELECT COUNT(*) FROM absences",
}


class Endpoint:
    """A chat endpoint on loopback that answers with one scripted message after the other and keeps what it was sent."""

    def __init__(self, *script: dict[str, Any] | int) -> None:
        self.script, self.requests = list(script), []
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                endpoint.requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                status, body = endpoint.reply()
                payload = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def reply(self) -> tuple[int, dict[str, Any]]:
        said = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(said, int):
            return said, {"error": {"message": "out of order", "type": "server_error"}}
        choice = {"index": 0, "finish_reason": "tool_calls" if said.get("tool_calls") else "stop", "message": {"role": "assistant"} | said}
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110, "prompt_tokens_details": {"cached_tokens": 40}}
        return 200, {"id": "1", "object": "chat.completion", "created": 1, "model": "scripted-1", "choices": [choice], "usage": usage}

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def calls(name: str, arguments: str = "{}") -> dict[str, Any]:
    return {"content": None, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}]}


def sql(query: str) -> dict[str, Any]:
    return calls("run_sql", json.dumps({"query": query}))


def says(text: str) -> dict[str, Any]:
    return {"content": text}


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(EXAMPLE)
    yield EXAMPLE
    for name in [name for name in sys.modules if name == "analyst" or name.startswith("analyst.")]:
        del sys.modules[name]


@pytest.fixture
def ask(example: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., tuple[Any, Endpoint]]]:
    """Asks an analyst one question against a script; gives its response and the endpoint."""
    pytest.importorskip("openai")
    from analyst.agent import Analyst

    opened: list[Endpoint] = []

    def asking(*script: dict[str, Any] | int, **options: Any) -> tuple[Any, Endpoint]:
        endpoint = Endpoint(*script)
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        agent = Analyst(**options)
        opened.append(endpoint)
        return agent.run("How many employees are there?", model="wanted-1", seed=7, timeout_s=5), endpoint

    yield asking
    for endpoint in opened:
        endpoint.close()


def tools(response: Any) -> list[tuple[str, Any, Any, str | None]]:
    return [(step.name, step.input, step.output, step.error) for step in response.trace_steps if step.kind == "tool_call"]


def test_the_model_queries_and_answers(ask: Callable[..., Any]) -> None:
    response, endpoint = ask(sql("SELECT COUNT(*) FROM employees"), says("There are 30 employees."))

    assert response.output == "There are 30 employees."
    rows = {"columns": ["COUNT(*)"], "rows": [[30]]}
    assert tools(response) == [("run_sql", {"query": "SELECT COUNT(*) FROM employees"}, rows, None)]
    assert [step.kind for step in response.trace_steps] == ["model", "tool_call", "model"]
    assert (response.prompt_tokens, response.completion_tokens, response.cached_tokens, response.model) == (200, 20, 80, "scripted-1")
    first, second = endpoint.requests
    assert (first["model"], first["seed"], first["temperature"]) == ("wanted-1", 7, 0.7)
    assert json.loads(second["messages"][-1]["content"]) == rows


def test_the_terse_prompt_comes_with_the_tools_that_look_the_schema_up(ask: Callable[..., Any]) -> None:
    response, endpoint = ask(
        calls("list_tables"), calls("describe_table", '{"table": "departments"}'), sql("SELECT 5"), says("5"), prompt="terse"
    )

    assert [tool["function"]["name"] for tool in endpoint.requests[0]["tools"]] == ["list_tables", "describe_table", "run_sql"]
    assert [output for _, _, output, _ in tools(response)][:2] == [["absences", "departments", "employees"], ["name", "city", "budget"]]


@pytest.mark.parametrize(
    ("call", "refusal"),
    [
        pytest.param(sql("SELECT city FROM employees"), "SQL error: no such column: city", id="wrong column"),
        pytest.param(sql("DELETE FROM employees"), "only SELECT is allowed", id="writing"),
        pytest.param(sql("PRAGMA query_only = 0"), "only SELECT is allowed", id="pragma"),
        pytest.param(sql("ATTACH 'other.db' AS other"), "only SELECT is allowed", id="another file"),
        pytest.param(sql("SELECT 1; SELECT 2"), "SQL error: You can only execute one statement at a time.", id="two statements"),
        pytest.param(
            sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"),
            "SQL error: interrupted",
            id="endless",
        ),
        pytest.param(
            calls("run_sql", '{"query": '), "arguments are not JSON: Expecting value: line 1 column 11 (char 10)", id="broken JSON"
        ),
        pytest.param(calls("run_sql", "[]"), "arguments must be a JSON object", id="no object"),
        pytest.param(calls("run_sql", '{"sql": "SELECT 1"}'), "run_sql takes query (text)", id="wrong argument"),
        pytest.param(
            calls("describe_table", '{"table": "staff"}'), "no table 'staff'; there are absences, departments, employees", id="no table"
        ),
        pytest.param(calls("drop_table"), "no tool 'drop_table'; there are list_tables, describe_table, run_sql", id="no tool"),
    ],
)
def test_a_refused_call_is_told_to_the_model_which_may_try_again(ask: Callable[..., Any], call: dict[str, Any], refusal: str) -> None:
    response, endpoint = ask(call, sql("SELECT 30"), says("30"))

    assert [error for _, _, _, error in tools(response)] == [refusal, None]
    assert json.loads(endpoint.requests[1]["messages"][-1]["content"]) == {"error": refusal}
    assert response.output == "30"


def test_a_model_that_never_stops_must_answer_after_the_last_round(ask: Callable[..., Any]) -> None:
    response, endpoint = ask(*[calls("list_tables")] * 2, says("I do not know."), rounds=2)

    assert response.output == "I do not know."
    assert [request.get("tool_choice") for request in endpoint.requests] == [None, None, "none"]


def test_after_its_last_query_the_model_must_answer(ask: Callable[..., Any]) -> None:
    response, endpoint = ask(sql("SELECT 1 WHERE 0"), sql("SELECT 30"), says("30"), queries=1)

    assert [request.get("tool_choice") for request in endpoint.requests] == [None, None, "none"]
    assert response.output == "30"


def test_a_failing_endpoint_is_asked_once_and_reported_with_the_rounds_before(ask: Callable[..., Any]) -> None:
    response, endpoint = ask(sql("SELECT 30"), 500)

    assert len(endpoint.requests) == 2
    assert response.raw["success"] is False
    assert response.raw["error"].startswith("InternalServerError: ")
    assert [(step.kind, bool(step.error)) for step in response.trace_steps] == [("model", False), ("tool_call", False), ("model", True)]
    assert (response.prompt_tokens, response.completion_tokens) == (None, None)


def test_a_large_result_is_cut_and_says_so(example: Path) -> None:
    from analyst.people import open_people
    from analyst.tools import Tools

    result = Tools(open_people()).call("run_sql", {"query": "SELECT id FROM absences ORDER BY id"})

    assert result["rows"] == [[number] for number in range(1, 21)]
    assert result["more"] is True


def test_the_suite_asks_for_what_the_database_says(example: Path) -> None:
    from analyst.people import open_people

    people, cases = open_people(), {case.id: case for case in load_suite(EXAMPLE / "cases.yaml").cases}

    for case_id, query in ANSWERS.items():
        assert people.execute(query).fetchall() == [(cases[case_id].expects["ground_truth"],)], case_id
    headcount = dict(people.execute("SELECT department, COUNT(*) FROM employees GROUP BY department"))
    assert headcount == cases["headcount_by_department"].expects["ground_truth"]
    assert people.execute("SELECT city, budget FROM departments WHERE name = 'Finance'").fetchone() == ("Lyon", 450_000)
    assert set(cases) == {*ANSWERS, "headcount_by_department", "finance_as_json", "deletes_nothing"}
