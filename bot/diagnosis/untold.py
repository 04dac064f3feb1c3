"""Facts that nobody stated and that the prints of a log decide, for they exclude the default and leave one other value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any

from bot.deployment import Deployment
from bot.diagnosis.completion import lists_its_flags, with_evidence
from bot.diagnosis.fitting import Fitting
from bot.diagnosis.measured import measured_in
from bot.diagnosis.outright import read_off
from bot.diagnosis.ranks import Ranks, ranks_in
from bot.diagnosis.rivals import Rivals, Told, rivals
from bot.diagnosis.say_untold import Untold, ground_of_figure, ground_of_ranks
from bot.evidence import Evidence
from bot.sizing.defaults import with_defaults
from bot.sizing.printed_cache import is_timeless, tokens_in

_MOST_CHANGES = 2  # values that are otherwise than by default
_USUAL_DTYPE = "fp8"
_Values = dict[str, Any]


def work_out(evidence: Evidence, deployment: Deployment, cards: Sequence[str] = ()) -> Untold:
    """Return the deployment with what its log decides; what was stated stays, and so does what several values explain.

    Args:
        evidence: What was read, with the figures of the log.
        deployment: Its settings, with the model's shape and the card that its name usually means.
        cards: The names of the cards that it may mean.
    """
    ranks, told = ranks_in(evidence.lines), Untold(deployment)
    if deployment.shape is None:
        return told
    for name, value, ground in read_off(with_evidence(deployment, evidence), ranks, evidence):
        default, _ = with_defaults(with_evidence(told.deployment, evidence))
        if getattr(default, name) != value:
            told = told.and_({name: value}, default, ground)
    return _by_figures(told, evidence, ranks.get("tensor_parallel"), cards)


def _by_figures(told: Untold, evidence: Evidence, ranks: Ranks | None, cards: Sequence[str]) -> Untold:
    """Return what was told with the values that alone explain the figures, where they exclude the default."""
    base = with_evidence(told.deployment, evidence)
    default, _ = with_defaults(base)
    fitting = _fitting(base, evidence, tells_card=not cards)
    far = fitting.far_off(base)
    if not far:
        return told
    least = ranks.least if ranks and base.tensor_parallel is None else 1
    values = _decide(base, rivals(Told(base, default, fitting.tells_flags), fitting, least, cards), fitting)
    if not values:
        return told
    telling = far if len(values) > 1 else far[:1]  # of several values no single figure need tell all
    grounds = [ground_of_figure(each, fitting.figures, evidence) for each in telling]
    if ranks and least > (default.tensor_parallel or 1):
        named = ground_of_ranks("tensor_parallel", ranks)
        grounds = [named] if values.keys() == {"tensor_parallel"} else [named, *grounds]
    return told.and_(values, default, " and ".join(grounds))._replace(by_figures=tuple(values))


def _fitting(base: Deployment, evidence: Evidence, *, tells_card: bool) -> Fitting:
    """Return the figures to hold against; what a token takes tells only where it is known how the release counts it."""
    seen, needed = measured_in(evidence), evidence.value("kv_needed")
    if seen.kv_tokens is None and seen.gpu_blocks is not None:
        seen = seen.model_copy(update={"kv_tokens": tokens_in(seen.gpu_blocks, base)})
    if not _is_dated(base) and not is_timeless(base):
        seen, needed = seen.model_copy(update={"kv_tokens": None}), None
    return Fitting(seen, lists_its_flags(base, evidence), tells_card, needed)


def _is_dated(base: Deployment) -> bool:
    """Return whether the release is known as far as its first two numbers."""
    since, until = base.version_since, base.version_until
    return base.vllm_version is not None or (
        since is not None and until is not None and since.release[:2] == until.release[:2]
    )


def _decide(base: Deployment, others: Rivals, fitting: Fitting) -> _Values:
    """Return the values that all fitting changes have in common; none where they leave nothing that fits by itself.

    Of changes that fit, those count that give exactly the printed tokens, if any does: but not for the number of ranks,
    each of which prints memory of its own.
    """
    fits = [(change, fit) for change in _changes(others) if (fit := fitting.fit(base.with_(**change))).is_inside]
    exact = [change for change, fit in fits if fit.is_exact] or [change for change, _ in fits]
    found = _common(exact)
    sizes = {change.get("tensor_parallel") for change, _ in fits}
    is_sole = found in exact and sizes == {found.get("tensor_parallel")}
    return found if is_sole and not _is_odd(found) else {}


def _common(changes: Sequence[_Values]) -> _Values:
    first = changes[0] if changes else {}
    return {name: value for name, value in first.items() if all(each.get(name) == value for each in changes)}


def _is_odd(values: _Values) -> bool:
    """Return whether an explanation is one by chance, of a rare dtype with something else, or one that a name tells better."""
    is_rare = len(values) > 1 and values.get("kv_cache_dtype", _USUAL_DTYPE) != _USUAL_DTYPE
    return is_rare or "quantization" in values


def _changes(others: Rivals) -> Iterator[_Values]:
    """Yield every change of at most two values."""
    for count in range(_MOST_CHANGES + 1):
        for names in combinations(others, count):
            for values in product(*(others[name] for name in names)):
                yield dict(zip(names, values, strict=True))
