import functools

import pytest

from agenteval.adapters.loading import agent_name, load_agent
from agenteval.errors import InputError


class Bot:
    def __init__(self, tone: str = "kind", limit: int = 3) -> None:
        self.tone = tone

    def run(self, prompt: str, *, case_id: str, seed: int) -> str:
        return f"{self.tone}: {prompt}"


class Asynchronous:
    async def run(self, prompt: str, **context: object) -> str:
        return prompt


class Callable:
    def __call__(self, prompt: str) -> str:
        return prompt


def plain(prompt: str) -> str:
    return prompt


def no_prompt() -> str:
    return ""


def with_option(prompt: str, tone: str) -> str:
    return tone + prompt


def test_a_class_is_built_with_its_options_and_called_through_run():
    agent = load_agent("tests.adapters.test_loading:Bot", {"tone": "rude"})

    assert agent.call("hi", case_id="a", seed=1) == "rude: hi"
    assert agent.accepts == {"case_id", "seed"}
    assert not agent.is_async


def test_only_what_the_signature_takes_is_passed():
    assert load_agent(plain).accepts == frozenset()
    assert load_agent(Asynchronous()).accepts == {"case_id", "repetition", "seed", "session", "model", "context", "timeout_s"}


@pytest.mark.parametrize(
    ("found", "is_async"),
    [(plain, False), (Asynchronous, True), (Callable(), False), (functools.partial(with_option, tone="x"), False)],
    ids=["function", "async class", "callable object", "partial"],
)
def test_kinds_of_agents(found, is_async):
    assert load_agent(found).is_async is is_async


def test_a_function_takes_options_by_name():
    assert load_agent(with_option, {"tone": "a"}).call("b") == "ab"


@pytest.mark.parametrize(
    ("reference", "options", "message"),
    [
        ("no-colon", {}, "--agent: 'no-colon' is not of the form module:callable; write for example my_project.agent:answer"),
        (
            "tests.adapters.test_loading:Bott",
            {},
            "--agent: 'tests.adapters.test_loading' has no attribute 'Bott'; did you mean 'Bot'?",
        ),
        (
            "nowhere_at_all:x",
            {},
            "--agent: cannot import 'nowhere_at_all' (ModuleNotFoundError: No module named 'nowhere_at_all'); "
            "check the name, the working directory and the agent's own requirements",
        ),
        (
            "tests.adapters.test_loading:Bot",
            {"tonne": "x"},
            "--agent: adapter_options.tonne: unknown adapter option 'tonne'; did you mean 'tone'? accepted: tone, limit",
        ),
        (
            "tests.adapters.test_loading:__name__",
            {},
            "--agent: 'tests.adapters.test_loading:__name__' is a str, not an agent; name a callable, or a class with run(prompt)",
        ),
        (
            "tests.adapters.test_loading:no_prompt",
            {},
            "--agent: 'tests.adapters.test_loading:no_prompt' takes no argument; an agent takes the prompt first: def answer(prompt): ...",
        ),
    ],
    ids=["form", "attribute", "module", "option", "not callable", "no argument"],
)
def test_an_agent_that_cannot_be_loaded_is_refused_with_the_way_out(reference, options, message):
    with pytest.raises(InputError) as error:
        load_agent(reference, options)

    assert str(error.value) == message


def test_a_module_that_exits_at_import_is_a_problem_not_the_end(tmp_path, monkeypatch):
    (tmp_path / "exits_at_import.py").write_text("import sys\nsys.exit('no key')\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    with pytest.raises(InputError, match=r"cannot import 'exits_at_import' \(SystemExit: no key\)"):
        load_agent("exits_at_import:agent")


@pytest.mark.parametrize(
    ("reference", "name"),
    [("a.b:SupportAgent", "support_agent"), ("m:answer", "answer"), ("m:Make.run", "run"), ("m:HTTPBot2", "httpbot2")],
)
def test_an_agent_named_by_reference_gets_a_folder_name(reference, name):
    assert agent_name(reference) == name
