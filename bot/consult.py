"""The one procedure behind every door: read, complete from the catalogue, size, decide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from bot.catalog.load import Knowledge, load_knowledge, load_lazily
from bot.deployment import Deployment
from bot.diagnosis.appraise import appraise
from bot.diagnosis.fixes.assumed import absent_settings, without_absent
from bot.diagnosis.fixes.start import start_command
from bot.diagnosis.identify import LookUp, with_catalogue, with_facts
from bot.diagnosis.questions import is_sized
from bot.diagnosis.unheard import bad_values, say_absent
from bot.diagnosis.verdict import Diagnosis
from bot.diagnosis.wordings.leftover import leftover
from bot.diagnosis.wordings.terse import spell_out
from bot.evidence import Evidence, merge
from bot.facts import FACTS, Origin
from bot.given import BadFact, measured_of, stated
from bot.reading.noise.clean import tidy
from bot.reading.noise.scrub import scrub
from bot.reading.read import read, read_lines
from bot.sizing.size import UnknownFactsError
from bot.sizing.sweep import SweepRow, sweep
from bot.sizing.terms import Assumption, Measured

if TYPE_CHECKING:
    from bot.diagnosis.predict import Prediction


class Sized(NamedTuple):
    """The budget of a deployment, and what of the input could not be used."""

    diagnosis: Diagnosis
    command: str = ""  # starts the deployment that was sized
    measured: Measured = Measured()
    bad: tuple[BadFact, ...] = ()

    @property
    def misread(self) -> tuple[str, ...]:
        """What is said of settings whose values cannot be read; a model or card that nobody knows is asked for."""
        asked = {question.name for question in self.diagnosis.questions}
        said = (bad.sentence for bad in self.bad if bad.name in FACTS and bad.name not in asked)
        return tuple(dict.fromkeys(said))


@cache
def knowledge() -> Knowledge:
    """Return the knowledge base, read once a process.

    Raises:
        KnowledgeError: A knowledge file is broken.
    """
    return load_knowledge()


def at_hand() -> Knowledge:
    """Return the knowledge base for a single sizing, which needs the flags and at most one problem.

    Problems are read when they are asked for, unless the whole was read before; what proves it is `knowledge`.

    Raises:
        KnowledgeError: A file of flags is broken.
    """
    return knowledge() if knowledge.cache_info().currsize else _at_hand()


@cache
def _at_hand() -> Knowledge:
    return load_lazily()


class Notes(NamedTuple):
    """What somebody wrote down of a run that its log may leave out."""

    facts: Mapping[str, Any] = {}  # of this run: they outrank its log
    common: Mapping[str, Any] = {}  # of many runs: each log knows better
    logged: Mapping[str, Any] = {}  # figures (`weights_gib`, `kv_available_gib` …)


def ask(text: str, facts: Mapping[str, Any] | None = None, look_up: LookUp | None = None) -> Diagnosis:
    """Return the diagnosis of a paste, with `facts` counting as answers; `look_up` reads unknown models."""
    return _decide(read(text), facts or {}, look_up)


def ask_lines(lines: Iterable[str], facts: Mapping[str, Any] | None = None, look_up: LookUp | None = None) -> Diagnosis:
    """Return the diagnosis of a long text, read as a stream in bounded memory."""
    return _decide(read_lines(lines), facts or {}, look_up)


def _decide(evidence: Evidence, facts: Mapping[str, Any], look_up: LookUp | None) -> Diagnosis:
    from bot.diagnosis.diagnose import diagnose  # noqa: PLC0415  # wordings and talk, which sizing does without

    answered, _ = stated(facts, Origin.ANSWERED)
    whole = merge(evidence, answered)
    found = with_catalogue(whole, look_up)
    diagnosis = diagnose(whole, found.deployment, knowledge())
    return _with_reason(_with_assumptions(diagnosis, found.worked_out), _bad_facts(found.unknown))


def _with_assumptions(diagnosis: Diagnosis, worked_out: tuple[Assumption, ...]) -> Diagnosis:
    """Say of a budget which facts nobody stated that the log decides."""
    if diagnosis.budget is None or not worked_out:
        return diagnosis
    assumptions = (*worked_out, *diagnosis.budget.assumptions)
    return diagnosis._replace(budget=diagnosis.budget._replace(assumptions=assumptions))


def _with_reason(diagnosis: Diagnosis, bad: Iterable[BadFact]) -> Diagnosis:
    """Say with the question why what was said did not answer it, and what a card was taken for."""
    why = {item.name: item.sentence for item in bad}
    is_sized_here = diagnosis.budget is not None and diagnosis.problem is not None and is_sized(diagnosis.problem)
    remarks = (*diagnosis.remarks, *([why["text"]] if "text" in why and is_sized_here else []))
    questions = tuple(
        question._replace(why=why[question.name]) if question.name in why else question
        for question in diagnosis.questions
    )
    return diagnosis._replace(questions=questions, remarks=remarks)


def size(
    text: str = "",
    facts: Mapping[str, Any] | None = None,
    measured: Mapping[str, Any] | None = None,
    *,
    config: Mapping[str, Any] | None = None,
    look_up: LookUp | None = None,
) -> Sized:
    """Return the budget of a deployment said in words, as a command, or by named facts.

    Args:
        text: "8xH100 llama-3.3-70b --max-model-len 32k", or a whole launch command.
        facts: Named facts; they outrank the text.
        measured: Figures that a log gave for one GPU (`weights_gib`, `kv_available_gib` …).
        config: The model's own config.json, which outranks the catalogue.
        look_up: Reads a model that the catalogue does not know.
    """
    given, bad = stated(facts or {}, Origin.ANSWERED)
    bad += tuple(BadFact(name="text", sentence=sentence) for sentence in bad_values(given, at_hand().flags))
    said, unused = _said(text) if text else (Evidence(), ())
    evidence = merge(said, given, Evidence(config=config))
    figures, worse = measured_of(measured or {})
    found = with_catalogue(evidence, look_up)
    deployment, unknown = found.deployment, _bad_facts(found.unknown)
    flags = at_hand().flags
    absent = say_absent(deployment, absent_settings(deployment, flags), flags)
    unknown += tuple(BadFact(name="text", sentence=sentence) for sentence in absent)
    possible = without_absent(deployment, flags)
    appraised = appraise(evidence, possible, figures, at_hand())
    diagnosis = _with_reason(_with_assumptions(appraised, found.worked_out), unknown)
    sized = Sized(diagnosis=diagnosis, measured=figures, bad=tuple(dict.fromkeys(bad + worse + unused + unknown)))
    if sized.misread:  # what starts without a setting that was asked for starts something else
        return sized
    return sized._replace(command=start_command(diagnosis, flags))


def what_if(sized: Sized, fields: Mapping[str, Sequence[Any]]) -> tuple[SweepRow, ...]:
    """Return what-ifs: a row for each combination of the fields' values, as `bot.fact_values.fact_value` reads them.

    A layout may need more GPUs than were named, a model or card is taken from the catalogue.
    No rows where the model or the card is unknown.
    """
    named = {name: fields[name] for name in ("model", "gpu") if name in fields}
    others = {name: values for name, values in fields.items() if name not in named}
    base = sized.diagnosis.deployment
    if fields.keys() & {"tensor_parallel", "pipeline_parallel", "data_parallel"}:
        base = base.with_(gpu_count=None)
    rows: list[SweepRow] = []
    try:
        for combination in product(*named.values()):
            chosen = dict(zip(named, combination, strict=True))
            there = sweep(with_facts(base, chosen), others, sized.measured)
            rows += [row._replace(settings={**chosen, **row.settings}) for row in there]
    except UnknownFactsError:
        return ()
    return tuple(rows)


def predict_log(lines: Iterable[str], notes: Notes | None = None, look_up: LookUp | None = None) -> Prediction:
    """Return what we would have said of a run before it started, beside what its log, or its notes, show.

    Figures that decide what nobody told cannot be held against what follows from it: such a run is left out.
    """
    from bot.diagnosis.predict import left_out, predict  # noqa: PLC0415  # statistics, which nothing else needs

    noted = notes or Notes()
    evidence = merge(stated(noted.common, Origin.PASTED)[0], read_lines(lines), stated(noted.facts, Origin.ANSWERED)[0])
    found = with_catalogue(evidence, look_up)
    named = {name: noted.common[name] for name in found.unknown if name in noted.common}
    if named:  # the log calls it something that says nothing to us, such as a path
        evidence = merge(evidence, stated(named, Origin.ANSWERED)[0])
        found = with_catalogue(evidence, look_up)
    if found.by_figures:
        return left_out(found.by_figures)
    return predict(evidence, found.deployment, measured_of(noted.logged)[0])


def _said(text: str) -> tuple[Evidence, tuple[BadFact, ...]]:
    """Return what a description says, and one sentence for each part of it that says nothing to us; none has a secret."""
    text = scrub(tidy(text))
    text = spell_out(text, read(text))
    evidence = read(text)
    left = leftover(text, evidence, at_hand().flags)
    more, bad = stated(left.facts, Origin.PASTED)
    bad += tuple(BadFact(name=misfit.fact or "text", sentence=misfit.sentence) for misfit in left.misfits)
    return merge(evidence, more), bad + tuple(BadFact(name="text", sentence=sentence) for sentence in left.sentences)


def complete(evidence: Evidence) -> Deployment:
    """Return the deployment that the evidence shows, with its model's shape and its card from the catalogue."""
    return with_catalogue(evidence).deployment


def _bad_facts(unknown: Mapping[str, str]) -> tuple[BadFact, ...]:
    return tuple(BadFact(name=name, sentence=sentence) for name, sentence in unknown.items())
