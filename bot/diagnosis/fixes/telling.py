"""A problem's sentences with this case's figures in them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bot.catalog.problem import Problem, Step
from bot.diagnosis.causes import say
from bot.diagnosis.fixes.steps import fill_in
from bot.diagnosis.situation import Situation
from bot.diagnosis.verdict import Told

# A title is always said: an unknown figure and the words that only lead to it are left out.
_DANGLING = re.compile(r"\s+(?:of|with|on|for|from|than|in|to)?\s*\{[a-z_]\w*\}(?:\s+tokens?)?")


def tell(problem: Problem, situation: Situation) -> Told:
    """Return what a reply says of a problem, in this case's figures."""
    return Told(
        title=say_title(problem, situation),
        summary=say(problem.summary, situation),
        diagnostics=tuple(_step(step, situation) for step in problem.diagnostics if say(step.read, situation)),
        prevention=_said(problem.prevention, situation),
        faq=_pairs(((item.ask, item.answer) for item in problem.faq), situation),
        misleading=_pairs(((item.says, (item.but,)) for item in problem.misleading), situation),
        architecture=say(problem.architecture, situation),
    )


def say_title(problem: Problem, situation: Situation) -> str:
    """Return a problem's title, with this case's figures where they are known."""
    return say((problem.title, bare(problem.title)), situation)


def bare(title: str) -> str:
    """Return a title without figures, by which cases with other figures are counted together.

    >>> bare("The KV cache cannot hold one request of {max_model_len} tokens")
    'The KV cache cannot hold one request'
    >>> bare("{attention_heads} attention heads do not divide by tensor parallel size {tensor_parallel}")
    'Attention heads do not divide by tensor parallel size'
    """
    said = _DANGLING.sub("", f" {title}").strip()
    return said if title[:1] != "{" else said[:1].upper() + said[1:]


def _step(step: Step, situation: Situation) -> Step:
    run = fill_in(step.run, situation) or step.run
    return step.model_copy(update={"run": run, "read": (say(step.read, situation),)})


def _said(texts: Iterable[str], situation: Situation) -> tuple[str, ...]:
    return tuple(said for text in texts if (said := say((text,), situation)))


def _pairs(pairs: Iterable[tuple[str, tuple[str, ...]]], situation: Situation) -> tuple[tuple[str, str], ...]:
    return tuple((first, said) for first, texts in pairs if (said := say(texts, situation)))
