"""What we would have said of a run before it started, beside what its log then printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from bot.deployment import Deployment
from bot.diagnosis.completion import hides_flags, lists_its_flags, with_evidence
from bot.diagnosis.measured import possible, printed_in
from bot.evidence import Evidence
from bot.facts import FACTS, Origin
from bot.sizing.calibrate import FIGURES, Residual, residuals_of, tokens_of_printed_memory
from bot.sizing.checks.refusals import refuse
from bot.sizing.size import UnknownFactsError, size
from bot.sizing.terms import Budget, Measured
from bot.units import Bytes

_CARD = frozenset({"gpu", "gpu_count", "gpu_memory"})
_GO_BY_FLAGS = frozenset({"activations", "kv_available", "kv_tokens"})
_NEED_FLAGS = {"some": _GO_BY_FLAGS, "cut": _GO_BY_FLAGS | {"tokens_of_memory"}}
_LACKS = {"some": "no list of flags", "cut": "no whole list of flags"}
_NOMINAL = (Bytes.gib(22), Bytes.gib(79))  # a small and a large card: what is equal on both depends on neither


class Prediction(NamedTuple):
    """The figures of a log beside what its settings alone foretell; where some or all are missing it says why."""

    residuals: tuple[Residual, ...] = ()
    budget: Budget | None = None
    because: str = ""  # why none, or why not all, of the figures are held against a prediction
    detail: str = ""


def predict(evidence: Evidence, deployment: Deployment, noted: Measured) -> Prediction:
    """Return how the settings of a run foretell its figures; of the log only the card's total counts.

    Without a card, what no card changes is foretold. Without vLLM's list of arguments, or settings that somebody
    wrote down, a flag that is not seen may still have been set: then nothing is said of what such flags decide.

    Args:
        evidence: What was read of the log.
        deployment: Its settings, completed with shape and card.
        noted: Figures that somebody wrote down beside the log.
    """
    printed = printed_in(evidence).model_copy(update=noted.model_dump(exclude_none=True))
    logged = possible(printed)
    odd = tuple(name for name in FIGURES if getattr(logged, name) != getattr(printed, name))
    because = "prints what no run has" if odd else ""
    detail = ", ".join(f"{FACTS[name].label} {getattr(printed, name)}" for name in odd)
    if not any(getattr(logged, name) is not None for name in FIGURES):
        return Prediction(because=because or "no figure that we predict", detail=detail)
    found = _foretold(evidence, deployment, logged)
    if found.because or not odd:
        return found
    return Prediction(residuals=found.residuals, budget=found.budget, because=because, detail=detail)


def left_out(decided: Iterable[str]) -> Prediction:
    """Return why a run is held against nothing: its figures decide these facts, which nobody told."""
    names = ", ".join(FACTS["gpu" if name == "card" else name].label for name in decided)
    return Prediction(because="what nobody told is decided by the figures themselves", detail=names)


def _foretold(evidence: Evidence, deployment: Deployment, logged: Measured) -> Prediction:
    stated = _of_its_engine(with_evidence(deployment, evidence), logged)
    try:
        return _against(stated, logged, _unseen(stated, evidence))
    except UnknownFactsError as error:
        because = "a model that we do not know" if stated.model and "model" in error.names else _untold(error.names)
        return Prediction(because=because, detail=stated.model or "")
    except (ValueError, ArithmeticError) as error:
        return Prediction(because="cannot be sized", detail=str(error))


def _of_its_engine(stated: Deployment, logged: Measured) -> Deployment:
    """Return the deployment with the engine that prints so: V0 alone gives memory and blocks, and no tokens."""
    is_untold = stated.engine is None and stated.vllm_version is None
    prints_blocks = logged.gpu_blocks is not None and logged.kv_available is not None and logged.kv_tokens is None
    return stated.with_(engine="V0") if is_untold and prints_blocks else stated


def _against(stated: Deployment, logged: Measured, unseen: Literal["none", "some", "cut"]) -> Prediction:
    if stated.card is None and stated.gpu_memory is None and logged.total is None:
        found = tuple(_whatever_the_card(stated, logged))
        because = "a GPU that we do not know" if stated.gpu else "no GPU"
        more = ", so only what no card changes is compared" if found else ""
        return Prediction(residuals=found, because=because + more, detail=stated.gpu or "")
    refusal = next(iter(refuse(stated)), None)
    budget = size(stated, Measured(total=logged.total))
    found = residuals_of(budget, logged) + tokens_of_printed_memory(stated, logged)
    because = "" if refusal is None else "ran what we would have refused"
    if unseen == "cut" or (unseen == "some" and budget.deployment.max_num_seqs != stated.max_num_seqs):
        found = tuple(each for each in found if each.term not in _NEED_FLAGS[unseen])
        left = "so only what they leave alone is compared" if found else "and they decide all its figures"
        because = because or f"{_LACKS[unseen]}, {left}"
    return Prediction(residuals=found, budget=budget, because=because, detail=refusal.message if refusal else "")


def _untold(names: tuple[str, ...]) -> str:
    return " and ".join(f"no {FACTS[name].label}" for name in names)


def _whatever_the_card(stated: Deployment, logged: Measured) -> Iterator[Residual]:
    small, large = ({each.term: each for each in _sized(stated, logged, total)} for total in _NOMINAL)
    yield from (each for name, each in small.items() if large.get(name) == each)


def _sized(stated: Deployment, logged: Measured, total: Bytes) -> tuple[Residual, ...]:
    nominal = stated.with_(gpu_memory=total)
    return residuals_of(size(nominal), logged) + tokens_of_printed_memory(nominal, logged)


def _unseen(stated: Deployment, evidence: Evidence) -> Literal["none", "some", "cut"]:
    """Return which flags are not seen: a list that breaks off hides some for certain."""
    facts = evidence.facts
    written_down = any(fact.origin is Origin.ANSWERED for name, fact in facts.items() if name not in _CARD)
    if written_down or lists_its_flags(stated, evidence):
        return "none"
    return "cut" if hides_flags(stated, evidence) else "some"
