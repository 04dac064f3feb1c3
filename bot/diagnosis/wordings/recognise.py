"""Which problem it is, how sure that is, and whether anybody wants to hear it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from bot.catalog.problem import Problem
from bot.catalog.versions import Versions
from bot.diagnosis.verdict import Match
from bot.diagnosis.wordings.alike import find_alike
from bot.diagnosis.wordings.cut_short import find_cut, find_cut_within
from bot.diagnosis.wordings.hinted import find_hinted
from bot.diagnosis.wordings.outlived import without_outlived
from bot.diagnosis.wordings.patterns import settle
from bot.diagnosis.wordings.ranking import LEAST_TELLING, rank
from bot.diagnosis.wordings.search import Hit
from bot.diagnosis.words.foreign import Subject, name_subject, speaks_of_serving, speaks_of_vllm
from bot.diagnosis.words.lexicon import one_of
from bot.diagnosis.words.roles import is_said, role_of
from bot.diagnosis.words.source_code import is_in_source
from bot.diagnosis.words.talk import Talk, listen
from bot.evidence import Evidence
from bot.reading.late import Late
from bot.reading.noise.marks import first_word

_OF_CARDS = Late(one_of("gpu"), re.IGNORECASE | re.ASCII)
_AGAIN = Late(
    r"""(?<!\bwe\s)(?<!\bi\s)\bkeeps?\s(?:on\s)?(?:getting\s)?(?:restart|crash|dy|kill|fail|exit|evict|terminat|hang|stop|oom|running\sout)\w{0,5}\b
      | \b(?:again[ ]and[ ]again|over[ ]and[ ]over|crash[- ]?loop\w*)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_OF_SERVING = Late(one_of("gpu", "server", "model", "several-gpus", "out-of-memory"), re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class Recognised:
    """The problems of a paste, likeliest first."""

    match: Literal["exact", "alike", "none"] = "none"
    matches: tuple[Match, ...] = ()
    is_for_us: bool = False
    concern: Literal["none", "told", "asked"] = "none"  # where nothing was recognised: what people say about vLLM
    is_open: bool = False  # nothing was recognised, and somebody seems to have trouble with vLLM


SILENCE = Recognised()

_FRAME = Late(r"""\bFile\ "[^"\n]{0,300}[/\\]vllm[/\\][^"\n]{1,200}",\ line\ \d""", re.VERBOSE)

_RUN = Late(r"\bTraceback \(|\bFile \"[^\"\n]{1,300}\", line \d")
"""What a program prints of a failure beside its message."""

SHORTEST_QUOTATION = 25
"""Characters of a message inside a sentence: fewer are a word that somebody mentions, as the name of an exception."""


def recognise(hits: Sequence[Hit], evidence: Evidence, problems: Iterable[Problem]) -> Recognised:
    """Return what the wordings, the talk around them and the program they come from add up to."""
    subject = name_subject(evidence.lines, evidence.kinds)
    talk = listen(evidence.lines)
    if talk.is_over or subject.is_foreign or _is_foreign(hits, subject):
        return SILENCE
    ours = _standing([hit for hit in hits if hit.problem.role != "foreign"], evidence, talk)
    messages = [hit for hit in ours if hit.wording.kind == "message"]
    if (
        _is_in_a_document(hits, talk)
        or is_in_source(evidence.lines, [settle(hit.line.text)[: hit.start] for hit in hits])
        or (not messages and _is_at_ease(evidence, talk, is_outlived=len(ours) < len(hits)))
    ):
        return SILENCE
    if any(hit.problem.role in {"cause", "consequence"} for hit in messages):
        found = _by_message(messages, ours, evidence, Setting(subject, talk))
        return _deeper(found, evidence, problems)
    described = [hit for hit in ours if hit.wording.kind == "description"]
    found = _by_description(described, evidence, Setting(subject, talk))
    if found.match != "none":
        return found
    return _by_noise(messages, evidence, talk) or _by_likeness(evidence, problems, Setting(subject, talk))


def _is_at_ease(evidence: Evidence, talk: Talk, *, is_outlived: bool) -> bool:
    """Return whether nothing failed, and a choice is asked after or a log shows warnings that its start has outlived."""
    return not evidence.failures and (talk.is_of_principle or (is_outlived and not talk.wants_help))


def _standing(hits: Sequence[Hit], evidence: Evidence, talk: Talk) -> list[Hit]:
    """Return hits without the warnings that a start outlived, unless somebody has trouble and nothing else tells which."""
    left = without_outlived(hits, evidence.lines)
    is_told = any(hit.wording.kind == "message" for hit in left)
    return left if is_told or not talk.wants_help else list(hits)


@dataclass(frozen=True, slots=True)
class Setting:
    """What the paste is about and how people talk around it."""

    subject: Subject
    talk: Talk


def _is_foreign(hits: Sequence[Hit], subject: Subject) -> bool:
    """Return whether another program's wording, or a script that says what any may say, stands there without vLLM's lines."""
    if subject.is_surely_vllm:
        return False
    messages = [hit for hit in hits if hit.wording.kind == "message"]
    is_bare = bool(messages) and all(hit.wording.weight < LEAST_TELLING for hit in messages)
    is_anothers = subject.owner is not None and not any(map(_is_vllm_s, messages))
    return is_anothers or (subject.is_script and is_bare) or any(hit.problem.role == "foreign" for hit in hits)


def _is_vllm_s(hit: Hit) -> bool:
    """Return whether only vLLM writes a message: it has versions, or speaks of what vLLM serves with."""
    return hit.wording.versions != Versions() or speaks_of_vllm(hit.line.text)


def _by_message(messages: Sequence[Hit], ours: Sequence[Hit], evidence: Evidence, setting: Setting) -> Recognised:
    matches = rank([hit for hit in ours if hit.wording.kind == "message" or setting.talk.wants_help], evidence)
    spoken = all(_is_spoken(hit) for hit in messages)
    is_shown = bool(evidence.kinds) or any(hit.values for hit in messages)  # a figure is copied, not mentioned
    is_idle_talk = not setting.subject.is_likely_vllm and not setting.talk.wants_help and not is_shown
    if spoken and is_idle_talk:
        return SILENCE
    is_mentioned = spoken and all(_is_a_word(hit) for hit in messages)
    is_ours = setting.subject.is_likely_vllm or any(speaks_of_serving(hit.line.text) for hit in messages)
    is_meant = not spoken or setting.talk.wants_help  # inside a sentence that asks nothing a message is only named
    is_sure = (
        not is_mentioned
        and is_ours
        and is_meant
        and not matches[0].is_loose
        and (setting.subject.is_likely_vllm or not spoken or setting.talk.is_asking)
    )
    is_for_us = not is_mentioned and (is_ours or not spoken or setting.talk.is_asking)
    return Recognised("exact" if is_sure else "alike", matches, is_for_us=is_for_us)


def _is_a_word(hit: Hit) -> bool:
    return hit.problem.role == "consequence" and hit.length < SHORTEST_QUOTATION


def _deeper(found: Recognised, evidence: Evidence, problems: Iterable[Problem]) -> Recognised:
    """Where only a consequence matched, a cause that some line looks like stands before it."""
    if not found.matches or found.matches[0].problem.role != "consequence":
        return found
    causes = find_alike([problem for problem in problems if problem.role == "cause"], evidence.lines)
    if causes or _has_unknown_root(found, evidence):
        return Recognised("alike", (*causes, *found.matches), is_for_us=True)
    return found


def _has_unknown_root(found: Recognised, evidence: Evidence) -> bool:
    """Return whether the paste shows a failure that is no wrapper and that no wording knows."""
    known = {match.line.number for match in found.matches if match.line}
    return any(not failure.is_wrapper and failure.line not in known for failure in evidence.failures)


def _is_mentioned(hit: Hit) -> bool:
    """Return whether a wording stands in what somebody says or wishes, rather than in what a program wrote."""
    return role_of(hit.line) in {"said", "wished"}


def _is_in_a_document(hits: Sequence[Hit], talk: Talk) -> bool:
    """Return whether all messages are only mentioned; a lesson sets them on lines of their own too, but shows no run.

    What has the form of a document may hold anything.
    """
    is_run = any(_RUN.regex.search(line.text) or role_of(line) in {"record", "command"} for line in talk.machine)
    return talk.is_formal or (talk.is_document and all(map(_is_mentioned, hits))) or (talk.is_lesson and not is_run)


def _is_spoken(hit: Hit) -> bool:
    """Return whether a message stands inside a person's sentence, rather than on a line of its own."""
    return hit.start > first_word(settle(hit.line.text)) and is_said(hit.line)


def _by_description(described: Sequence[Hit], evidence: Evidence, setting: Setting) -> Recognised:
    """A person's words count when the talk is of vLLM, or help is wanted and it is of cards; asked about, they are sure."""
    subject, talk = setting.subject, setting.talk
    told = any(is_said(hit.line) for hit in described)  # a record of vLLM's is nobody's complaint
    wants_answer = talk.wants_help or (subject.is_surely_vllm and told)
    is_of_cards = subject.is_likely_vllm or _is_about(_OF_CARDS, talk)
    is_heard = (wants_answer and (is_of_cards or _is_about(_OF_SERVING, talk))) or (subject.is_likely_vllm and told)
    if not described or not is_heard:
        return SILENCE
    matches = rank(described, evidence)
    is_meant = talk.is_asking or (wants_answer and (subject.is_surely_vllm or any(map(_goes_on, described))))
    is_sure = subject.is_likely_vllm and is_meant and not matches[0].is_loose
    return Recognised("exact" if is_sure else "alike", matches, is_for_us=wants_answer and is_of_cards)


def _goes_on(hit: Hit) -> bool:
    """Return whether trouble is told that comes again and again: whoever has it wants an answer, though nothing is asked."""
    return _AGAIN.regex.search(hit.line.text) is not None


def _is_about(words: Late, talk: Talk) -> bool:
    return any(words.regex.search(line.text) for line in talk.prose)


def _by_noise(messages: Sequence[Hit], evidence: Evidence, talk: Talk) -> Recognised | None:
    """A line that only looks alarming is explained to who asks, and passed over otherwise."""
    if not messages:
        return None
    return Recognised("exact", rank(messages, evidence), is_for_us=True) if talk.is_asking else None


def _pattern(match: Match) -> str:
    return match.wording.pattern if match.wording else ""


def _by_likeness(evidence: Evidence, problems: Iterable[Problem], setting: Setting) -> Recognised:
    is_error = bool(evidence.failures) or setting.talk.wants_help or not setting.talk.prose
    alike = find_alike(problems, evidence.lines) if is_error else ()
    matches = (
        alike or (find_cut_within(problems, evidence.lines) if is_error else ()) or find_cut(problems, evidence.lines)
    )
    if matches:
        is_serving = setting.subject.is_likely_vllm or speaks_of_serving(_pattern(matches[0]))
        return Recognised("alike", matches, is_for_us=is_serving or setting.talk.is_asking)
    subject, talk = setting.subject, setting.talk
    may_hint = subject.is_likely_vllm and not evidence.failures and talk.is_troubled  # a wish to know is no complaint
    hinted = find_hinted(problems, talk.prose) if may_hint else ()
    if hinted:
        return Recognised("alike", hinted, is_for_us=setting.talk.is_asking)
    is_ours = setting.subject.is_surely_vllm
    is_told = is_ours and bool(setting.talk.prose)
    concern = "asked" if is_ours and setting.talk.wants_help else "told" if is_told else "none"
    is_shown = bool(evidence.kinds - {"prose"})  # a log, a command or an output, not a talk about vLLM
    is_cut = any(_FRAME.regex.search(line.text) for line in evidence.lines)  # a traceback whose exception is missing
    is_trouble = bool(evidence.failures) or is_cut or (setting.talk.is_troubled and is_shown)
    is_open = is_trouble or talk.wants_help or (is_shown and is_told)
    return Recognised(is_for_us=is_ours and is_trouble, concern=concern, is_open=is_open and subject.is_likely_vllm)
