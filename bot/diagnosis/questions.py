"""Which facts are worth asking for: those where two plausible answers give two different verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from packaging.version import Version

from bot.catalog.alike import close_cards, close_models
from bot.catalog.gpus import find_gpu
from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.diagnosis.amounts.sizings import size_case
from bot.diagnosis.asking import EARLIER_LINES, LOG, THE_ERROR, WANTED, Wanted
from bot.diagnosis.causes import first_standing, show
from bot.diagnosis.conditions import weigh
from bot.diagnosis.identify import with_facts
from bot.diagnosis.situation import Situation
from bot.diagnosis.verdict import CauseVerdict, Question
from bot.evidence import Evidence, ProcessReading
from bot.fact_values import fact_value
from bot.facts import FACTS, Conflict, Fact, Origin
from bot.units import Bytes

if TYPE_CHECKING:
    from bot.catalog.problem import Problem

MOST = 2
"""Questions in one reply; more is an interrogation."""

MOST_CANDIDATES = 5
"""Models to choose from, where a name may mean several."""

LARGEST = ("H200", "B200")
"""Cards to choose from where the usual ones are too small for what the log says."""

NEIGHBOUR_MIB = 20 * 1024
"""What another process holds in the world where there is one."""

_TOLD_BY_A_COMMAND = frozenset(
    {"gpu_memory_utilization", "max_model_len", "tensor_parallel", "max_num_seqs", "max_num_batched_tokens",
     "kv_cache_dtype", "enforce_eager"}
)  # fmt: skip
"""Settings that a launch command has, or leaves as vLLM sets them."""

Verdict = tuple[Any, ...]


def ask(problem: Problem, causes: Sequence[CauseVerdict], situation: Situation) -> tuple[Question, ...]:
    """Return at most two questions, the most telling first."""
    if problem.role == "consequence":
        return (_question(LOG, EARLIER_LINES, situation),)
    earlier = (_question(LOG, EARLIER_LINES, situation),) if _wants_the_log(problem, causes) else ()
    names = [name for name in _open_facts(problem, causes, situation) if _is_open(name, situation)]
    names = [*_told_twice(situation), *names]
    telling = (name for name in dict.fromkeys(names) if name in WANTED and _matters(name, problem, situation))
    return (
        *earlier,
        *(
            _question(name, WANTED[name], situation)
            for name, _ in zip(telling, range(MOST - len(earlier)), strict=False)
        ),
    )


def ask_for_the_error(evidence: Evidence) -> tuple[Question, ...]:
    """Return the question for what happened, where trouble is told that nobody can tell apart, and no error is shown."""
    if any(not failure.is_wrapper for failure in evidence.failures):
        return ()
    text, choices, why, how_to_find_out, _ = THE_ERROR
    return (Question(name=LOG, text=text, choices=choices, why=why, how_to_find_out=how_to_find_out),)


def _wants_the_log(problem: Problem, causes: Sequence[CauseVerdict]) -> bool:
    """Return whether the problem is told apart by earlier lines, and nothing in the paste has settled the cause."""
    standing = first_standing(causes)
    return LOG in problem.questions and (standing is None or standing.cause.is_certain)


def ask_for(names: Iterable[str], situation: Situation) -> tuple[Question, ...]:
    """Return the questions for facts without which nothing can be said."""
    return tuple(_question(name, WANTED[name], situation) for name in names if name in WANTED)


def _open_facts(problem: Problem, causes: Sequence[CauseVerdict], situation: Situation) -> Iterator[str]:
    """Yield the facts that causes wait for, that sizing lacks, and that the problem itself wants to know."""
    waiting = [verdict for verdict in causes if verdict.verdict == "waits"]
    lacking = situation.lacking if is_sized(problem) and not is_settled(problem, causes) else ()
    if len(lacking) > 1:  # as the reply says, there is no fix without them
        yield from lacking
    if first_standing(causes) is None:
        yield from (name for verdict in waiting for name in verdict.waits_for)
    yield from lacking
    yield from problem.questions
    yield from (name for verdict in waiting for name in verdict.waits_for)


def _told_twice(situation: Situation) -> dict[str, tuple[str, ...]]:
    """Return the facts that a person stated in two ways, each with both values."""
    said = (conflict for conflict in situation.evidence.conflicts if _is_said_twice(conflict))
    return {conflict.name: (show(conflict.kept.value), show(conflict.other.value)) for conflict in said}


def _is_said_twice(conflict: Conflict) -> bool:
    return {conflict.kept.origin, conflict.other.origin} == {Origin.PASTED}


def _is_open(name: str, situation: Situation) -> bool:
    """A model or card that was named and that nobody knows is as open as one that was not."""
    if name == "dedicated_gpu" and _shows_others(situation):
        return False
    if name in _TOLD_BY_A_COMMAND and situation.deployment.command:
        return name in situation.lacking
    if name == "tensor_parallel" and situation.fact("gpu_count") == 1:
        return False
    return situation.fact(name) is None or name in situation.lacking


def _shows_others(situation: Situation) -> bool:
    """Return whether the paste tells who is on the card, or that more is in use there than we have taken."""
    is_listed = bool(situation.evidence.processes or situation.fact("instances"))
    return is_listed or bool(situation.measured.other_processes)


def is_sized(problem: Problem) -> bool:
    """Return whether a fix of the problem must fit into a budget."""
    return any(fix.set and fix.is_checked_by_sizing for fix in problem.fixes)


def is_settled(problem: Problem, causes: Sequence[CauseVerdict]) -> bool:
    """Return whether a cause stands whose first remedy no budget could change: a process to end, a request to shorten."""
    standing = first_standing(causes)
    fixes = [fix for fix in problem.fixes if standing and fix.id in standing.cause.fixes]
    first = min(fixes, key=lambda fix: fix.rank, default=None)
    return first is not None and not first.set


def _matters(name: str, problem: Problem, situation: Situation) -> bool:
    """Return whether two plausible answers give two verdicts, what else is unknown being typical."""
    others = [other for other in situation.lacking if other != name]
    answers = _told_twice(situation).get(name) or _of_the_log(name, WANTED[name].worlds, situation)
    worlds = (_in_world(situation, {**_typical(others), name: answer}) for answer in answers)
    verdicts = (_verdict(problem, world) for world in worlds)
    first = next(verdicts, None)
    return any(verdict != first for verdict in verdicts)


def _of_the_log(name: str, answers: tuple[str, ...], situation: Situation) -> tuple[str, ...]:
    """Return the answers that the log leaves: of versions the oldest and the newest that print so, and what lies between."""
    since, until = (situation.fact(f"version_{end}") if name == "vllm_version" else None for end in ("since", "until"))
    if since is None and until is None:
        return answers
    between = [answer for answer in answers if _is_between(Version(answer), since, until)]
    ends = [str(end) for end in (since, until) if end is not None]
    return tuple(sorted({*between, *ends}, key=Version))


def _is_between(version: Version, since: Version | None, until: Version | None) -> bool:
    return (since is None or since <= version) and (until is None or version <= until)


def _typical(names: Iterable[str]) -> dict[str, str]:
    return {name: WANTED[name].worlds[0] for name in names if name in WANTED and WANTED[name].worlds}


def _verdict(problem: Problem, situation: Situation) -> Verdict:
    """Return what a person would be told: the causes that stand, whether it fits, and how long a context."""
    standing = tuple(cause.id for cause in problem.causes if weigh(cause.when, situation).truth)
    budget = situation.budget
    sized = (budget.fits, budget.longest_context, budget.kv_tokens) if budget and is_sized(problem) else ()
    wanted = situation.fact("longest_request")
    return (standing, sized, bool(budget and wanted and wanted <= budget.longest_context))


def _in_world(situation: Situation, answers: dict[str, str]) -> Situation:
    """Return the situation as it would be with these answers."""
    facts = {
        name: Fact(name=name, value=fact_value(name, text), origin=Origin.ANSWERED) for name, text in answers.items()
    }
    evidence = situation.evidence._replace(facts={**situation.evidence.facts, **facts})
    if answers.get("dedicated_gpu") == "false":
        evidence = _with_neighbour(evidence)
    changed = {name: fact.value for name, fact in facts.items() if name in Deployment.model_fields}
    return size_case(replace(situation, evidence=evidence, deployment=with_facts(situation.deployment, changed)))


def _with_neighbour(evidence: Evidence) -> Evidence:
    other = ProcessReading(gpu=0, pid=1, type="C", name="another process", memory_mib=NEIGHBOUR_MIB)
    return evidence._replace(processes=(*evidence.processes, other))


def _question(name: str, wanted: Wanted, situation: Situation) -> Question:
    said, candidates = _candidates(name, situation)
    twice = _told_twice(situation).get(name, ())
    return Question(
        name=name,
        text=f"Which {FACTS[name].label} is “{said}”?" if candidates and not twice else wanted.text,
        choices=twice or candidates or _choices(name, wanted, situation),
        guess=_guess(name, situation),
        why=wanted.why,
        how_to_find_out=wanted.how_to_find_out,
    )


def _candidates(name: str, situation: Situation) -> tuple[str | None, tuple[str, ...]]:
    """Return a model or a card as it was named, and those that the name may mean."""
    told = situation.deployment
    if name == "gpu" and told.gpu and not told.card:
        return told.gpu, close_cards(told.gpu)
    if name != "model" or not told.model or told.shape:
        return None, ()
    return told.model, (find_model(told.model).candidates or close_models(told.model))[:MOST_CANDIDATES]


def _choices(name: str, wanted: Wanted, situation: Situation) -> tuple[str, ...]:
    """Return the answers to choose from; of lengths those below what the model is served with, and that itself."""
    if name == "gpu":
        return tuple(choice for choice in (*wanted.choices, *LARGEST) if _holds(choice, situation))[:MOST_CANDIDATES]
    most = situation.budget.deployment.max_model_len if situation.budget else None
    if name != "longest_request" or not most:
        return _of_the_log(name, wanted.choices, situation)
    return (*(choice for choice in wanted.choices if fact_value(name, choice) < most), show(most))


def _holds(card: str, situation: Situation) -> bool:
    """Return whether a card is as large as what the log says lies on it."""
    found, measured = find_gpu(card).card, situation.measured
    memory = found.torch_memory or found.memory if found else None
    return memory is None or memory >= (measured.weights or Bytes(0)) + (measured.kv_available or Bytes(0))


def _guess(name: str, situation: Situation) -> str | None:
    """Return what the budget assumed for the fact."""
    budget = situation.budget
    value = getattr(budget.deployment, name, None) if budget else None
    return show(value) if value is not None else None
