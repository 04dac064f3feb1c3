"""The answer to a sizing: the budget, whether it starts, what would fit, what it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.diagnosis.verdict import Diagnosis
from bot.reply.document import Ask, Bullets, Command, Details, Document, Part, Prose, Span, Title
from bot.reply.failures import say_failure
from bot.reply.say_budget import say_budget
from bot.reply.say_details import say_sources
from bot.reply.say_fixes import say_fixes, say_held
from bot.reply.say_serving import say_serving
from bot.reply.spans import remark
from bot.reply.words import setting, tokens
from bot.sizing.serving import Serving
from bot.sizing.terms import Budget


def compose_size(
    diagnosis: Diagnosis, command: str = "", served: Serving | None = None, misread: Sequence[str] = ()
) -> Document:
    """Compose the reply to `size` and `/vllm-size`.

    Args:
        diagnosis: The deployment, sized.
        command: Starts the deployment that was sized.
        served: Its speed, and the people it serves.
        misread: What is said of settings that could not be read: the budget is one without them, and offers nothing.
    """
    verdict = say_verdict(diagnosis)
    head = f"I cannot read {'; '.join(misread)}" if misread else ""
    parts: list[Part] = [Title(text=head or verdict, aside=_setting(diagnosis))]
    if head:
        lead = "Without it" if len(misread) == 1 else "Without them"
        parts.append(
            Prose(
                spans=(
                    Span(text=f"{lead}: {verdict[0].lower() + verdict[1:] if verdict.startswith('It') else verdict}."),
                )
            )
        )
    parts += _sized(diagnosis)
    if not head:
        parts += _offers(diagnosis, command)
    parts += [Ask(question=question) for question in diagnosis.questions[:2]]
    parts += [say_serving(served)] if served else []
    if diagnosis.budget and not diagnosis.refusals:
        told = diagnosis.budget._replace(warnings=())  # they are said already
        parts.append(Details(title="What the numbers rest on", parts=say_sources(told)))
    return Document(summary=head or verdict, parts=tuple(parts), tone="size")


def _sized(diagnosis: Diagnosis) -> Iterator[Part]:
    """Yield the budget, or why there is none, and what is remarkable about it."""
    budget = diagnosis.budget
    if diagnosis.refusals:  # a budget of what cannot be would be no budget
        yield Bullets(items=tuple(Prose(spans=(Span(text=item.message),)) for item in diagnosis.refusals))
    elif budget:
        yield say_budget(budget, diagnosis.evidence.facts)
    yield from (remark(text) for text in _at_once(diagnosis))
    yield from (remark(each.text) for each in diagnosis.contradictions[:2])
    yield from (remark(text) for text in budget.warnings) if budget and not diagnosis.refusals else ()


def _offers(diagnosis: Diagnosis, command: str) -> Iterator[Part]:
    """Yield the command that starts what fits, and what changes what does not."""
    if command and diagnosis.budget and diagnosis.budget.fits and not diagnosis.refusals:
        yield Command(title="Start it", text=command)
    yield from say_fixes(diagnosis)


def _at_once(diagnosis: Diagnosis) -> Iterator[str]:
    """Yield how many of the requests that are to run at the same time do, each as long as it may be."""
    wanted, budget = diagnosis.evidence.value("wanted_concurrency"), diagnosis.budget
    if wanted is None or wanted < 2 or budget is None or diagnosis.refusals or not (budget.fits and budget.keeps_cache):
        return
    held, most = budget.concurrency, budget.deployment.max_num_seqs or wanted
    length = tokens(budget.deployment.max_model_len or 0)
    if min(held, most) >= wanted:
        yield f"All {wanted:,} at the same time fit, at {length} tokens each."
    elif most <= held:
        yield f"Of {wanted:,} at the same time {most:,} run, as many as max_num_seqs lets; the others wait."
    else:
        yield f"Of {wanted:,} at the same time {int(held):,} fit at {length} tokens each; the others wait. Shorter ones take less."


def _setting(diagnosis: Diagnosis) -> str:
    instances = diagnosis.evidence.value("instances")
    shared = f", shared by {instances} servers; all figures are of one" if instances else ""
    return f"{setting(diagnosis.deployment)}{shared}"


def say_verdict(diagnosis: Diagnosis) -> str:
    """Say in one sentence whether it starts and what it holds."""
    budget = diagnosis.budget
    if diagnosis.refusals:
        return "vLLM refuses this deployment"
    if budget is None:
        return "I need to know more to size this"
    if budget.fits:
        return f"It fits{', but barely' if budget.is_within_margin else ''}: {say_held(budget)}"
    return _does_not_fit(budget)


def _does_not_fit(budget: Budget) -> str:
    lead, by = ("It may not fit", "by the estimate ") if budget.is_within_margin else ("It does not fit", "")
    if budget.kv_available <= 0:
        before = " before the first KV block" if budget.keeps_cache else ""
        return f"{lead}: {by}{-budget.kv_available} is missing{before}"
    length = budget.deployment.max_model_len or 0
    if budget.failed_check is None and 0 < budget.longest_context < length:
        return f"It starts, but holds requests up to {tokens(budget.longest_context)} of {tokens(length)} tokens only"
    if budget.longest_context < length:
        return (
            f"{lead}: {by}the longest context that does is {tokens(budget.longest_context)} of {tokens(length)} tokens"
        )
    failed = budget.failed_check
    return f"It does not start: {say_failure(failed.problem) or failed.message}" if failed else "It does not fit"
