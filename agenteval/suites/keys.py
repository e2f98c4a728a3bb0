"""Every key of a native suite: its type, its limits, and the words that the JSON Schema shows for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from agenteval.suites.custom import CaseId, CasesOrPath, EvaluatorList, Keys, ToolList
from agenteval.suites.judge_keys import JudgeKeys
from agenteval.suites.shape import IsoDate, Pattern, Range, Size, Word
from agenteval.suites.user_keys import UserKeys

CORRECTNESS_TYPES = ("exact", "contains", "numeric", "numeric_table", "regex", "json", "llm_judge")
"""The values of ``expects.correctness_type``; what each means, and which keys it needs, is the evaluators' business."""

Reference = Annotated[str, Pattern(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", "of the form module:callable")]
Seconds = Annotated[float, Range(gt=0)]
Times = Annotated[int, Range(ge=1)]
Words = list[Word]


@dataclass(frozen=True)
class Expects:
    """What the answer must be: the short way for the common checks.

    Attributes:
        correctness_type: How the answer is compared with ground_truth; exact where not given.
        ground_truth: The right answer.
        numeric_tolerance: Largest absolute difference of a number that still counts as right.
        must_call_tools: Names of the tools that the agent must call.
        must_not_hallucinate: Whether the answer may hold no figure without support.
        expected_trajectory: The steps (nodes) in order; observed, gated by min_trajectory_f1.
        relevant_context_ids: Ids of the documents that retrieval should find; observed.
        expected_citations: Ids of the documents that the answer should cite; observed.
        reference_context: Texts that support the answer, where the agent reports no retrieved context.
        retained_facts: Facts of earlier turns that this answer must still hold.
        evaluator: Name of a third-party evaluator that decides correctness instead.
        unit: percent where the ground truth is given in percent, rate where it is a share and "12%" means 0.12.
        locale: How the answer writes numbers, e.g. de for 1.234,56; en where not given.
        match: substring lets correctness_type contains find the characters anywhere, also inside words.
    """

    correctness_type: Word = "exact"
    ground_truth: Any = None
    numeric_tolerance: float = 0.01
    must_call_tools: Words = field(default_factory=list)
    must_not_hallucinate: bool = False
    expected_trajectory: Words = field(default_factory=list)
    relevant_context_ids: Words = field(default_factory=list)
    expected_citations: Words = field(default_factory=list)
    reference_context: Words = field(default_factory=list)
    retained_facts: Words = field(default_factory=list)
    evaluator: Annotated[str, Pattern(r"[a-z][a-z0-9_.-]*", "lower-case letters, digits, _, . and -, beginning with a letter")] = ""
    unit: Literal["percent", "rate"] | None = None
    locale: Word = "en"
    match: Literal["words", "substring"] = "words"


ExpectsKeys = Annotated[Mapping[str, Any], Keys(Expects)]


@dataclass(frozen=True)
class TurnKeys:
    """One turn of a conversation.

    Attributes:
        prompt: What the user says in this turn.
        expects: What this turn's answer must be.
        evaluators: Further checks of this turn's answer.
    """

    prompt: Word
    expects: ExpectsKeys = field(default_factory=dict)
    evaluators: Annotated[Any, EvaluatorList()] = ()


@dataclass(frozen=True)
class QuarantineKeys:
    """A case that runs and is shown, but does not gate before a date.

    Attributes:
        until: First day on which the case gates again, e.g. 2026-12-31.
        reason: Why it is in quarantine.
    """

    until: Annotated[str, IsoDate()]
    reason: str = ""


@dataclass(frozen=True)
class CaseKeys:
    """One task: a prompt, turns of a conversation, or a user who follows a script, with what is expected.

    Attributes:
        id: Name of the case, unique over the suite, its datasets and included files.
        prompt: What the agent is asked; of a conversation only a label, what the user says first where not given.
        turns: Turns of a conversation, in one session.
        user: A user who answers the agent by a script, in one session; instead of turns.
        expects: What the answer must be (of a conversation: all answers together).
        evaluators: Further checks, each a name or one entry of a name with its parameters.
        expect_pass: false where the checks should fail; inverts the verdict, never an error.
        turns_required: Whether a failed turn fails the case; true where not given.
        tags: Words to select cases by.
        source: Where the case comes from, e.g. adversarial or production_log.
        parent_id: Id of the case that this one was made from.
        mutation_type: How it was made from its parent.
        review_status: candidate keeps the case out of runs until it is reviewed.
        tools: Tools that the agent has, each a name or a mapping with a name.
        context: Values handed to the agent beside the prompt.
        setup: Function (module:callable) called before the agent.
        teardown: Function (module:callable) called after the agent, whatever happened.
        final_state: Function (module:callable) called after the agent and before the checks; what it returns is kept as raw.final_state.
        model: Model that the agent is to use.
        timeout_s: Deadline of one call of the agent, in seconds.
        repeat: How often the case is executed in a run.
        critical: Whether its failure fails the gate whatever the rates are.
        quarantine: Date and reason of a case that does not gate for now.
        metadata: Anything else, kept with the results.
    """

    id: Annotated[str, CaseId()]
    prompt: Word = ""
    turns: Annotated[list[TurnKeys], Size(1)] = field(default_factory=list)
    user: UserKeys | None = None
    expects: ExpectsKeys = field(default_factory=dict)
    evaluators: Annotated[Any, EvaluatorList()] = ()
    expect_pass: bool = True
    turns_required: bool = True
    tags: Words = field(default_factory=list)
    source: Word | None = None
    parent_id: Word | None = None
    mutation_type: Word | None = None
    review_status: Word | None = None
    tools: Annotated[Any, ToolList()] = ()
    context: dict[str, Any] = field(default_factory=dict)
    setup: Reference | None = None
    teardown: Reference | None = None
    final_state: Reference | None = None
    model: Word | None = None
    timeout_s: Seconds | None = None
    repeat: Times | None = None
    critical: bool = False
    quarantine: QuarantineKeys | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class DefaultsKeys:
    """What every case of the file inherits.

    Attributes:
        expects: Added key by key; a case's own key wins.
        evaluators: Put before a case's own; left out where the case uses the same evaluator.
        expect_pass: As in a case; the case's own wins.
        turns_required: As in a case; the case's own wins.
        tags: Put before a case's own.
        source: As in a case; the case's own wins.
        tools: As in a case; a case's own list replaces it.
        context: Added key by key; a case's own key wins.
        setup: As in a case; the case's own wins.
        teardown: As in a case; the case's own wins.
        final_state: As in a case; the case's own wins.
        model: As in a case; the case's own wins.
        timeout_s: As in a case; the case's own wins.
        repeat: As in a case; the case's own wins.
        critical: As in a case; the case's own wins.
        metadata: Added key by key; a case's own key wins.
    """

    expects: ExpectsKeys = field(default_factory=dict)
    evaluators: Annotated[Any, EvaluatorList()] = ()
    expect_pass: bool = True
    turns_required: bool = True
    tags: Words = field(default_factory=list)
    source: Word | None = None
    tools: Annotated[Any, ToolList()] = ()
    context: dict[str, Any] = field(default_factory=dict)
    setup: Reference | None = None
    teardown: Reference | None = None
    final_state: Reference | None = None
    model: Word | None = None
    timeout_s: Seconds | None = None
    repeat: Times | None = None
    critical: bool = False
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SuiteKeys:
    """A suite: named cases and how to run them.

    Attributes:
        version: Version of the suite format; 1.
        name: Name of the suite, which pairs its runs; the file's name without its suffix where not given.
        description: What the suite is for; decides nothing.
        agent: The agent under test: a name in agents.yaml, or module:callable.
        model: Model that the agent is to use.
        include: Further suite files, relative to this one, whose cases are added behind its own.
        imports: Modules imported before the checks are built.
        defaults: What every case inherits.
        repeat: How often each case is executed in a run; 1 where not given.
        concurrency: How many attempts may execute at a time.
        timeout_s: Deadline of one call of the agent, in seconds.
        judge: Settings of the LLM judge.
        tools: Tools that the agent has, inherited by every case.
        context: Values handed to the agent beside the prompt, inherited by every case key by key.
        metadata: Anything else, kept with the run.
        cases: The cases, or the path of a dataset (.yaml, .yml, .json, .jsonl, .csv) relative to this file.
    """

    version: Annotated[int, Range(ge=1, le=1)] = 1
    name: Annotated[str, CaseId()] = ""
    description: str = ""
    agent: Word | None = None
    model: Word | None = None
    include: Words = field(default_factory=list)
    imports: list[Annotated[str, Pattern(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", "the name of a module")]] = field(default_factory=list)
    defaults: Annotated[Mapping[str, Any], Keys(DefaultsKeys)] = field(default_factory=dict)
    repeat: Times = 1
    concurrency: Times | None = None
    timeout_s: Seconds | None = None
    judge: Annotated[Mapping[str, Any], Keys(JudgeKeys)] = field(default_factory=dict)
    tools: Annotated[Any, ToolList()] = ()
    context: dict[str, Any] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)
    cases: Annotated[Any, CasesOrPath()] = ()
