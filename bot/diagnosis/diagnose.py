"""Evidence and knowledge to a diagnosis: the one function that joins the steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from bot.catalog.problem import Problem
from bot.deployment import Deployment
from bot.diagnosis.amounts.processes import other_process_memory
from bot.diagnosis.amounts.sizings import size_case
from bot.diagnosis.causes import first_standing, judge_causes
from bot.diagnosis.completion import say_cut_list, say_release, with_evidence
from bot.diagnosis.contradictions import ask_what_ran, contradictions_in, is_unexplained
from bot.diagnosis.fixes.prescriptions import Prescribed, prescribe, without_risk, without_sized
from bot.diagnosis.fixes.telling import say_title, tell
from bot.diagnosis.foretell import foretell
from bot.diagnosis.measured import measured_in
from bot.diagnosis.questions import MOST, ask, ask_for, ask_for_the_error, is_settled, is_sized
from bot.diagnosis.situation import Situation
from bot.diagnosis.unheard import uncounted, unheard, unread
from bot.diagnosis.verdict import CauseVerdict, Diagnosis, Question, Seen
from bot.diagnosis.wordings.fingerprint import fingerprint_of
from bot.diagnosis.wordings.ranking import independent
from bot.diagnosis.wordings.recognise import Recognised, recognise
from bot.diagnosis.wordings.scanners import hits_in
from bot.diagnosis.wordings.search import Hit
from bot.diagnosis.wordings.values import facts_in
from bot.evidence import Evidence, merge
from bot.facts import FACTS

if TYPE_CHECKING:
    from bot.catalog.load import Knowledge


def diagnose(evidence: Evidence, deployment: Deployment, knowledge: Knowledge) -> Diagnosis:
    """Return the verdict on a case.

    Args:
        evidence: What the paste shows.
        deployment: The evidence's deployment, completed with shape and card.
        knowledge: Problems and flags.
    """
    hits = hits_in(knowledge, evidence.lines)
    whole = merge(facts_in(hits), evidence)
    recognised = recognise(hits, whole, knowledge.problems.values())
    if not recognised.matches and recognised.concern == "none":
        return _without_problem(whole, deployment, recognised, knowledge)
    situation = look_into(whole, deployment, hits)
    recognised = foretell(situation, recognised, knowledge.problems)
    if not recognised.matches:
        return _without_problem(whole, situation.deployment, recognised, knowledge)
    return _with_problem(situation, recognised, knowledge)


def look_into(evidence: Evidence, deployment: Deployment, hits: tuple[Hit, ...]) -> Situation:
    """Return the situation of a case with its budget; what others hold on the card counts as measured."""
    measured = measured_in(evidence)
    situation = Situation(evidence, with_evidence(deployment, evidence), hits, measured)
    others = other_process_memory(situation)
    if others:
        situation = replace(situation, measured=measured.model_copy(update={"other_processes": others}))
    return size_case(situation)


def _without_problem(
    evidence: Evidence, deployment: Deployment, recognised: Recognised, knowledge: Knowledge
) -> Diagnosis:
    return Diagnosis(
        evidence=evidence,
        deployment=deployment,
        fingerprint=fingerprint_of(None, None, evidence) if recognised.is_for_us else None,
        questions=ask_for_the_error(evidence) if recognised.is_open else (),
        remarks=(*unheard(evidence, knowledge.flags), *unread(evidence)),
        is_for_us=recognised.is_for_us,
    )


def _unused(situation: Situation, problem: Problem, knowledge: Knowledge) -> Iterator[str]:
    """Yield what of the launch command was not used, or not as it was written."""
    yield from unheard(situation.evidence, knowledge.flags)
    yield from unread(situation.evidence)
    if situation.budget is not None and is_sized(problem):
        yield from uncounted(situation.evidence, knowledge.flags)
        yield from say_cut_list(situation.deployment, situation.evidence)


def _with_problem(situation: Situation, recognised: Recognised, knowledge: Knowledge) -> Diagnosis:
    problem = recognised.matches[0].problem
    causes = judge_causes(problem, situation)
    cause = first_standing(causes)
    prescribed, questions = _ways_on(recognised, causes, situation, knowledge)
    wanting = _wanting(problem, causes, _lacking(situation, prescribed, questions))
    return Diagnosis(
        evidence=situation.evidence,
        deployment=situation.deployment,
        problem=problem,
        told=tell(problem, situation),
        **_matched(recognised, situation, knowledge),
        causes=causes,
        cause=cause,
        budget=situation.budget,
        refusals=situation.refusals,
        prescriptions=prescribed.prescriptions,
        rejected=prescribed.rejected,
        questions=questions,
        contradictions=contradictions_in(problem, situation),
        remarks=(*_remarks(situation, problem, knowledge), *wanting, *_refused(problem, situation, prescribed)),
        fingerprint=fingerprint_of(problem, cause.cause if cause else None, situation.evidence),
        confidence=_confidence(recognised, cause),
    )


def _matched(recognised: Recognised, situation: Situation, knowledge: Knowledge) -> dict[str, Any]:
    """Return what was recognised, and how surely it is meant for us."""
    return {
        "match": recognised.match,
        "matches": recognised.matches,
        "also": tuple(match.problem.id for match in recognised.matches[1:]),
        "also_seen": _also_seen(recognised, situation, knowledge),
        "is_for_us": recognised.is_for_us,
    }


def _ways_on(
    recognised: Recognised, causes: Sequence[CauseVerdict], situation: Situation, knowledge: Knowledge
) -> tuple[Prescribed, tuple[Question, ...]]:
    """Return what to change and what to ask; where the budget excludes the failure, to ask comes first.

    What is only like a message of the problem calls for nothing that is dangerous, and for the message itself.
    """
    problem = recognised.matches[0].problem
    prescribed = prescribe(problem, causes, situation, knowledge.flags, knowledge.problems)
    questions = ask(problem, causes, situation)
    if recognised.match == "exact" and is_sized(problem) and not is_settled(problem, causes):
        lacking = _lacking(situation, prescribed, questions)
        questions = (*questions, *ask_for(lacking, situation))[:MOST]
    if is_unexplained(problem, causes, situation):
        prescribed, questions = without_sized(prescribed), (ask_what_ran(), *questions)[:MOST]
    if recognised.match != "exact":
        return without_risk(prescribed), questions or ask_for_the_error(situation.evidence)
    return prescribed, questions


def _remarks(situation: Situation, problem: Problem, knowledge: Knowledge) -> Iterator[str]:
    """Yield what else is worth a sentence: the release that places tell, and what of a command was not used."""
    yield from say_release(situation.evidence)
    yield from _unused(situation, problem, knowledge)


def _lacking(situation: Situation, prescribed: Prescribed, questions: Sequence[Question]) -> list[str]:
    """Return the facts that sizing lacks and nobody is asked for, where no command could be offered."""
    if any(item.command for item in prescribed.prescriptions):
        return []
    asked = {question.name for question in questions}
    return [name for name in situation.lacking if name in FACTS and name not in asked]


def _also_seen(recognised: Recognised, situation: Situation, knowledge: Knowledge) -> tuple[Seen, ...]:
    others = independent(recognised.matches, knowledge.problems)
    return tuple(
        Seen(problem=match.problem.id, title=say_title(match.problem, situation), line=match.line.number)
        for match in others
        if match.line
    )


def _wanting(problem: Problem, causes: Sequence[CauseVerdict], lacking: Sequence[str]) -> tuple[str, ...]:
    """Say without which facts no command can be given."""
    if not lacking or not is_sized(problem) or is_settled(problem, causes):
        return ()
    named = " and the ".join(FACTS[name].label for name in lacking)
    return (f"A fix with its command and figures needs the {named}, which I do not know.",)


def _refused(problem: Problem, situation: Situation, prescribed: Prescribed) -> tuple[str, ...]:
    """Say what stands against every change, where no command could be offered for it."""
    others = [
        each for each in situation.refusals if each.problem != problem.id and each.problem not in situation.problems
    ]
    if not others or not is_sized(problem) or any(item.command for item in prescribed.prescriptions):
        return ()
    return (f"I can offer no change, for vLLM would refuse this deployment: {others[0].message}.",)


def _confidence(recognised: Recognised, cause: CauseVerdict | None) -> Literal["high", "medium", "low"]:
    if recognised.match != "exact":
        return "low"
    return "high" if cause else "medium"
