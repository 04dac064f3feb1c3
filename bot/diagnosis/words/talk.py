"""What a person's own words in a paste say: asking for help, telling that it is over, or just talking."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.diagnosis.words.calls import calls_for_help
from bot.diagnosis.words.choices import asks_for_a_reason
from bot.diagnosis.words.closing import is_closed
from bot.diagnosis.words.documents import is_document
from bot.diagnosis.words.lessons import is_lesson
from bot.diagnosis.words.lexicon import one_of
from bot.diagnosis.words.proposals import is_proposal
from bot.diagnosis.words.reports import is_report
from bot.diagnosis.words.roles import follows_a_denial, roles_of, words_of
from bot.diagnosis.words.swapped import put_right
from bot.diagnosis.words.writing import Writing, read_writing
from bot.evidence import Line

# Words of somebody who tells rather than asks: notes, announcements, minutes, quotations from manuals.
_TELLING = re.compile(
    r"""
      \b(?:for\ the\ (?:record|wiki|newcomers|panel|log)|TIL|FYI|fun\ fact|feedback\ welcome|i\ wrote\ (?:up|down|an?\ (?:\w{1,12}\ )?(?:post|guide|note|blog|page|summary|wiki|doc|article|thread))|post-?mortem|incident\ (?:summary|report|review)|yesterday'?s)\b | \b(?:heads[- ]up|agenda)\b
    | (?<!\bthe\ )(?<!\bin\ )(?<!\bsince\ )(?<!\bper\ )(?<!\bfrom\ )(?<!\bread\ )\b(?:changelog|release\ notes)\b
    | \bnotes?\ to\ self\b | \breminder:\s
    | \b(?:releases?|versions?|patch|pr|commit|nightly|v?\d\.\d{1,3}(?:\.\d{1,3})?)\b[^.?!\n]{0,24}\bfix(?:es|ed)\s+(?:the|a|an|our|that|this)\s | \bclosing\ the\ (?:ticket|issue)\b
    | \bwe(?:'re|\ are)\ hiring\b | \b(?:merged|rollback:|tested:|changes:|why:)\s | \b(?:root\ cause|rca):(?!\s*(?:\?|unknown|unclear|unsure|none|tbd|n/a|under\ investigation|not\ |no\ ))
    | \bto\ share\ (?:\w{1,12}\ ){0,3}(?:notes?|results?|numbers?|findings?|experiences?|learnings?|lessons?|recipes?|set-?ups?|benchmarks?)\b
    | \bis\ restarting\ right\ now\b | \b(?:is|are)\ (?:now\ )?live\b[:.!] | \bnot\ you\b | \blgtm\b | \bnit:
    """,
    re.VERBOSE | re.IGNORECASE,
)

# Words that say all is as it should be; they tell a story only where nothing else is wrong.
_CONTENT = re.compile(
    r"\b(?:deliberately|on purpose tonight|as it should be|as expected|works as designed|by design)\b", re.IGNORECASE
)

# Where it stands makes it no request, whatever is asked inside: slides, wiki pages, manuals, quizzes.
_QUOTING = re.compile(
    r"""
      \b(?:slide|talk)\ draft\b | \b(?:talk|slides|agenda|webinar):\s | \bwiki\ page\b | \bfrom\ the\ docs\b\s*: | \bin\ the\ (?:readme|docs|wiki)\ now\b
    | \b(?:friday|quick|pub)\ (?:quiz|poll)\b | \b(?:interview|exam|quiz|trivia)\ question\b | 面试题 | 面接問題 | 면접 질문 | \[(?:resolved|closed|done)\]
    """,
    re.VERBOSE | re.IGNORECASE,
)

# How a text begins that says what a program does: a request for a feature, a change, notes on a release.
_NOTES = re.compile(
    r"""\W{0,12}(?:
        [\[(](?:feature(?:\ request)?|feat|rfc|roadmap|docs?|documentation|proposal|changelog|misc|refactor|core|frontend|bugfix|doc)[\])]
      | this\ (?:pr|pull\ request|mr|change|commit|patch|release)\b | (?:pr|mr)\ \#?\d{1,6}\b | commit\ [0-9a-f]{7,40}\b
      | (?:what(?:'|’)?s\ new|new\ in|changes\ in|highlights\ of)\b | (?:vllm\ )?(?:v?\d[\w.]{0,12}\ )?(?:changelog|release\ notes?|released)\b)""",
    re.VERBOSE | re.IGNORECASE,
)
# How one begins that says what it should do; whoever is in trouble wishes for help.
_WISHES = re.compile(
    r"""\W{0,12}(?:(?:feature(?:\ request)?|rfc|docs?|documentation|proposal|suggestion|wish)\s?:
      | (?:it\ (?:would|might)\ be|would\ be)\ (?:\w{1,10}\ )?(?:nice|cool|great|helpful|good|useful|better)\b
      | (?:i(?:'d|\ would)?|we(?:'d|\ would)?)\ (?:like|love|propose|suggest|changed|renamed?|reworded)\b)""",
    re.VERBOSE | re.IGNORECASE,
)
# What articles and manuals are for: whoever reads them, in no first person.
_LESSON = re.compile(
    r"""\btl;?dr\b | \boriginally\ published\b | \bin\ this\ (?:article|post|guide|tutorial|video|chapter|section|episode)\b | \bevery\ fix\b
      | ^\W{0,8}(?:[\w-]{1,14}\ ){0,3}(?:cheat\ ?sheet|(?:troubleshooting|debugging)\ (?:guide|checklist|table|notes|steps|section|page)(?!\?)|(?:step-by-step|complete|ultimate|definitive)\ guide|runbook[):]|known\ (?:issues|limitations)\b[^?\n]{0,60}$)
      | \b(?:common|frequent|typical|known|popular)\ (?:[\w-]{1,12}\ ){0,3}(?:errors|failures|mistakes|pitfalls|gotchas)\b""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
_FIRST_PERSON = re.compile(
    r"""\b(?:I|I'm|I've|[Mm]y|[Mm]e|[Ww]e|[Ww]e're|[Oo]urs?|us)\b | \b(?:still|tried|getting|got|help|[Ff]ollow(?:ing|ed)\s(?:the|this|your)|[Aa]ccording\sto)\b | \b(?:ich|wir|mein\w{0,2}|je|j'ai|mon|nous|yo|mi|nuestr\w{1,2}|tengo)\b | 我|私|저|у\ меня""",
    re.VERBOSE,
)
# What is quoted says nothing of who quotes it, unless it is all of the line.
_QUOTED = re.compile(r"(?<=[\w,:;(] )(?:\"[^\"\n]{12,600}\"|“[^”\n]{12,600}”)")

_ASKING = re.compile(
    r"""
      \?|？|¿ | (?<!\bis\ )(?<!\bon\ )(?<!\bof\ )(?<!'s\ )\b(?:how|why|what|which|where|who)\b(?!:) | \b(?:help|anyone|any(?:\ \w+)?\ (?:ideas?|tips?|hints?|clue|advice|suggestions?|way)
        |ideas|(?:please|pls|plz)\ (?:advise|check|look|explain|tell|fix|suggest)|(?:should|can|may|could|do)\ (?:i|we)|is\ (?:it|this|that|there))\b
    | 怎么|为什么|为啥|請教|请教|请问|求助|求教|吗|如何|什么原因|有人|なぜ|ですか|ますか|どう|教えて|助けて
    | почему|как\s|подскаж|помоги|что\ (?:делать|не\ так|это)|в\ чем|нормально\ ли
    | \b(?:warum|wieso|weshalb|wie|woran|hilfe|jemand|pourquoi|comment|quelqu'un|une\ idée|aide|cómo|por\ qué|alguien|alguna\ idea|ayuda
        |perché|qualcuno|aiuto|come\ (?:mai|si|posso)|por\ que|alguém|ajuda|dlaczego|jak|pomocy)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)

# Trouble is told in the lexicon's words, and in some that say no more than that.
_TROUBLE = re.compile(
    r"""
      \b(?:cannot|can't|won't|doesn't|does\ not|didn't|unable|refus\w+|wrong|problems?|issues?|trouble|complain\w*|too\ (?:big|much|long|high)
        |killed|timeouts?|timed\ out|blocked|worse|reject\w+|ignor(?:es|ed|ing)|never\ gets?|restart(?:s|ed|ing)|no\ longer|regress\w+|drop(?:s|ped)|still|starv\w+|leak\w*)\b
    | \bkeeps?\s(?:on\s)?(?:growing|climbing|increasing|rising|getting\s(?:slower|bigger|worse)) | \bnicht\sfrei | \bno\sse\sliber | \bpas\slibér | \b(?:crece|sube|augmente|wächst|steigt)\s(?:sin|sans|immer|ständig|stetig)
    | 越\S{1,3}越[多大高慢满] | 一直(?:在)?涨 | 没有?释放 | どんどん|解放され(?:ない|ませ) | 계속\s(?:늘|증가|올라) | 해제되지|반환되지 | раст[её]т|не\sосво|не\sхват | 부족|오류
    | 错误|跑不通|問題|问题|안\ ?[돼됩되]|않|проблем|не\ могу|\b(?:problema|problème|klappt\ nicht|geht\ nicht)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SYMPTOM = re.compile(one_of("crashes", "stuck", "slow", "out-of-memory", "garbage", "leaks"), re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class Talk:
    """What the prose around a paste is like."""

    prose: tuple[Line, ...]
    machine: tuple[Line, ...]
    is_closing: bool
    is_quoting: bool
    is_notes: bool
    is_wish: bool
    is_lesson: bool
    is_formal: bool
    is_telling: bool
    is_asking: bool
    is_troubled: bool
    is_of_principle: bool

    @property
    def wants_help(self) -> bool:
        """Whether an answer is wanted: asked for, or trouble told without an end."""
        return self.is_asking or self.is_troubled

    @property
    def is_document(self) -> bool:
        """Whether it tells what a program does, should do or may do to anybody, so that a message in it is only mentioned."""
        return self.is_notes or self.is_lesson or (self.is_wish and not self.wants_help)

    @property
    def is_over(self) -> bool:
        """Whether the matter is closed or merely told, and nothing is asked."""
        return self.is_closing or self.is_quoting or (self.is_telling and not self.is_asking)


def listen(lines: Sequence[Line]) -> Talk:
    """Return what a paste's prose says; only the first and last lines of long pastes are prose."""
    spoken = [line for line in _edges(lines) if line.text.strip()]
    roles = tuple(zip(spoken, roles_of(spoken), strict=True))
    prose = tuple(line for line, role in roles if role == "said")
    text = put_right("\n".join(words_of(line.text) for line in prose))
    unquoted = _QUOTED.sub(" ", text)
    is_troubled = _is_met(_TROUBLE, unquoted) or _is_met(_SYMPTOM, unquoted)
    writing = read_writing(roles)
    is_shown = any(role == "machine" for _, role in roles)
    opening = next((line.text for line, role in roles if role in {"said", "wished"}), "")
    return Talk(
        prose=prose,
        machine=tuple(line for line, role in roles if role != "said"),
        is_closing=is_closed(roles),
        is_quoting=bool(_QUOTING.search(text)),
        is_notes=_NOTES.match(opening) is not None and not calls_for_help(writing.said, writing.headings),
        is_wish=_WISHES.match(opening) is not None,
        is_lesson=_LESSON.search(text) is not None and _FIRST_PERSON.search(text) is None,
        is_formal=is_document(roles) or _is_of_its_own(writing),
        is_telling=bool(_TELLING.search(text)) or (bool(_CONTENT.search(text)) and not is_troubled and not is_shown),
        is_asking=bool(_ASKING.search(unquoted)),
        is_troubled=is_troubled,
        is_of_principle=asks_for_a_reason(unquoted) and not _is_met(_SYMPTOM, unquoted),
    )


def _is_of_its_own(writing: Writing) -> bool:
    """Return whether a text without a form proposes, teaches or reports; who wrote next to nothing does none of it."""
    is_written = len(writing.said.split()) >= FEWEST_WORDS or len(writing.said) >= FEWEST_LETTERS
    return is_written and any(kind(writing) for kind in (is_proposal, is_lesson, is_report))


FEWEST_WORDS = 6
"""Words of somebody's own that may make a document."""

FEWEST_LETTERS = 20
"""Letters that may, where words stand without spaces."""


def _is_met(words: re.Pattern[str], text: str) -> bool:
    """Return whether one of the words stands there that no other denies: "no issues" are none."""
    return any(not follows_a_denial(text, found.start()) for found in words.finditer(text))


EDGE = 60
"""Lines at either end of a paste in which people put their own words."""


def _edges(lines: Sequence[Line]) -> list[Line]:
    return list(lines) if len(lines) <= 2 * EDGE else [*lines[:EDGE], *lines[-EDGE:]]
