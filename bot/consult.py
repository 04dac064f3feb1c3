"""The one procedure behind every door: read, complete from the catalogue, size, decide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from bot.catalog.gpus import find_gpu
from bot.catalog.load import Knowledge, load_knowledge
from bot.catalog.models import find_model
from bot.deployment import Deployment, Frozen
from bot.diagnosis.diagnose import diagnose
from bot.diagnosis.verdict import Diagnosis
from bot.evidence import FACTS, Evidence, Fact, Origin, fact_value, merge
from bot.reading.read import read, read_lines
from bot.units import Bytes


class BadFact(Frozen):
    """A fact that could not be used, in one sentence."""

    name: str
    sentence: str


@cache
def knowledge() -> Knowledge:
    """Return the knowledge base, read once a process.

    Raises:
        KnowledgeError: A knowledge file is broken.
    """
    return load_knowledge()


def ask(text: str, facts: Mapping[str, Any] | None = None) -> Diagnosis:
    """Return the diagnosis of a paste, with `facts` counting as answers."""
    return _decide(read(text), facts or {})


def ask_lines(lines: Iterable[str], facts: Mapping[str, Any] | None = None) -> Diagnosis:
    """Return the diagnosis of a long text, read as a stream in bounded memory."""
    return _decide(read_lines(lines), facts or {})


def _decide(evidence: Evidence, facts: Mapping[str, Any]) -> Diagnosis:
    answered, _ = stated(facts, Origin.ANSWERED)
    whole = merge(evidence, answered)
    return diagnose(whole, complete(whole), knowledge())


def stated(facts: Mapping[str, Any], origin: Origin) -> tuple[Evidence, tuple[BadFact, ...]]:
    """Return named values as evidence, and what of them could not be used; `NAME_gib` is NAME in GiB."""
    good: dict[str, Fact] = {}
    bad: list[BadFact] = []
    for key, raw in facts.items():
        name, value = _named(key, raw)
        if name not in FACTS:
            bad.append(BadFact(name=key, sentence=f"{key!r} is no fact I know"))
            continue
        try:
            good[name] = Fact(name=name, value=fact_value(name, value), origin=origin)
        except ValueError as error:
            bad.append(BadFact(name=name, sentence=f"{FACTS[name].label}: {error}"))
    return Evidence(facts=good), tuple(bad)


def _named(key: str, raw: Any) -> tuple[str, Any]:
    name = key.removesuffix("_gib")
    if key in FACTS or name not in FACTS or FACTS[name].type != "bytes":
        return key, raw
    return name, Bytes.gib(float(raw)) if isinstance(raw, (int, float)) else raw


def complete(evidence: Evidence) -> Deployment:
    """Return the deployment that the evidence shows, with its model's shape and its card from the catalogue."""
    deployment = evidence.deployment()
    if deployment.shape is None and deployment.model:
        deployment = _with_model(deployment, deployment.model)
    if deployment.card is None and deployment.gpu:
        deployment = _with_card(deployment, deployment.gpu, evidence)
    return deployment


def _with_model(deployment: Deployment, name: str) -> Deployment:
    found = find_model(name)
    if found.shape is None:
        return deployment
    return deployment.with_(shape=found.shape)


def _with_card(deployment: Deployment, name: str, evidence: Evidence) -> Deployment:
    found = find_gpu(name, evidence.value("gpu_memory") or evidence.value("total"))
    if found.card is None:
        return deployment
    count = deployment.gpu_count or found.count
    return deployment.with_(card=found.card, gpu_count=count)
