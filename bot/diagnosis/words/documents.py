"""Whether a text is a document, told by the headings of its form: a change, a wish, a lesson or a verdict, with no call for help.

Pull requests, release notes, proposals and runbooks set messages on lines of their own, as a log does, and show runs
that prove a change. What their authors head them with nobody in trouble writes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.diagnosis.words.calls import calls_for_help
from bot.diagnosis.words.roles import Role
from bot.diagnosis.words.swapped import put_right
from bot.diagnosis.words.writing import bare, label
from bot.evidence import Line
from bot.reading.late import Late

# One of these heads anything, two of them a change or a wish.
_CHANGE = frozenset(
    {
        *("purpose", "motivation", "motivation and context", "modification", "modifications", "changes", "changes made", "checklist", "implementation"),
        *("test result", "test results", "accuracy test", "accuracy tests", "related issue", "related issues"),
        *("proposal", "alternatives", "non-goals", "describe alternatives you've considered"),
        *("highlights", "breaking changes", "bug fixes", "new features"),
    }
)  # fmt: skip
# People list so what they tried as well: these must be marked as headings.
_KINDS = frozenset({"added", "changed", "fixed", "removed", "deprecated"})
# These head nothing else, nor does anybody else sign or close so.
_SURE = Late(
    r"""(?:what\ (?:does\ )?this\ (?:pr|pull\ request|mr)\ do(?:es)?|does\ this\ (?:pr|pull\ request)\ introduce|how\ (?:was|has)\ this\ (?:pr|patch|change|been)\ (?:been\ )?tested)\b
      | (?:test\ plan|types?\ of\ changes?|what(?:'|’)s\ changed|your\ contribution|proposed\ changes?|feedback\ period|cc\ list|feature\ request
          |the\ feature,\ motivation\ and\ pitch|is\ your\ feature\ request\ related\ to\ a\ problem\b[^\n]{0,40}|describe\ the\ solution\ you(?:'|’)d\ like)\Z
      | (?:signed-off-by|co-authored-by|full\ changelog):?\ \S | (?:fix(?:e[sd])?|close[sd]?|resolve[sd]?):?\ (?:[\w:./-]{1,80}(?:\#|/issues/)|\#)(?:\d{1,6}|x{3,5})(?:\ \(.{0,80}|(?:,\ \#\d{1,6}){1,5})?\Z""",
    re.VERBOSE,
)
# How a change begins in a history: a commit, a new version of a dependency, a kind with the room that it is in.
# A wish and the verdict on what happened say at once that they are that.
_OPENING = Late(
    r"\W{0,8}(?:(?:feature (?:request|idea|proposal)|enhancement|proposal|suggestion|wish|rfc(?: \d{1,6})?):|request: (?:support|add|allow|let)\b|(?:currently,? there(?: is|['’]s)|there(?: is|['’]s) currently) no (?:way|option|flag|setting) (?:for|to (?:pass|hand|set|specify|configure|change|control|choose|override|limit|list|query|expose|enable|disable))\b"
    r"|(?:(?:update|edit):\s)?root cause (?:correction|update|found|identified|confirmed)\b|commit [0-9a-f]{40}\b|bump [\w./-]{1,60} from v?\d\S{0,20} to v?\d|[0-9a-f]{7,40} (?:feat|fix|chore)\b[^:\n]{0,40}:\s"
    r"|(?:feat|fix|chore|docs|perf|refactor|test|build|revert)(?:\([\w./, -]{1,40}\)!?|!):\s)",
    re.IGNORECASE,
)
# So does a sentence of what a change does, unless a log that was copied stands below.
_DOES = Late(
    r"\W{0,8}this (?:pr|pull request|mr|commit|patch|change) (?:adds|fixes|moves|removes|renames|rewords|lets|allows|enables|introduces|implements|refactors|updates|changes|replaces|improves|passes|raises|makes)\b",
    re.IGNORECASE,
)
# A lesson tells what is seen, why, and what cures it. Programs label their errors too, though in no table.
_HARM = frozenset(
    {
        *("symptom", "symptoms", "problem", "problems", "failure", "impact", "alert", "timeline", "error message", "what happened", "the problem", "what you see"),
        *("现象", "症状", "问题", "问题现象", "故障现象", "報錯", "报错信息", "現象", "問題", "エラー内容", "증상", "문제", "symptome", "symptôme", "symptômes", "problème", "síntoma", "síntomas", "problema", "sintomo", "sintomi", "симптом", "симптомы", "проблема"),
    }
)  # fmt: skip
_REASON = frozenset(
    {
        *("cause", "causes", "root cause", "root causes", "mechanism", "why it happens", "why this happens", "diagnosis", "the check", "how to check", "detection", "why it happened", "the cause", "explanation"),
        *("原因", "根因", "根本原因", "原因分析", "问题原因", "問題原因", "원인", "ursache", "ursachen", "grundursache", "cause racine", "causa", "causa raíz", "causas", "causa principale", "причина", "причины"),
    }
)  # fmt: skip
_CURE = frozenset(
    {
        *("fix", "fixes", "the fix", "how to fix", "how to fix it", "solution", "solutions", "working solution", "resolution", "remediation", "mitigation", "workaround", "remedy", "prevention"),
        *("解决", "解决方案", "解决方法", "解决办法", "处理方法", "修复", "解決方法", "解決策", "対処", "対処法", "対策", "해결", "해결 방법", "해결책", "lösung", "lösungen", "abhilfe", "behebung", "correctif", "solución", "soluciones", "corrección", "soluzione", "soluzioni", "solução", "решение", "решения", "исправление"),
    }
)  # fmt: skip
_CURING_TITLE = Late(r"\W{0,4}(?:(?:how to )?(?:fix|solve|resolve)(?:ing)?|(?:solv|resolv)ing|troubleshooting|(?:so )?(?:behebt|löst) man|cómo (?:solucionar|resolver)|comment (?:corriger|résoudre)|как (?:исправить|решить)|如何(?:解决|修复)|解决)\b[^?？]{8,160}\Z", re.IGNORECASE)  # fmt: skip
_ASIDE = re.compile(r"\s?[(（✅✔].*")
_FIRST_CELL = _HARM | {"error", "errors", "message", "error message", "log line", "issue"}
_LAST_CELL = _CURE | {"what to do", "action", "what helps"}
_COUNTED = frozenset({"count", "counts", "occurrences", "frequency", "times", "how often", "次数", "回数", "횟수"})
_TICKED = Late(r"\s*(?:[-*]\s)?\[[xX ]\]\s(?!.{0,120}(?:\bsearch|\bbugs?\b|\bdiscussion))")
_LIST_OF = Late(r"\A(?:pr |pull request )?checklist\b.*")
LEAST_TICKED = 3
"""Boxes that make a list of what was done; one or two stand below any form."""


def is_document(spoken: Sequence[tuple[Line, Role]]) -> bool:
    """Return whether the headings are a document's, and nobody in trouble is heard.

    Args:
        spoken: Lines with their roles, in order.
    """
    texts = [line.text for line, role in spoken if role != "record" and line.text.strip()]
    headings = [bare(text) for text in texts]
    is_told = len(texts) > 0 and _DOES.regex.match(texts[0]) and not any(role == "record" for _, role in spoken)
    if not (is_told or _is_sure(texts, headings) or _changes(texts, headings) or _teaches(texts)):
        return False
    own = (line.text for line, role in spoken if role in {"said", "wished"} or label(line.text) in _REASON | _CURE)
    said = put_right("\n".join(text for text in own if not _is_a_question_of_it(text)))
    return not calls_for_help(said, headings if _REASON.isdisjoint(headings) else set(headings) - _HARM)


def _is_a_question_of_it(text: str) -> bool:
    """Return whether a line asks what the document itself answers: "What does this PR do?", "Q: how do I …"."""
    return _SURE.regex.match(bare(text)) is not None or label(text) in {"q", "question"}


def _is_sure(texts: Sequence[str], headings: Sequence[str]) -> bool:
    """Return whether it opens as nothing else does, or has a heading that heads nothing else."""
    return bool(texts) and (bool(_OPENING.regex.match(texts[0])) or any(map(_SURE.regex.match, headings)))


def _changes(texts: Sequence[str], headings: Sequence[str]) -> bool:
    """Return whether two headings tell of a change, or ask for one.

    A list of what was done counts as one; forms for those in trouble have it ticked that somebody searched.
    """
    plain = {_LIST_OF.regex.sub("checklist", heading) for heading in headings}
    marked = {heading for text, heading in zip(texts, headings, strict=True) if text.lstrip()[:1] in {"#", "*"}}
    ticked = sum(_TICKED.regex.match(text) is not None for text in texts)
    return len(plain & _CHANGE) + len(marked & _KINDS) + (ticked >= LEAST_TICKED) > 1


def _teaches(texts: Sequence[str]) -> bool:
    """Return whether what is seen, why and the cure have a label each; in a table's head the first and the last do.

    What begins with a question and has the answer is a lesson too, and a count of errors none in trouble.
    """
    listed = [_ASIDE.sub("", label(text)) for text in texts if not text.startswith("|")]
    labels = {*listed, *(_CURE if texts and _CURING_TITLE.regex.match(texts[0]) else ())}
    rows = [[bare(cell) for cell in text.strip().strip("|").split("|")[:8]] for text in texts if text.startswith("|")]
    is_table = any(row[0] in _FIRST_CELL and not _LAST_CELL.isdisjoint(row[1:]) for row in rows)
    is_count = any(row[0] in _FIRST_CELL and not _COUNTED.isdisjoint(_first_words(row[1:])) for row in rows)
    is_faq = (bool(texts) and label(texts[0]) == "q" and "a" in labels) or {"question", "answer"} <= labels
    is_catalogue = "troubleshooting" in labels and sum(name in _CURE for name in listed) > 1
    is_whole = not any(labels.isdisjoint(group) for group in (_HARM, _REASON, _CURE))
    return is_table or is_count or is_faq or is_catalogue or is_whole


def _first_words(cells: Sequence[str]) -> set[str]:
    return set(cells) | {cell.partition(" ")[0] for cell in cells}
