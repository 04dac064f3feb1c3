"""Whether a text proposes: a change that somebody made, or something that a program should do, told in free sentences.

What has the headings of a form is known by them; many authors follow none, and then two things of the kind tell it.
"""

from __future__ import annotations

import re

from bot.diagnosis.words.calls import calls_for_help, tells_a_plight
from bot.diagnosis.words.writing import Writing
from bot.reading.late import Late

# How the title of a change begins: with what it is of, with what it does, with its number behind it.
_TAGS = Late(
    r"(?:\W{0,4}\[(?:bug ?fix(?:es)?|core|v1|kernels?|front ?end|models?|misc|ci(?:/build)?|build|docs?|hardware|perf|refactor|tests?|rocm|xpu|cpu|tpu|attention|quantization|spec ?decode|lora|mm|multimodal|p/d|security|deprecation|chore|revert|platform|metrics|easy|wip|improvement|enhancement|ux|engine|moe|distributed|feat(?:ure)?|rfc)\](?!:)){1,4}",
    re.IGNORECASE,
)
_DOES = Late(
    r"""\W{0,6}(?:fix|add|make|allow|support|handle|improve|detect|raise|avoid|prevent|document|rename|remove|move|bump|pin|guard|skip|warn|ensure|refactor|expose|introduce|implement|enable|disable|estimate
          |show|report|print|check|validate|clarify|reword|reject|refuse|say|tell|teach|let|cache|stop|drop|replace|simplify|lower|catch|log|extend|default|wait|retry|cap|tune|migrate|switch|unify|split|merge|bound|limit|clamp|normalize|propagate|forward|track|delete|rework|restore|revert|reduce|increase|compute|derive|resolve|parse|allocate|release|free|verify|assert|test|cover|export|surface|emit|accept|relax|loosen|tighten|unpin|fall\ back|don't|do\ not|only|auto-?detect|suggest|state|explain)\s(?![^\n]{0,160}[?!])[^\n]{3,160}\Z
      | \W{0,6}(?:修复|修正|新增|增加|优化|重构|支持|改进|完善|添加)[^\n?？]{2,80}\Z""",
    re.VERBOSE | re.IGNORECASE,
)
# With these a title tells what fails; a change is only to fix or to prevent it.
_FAILS = Late(r"\W{0,6}(?!(?:fix|handle|avoid|prevent|catch|document)\b)(?:(?!\b(?:when|if|where|while|after|once)\b)[^\n])*(?:\b(?:broken|fails?|failed|failing|crash(?:es|ed|ing)|dies|died|breaks|broke|hangs|does(?:n't| not)|not working|can(?:'t|not)|leads? to|results? in|ends? (?:in|with)|errors? out|please|needed|wanted)\b|->|→)", re.IGNORECASE)  # fmt: skip
_COMMIT = Late(r"(?:chore|feat|refactor|perf|ci|build|style|revert|fix|docs|test|deps)(?:\([\w-]{1,20}\))?: (?=[a-z])")
# These tags no question has.
_SURE_TAG = Late(
    r"\W{0,4}\[(?:bug ?fix(?:es)?|misc|ci(?:/build)?|build|docs?|refactor|tests?|chore|revert|easy|wip)\](?!:)",
    re.IGNORECASE,
)
_NUMBERED = Late(r"[^\n]{5,160}\s\(\#\d{1,6}\)\Z")
_LONGEST_TITLE = 300
_HEADINGS = frozenset(
    {
        *("purpose", "change", "changes", "approach", "testing", "tests", "tested", "how tested", "test plan", "implementation", "what changed"),
        *("summary of changes", "the change", "what this does", "how it works", "design", "the fix", "proposed solution", "what is the problem", "how do we solve it", "notes for reviewers"),
        *("reviewer notes", "compatibility", "backwards compatibility", "risks", "rollout", "follow-ups", "out of scope", "alternatives", "acceptance criteria", "user story"),
        *("修改内容", "变更内容", "改动", "改动说明", "修改", "测试", "解决方案", "实现", "变更", "変更内容", "変更点", "テスト", "変更", "änderung", "änderungen", "変更理由", "변경 사항", "테스트", "изменения", "cambios"),
    }
)  # fmt: skip
# Several of these count as one of them: those in trouble write them too.
_COMMON = frozenset(
    {
        "what",
        "why",
        "how",
        "motivation",
        "solution",
        "use case",
        "background",
        "problem",
        "问题描述",
        "背景",
        "概要",
        "問題",
    }
)
# What a change is said to do. "It now raises" anybody says in whose way it is: the parts of a program are named here.
_OF_A_CHANGE = tuple(
    Late(pattern, re.IGNORECASE | re.MULTILINE)
    for pattern in (
        r"\b(?:before|after|with|without) th(?:is|e) (?:change|patch|pr|fix|commit)\b|\bthis (?:change|patch|pr|pull request|commit|fix)\b|\b(?:avant|après) ce(?:tte)? (?:changement|modification)|antes de este cambio|до этого изменения|この変更|変更前|이 변경|(?:改动|修改|变更)(?:前|后|内容)|^\W{0,6}this (?:removes|adds|makes|moves|replaces|changes|lets|allows|renames|rewords|guards|introduces)\b",
        r"\b(?:unit|regression|integration) tests?\b|\btest_\w+|tests? unitaires?|pruebas unitarias|юнит-тест|単体テスト|단위 테스트|\bcovered by\b|测试(?:已)?通过|单元测试",
        r"\b(?:tested|verified|validated|checked) (?:it )?(?:on|with|against|locally|manually|by)\b|\b(?:docs|documentation|tests?|changelog) (?:is |are |was |were )?(?:updated|added|extended|adapted)\b|\b(?:added|adds|add) (?:an? )?(?:\w{1,12} )?tests?\b|\b(?:job|ci|pipeline|suite|nightly\S{0,8}|build) (?:is |are )?(?:green|passes|passing)\b|\bgreen in\b|已在[^。\n]{1,20}(?:验证|测试)|已验证",
        r"\bno (?:behaviou?r(?:al)?|functional|api|user-facing) changes?\b|\bbackwards?[ -]compatible\b|\breviewers?\b|\bfollow-up (?:pr|change)\b",
        r"\b(?:message|error|exception|text|launcher|cli|config|loader|runner|planner|scheduler|validation|check|method|function|warning|log)\S{0,3} (?:is |are )?(?:now|will now) \w|\bis now (?:re\w+|raised|checked|skipped|detected)\b|\bnow raises? an\b|\bno longer raises\b",
        r"\bwe (?:now )?(?:detect|query|look up|fall back|check|skip|pass|compute|catch|validate|wrap|cache|resolve|raise|replace|introduce|add|parse|read)\b|\b(?:look|fall|pick|use|compute|check) (?:\w{1,12} ){0,3}(?:instead|once|before|early)\b|检测(?:模板|是否)|改用",
        r"\bpr #?\d{1,6} (?:introduced|added|changed|moved|switched|made|removed)\b|\b(?:closes|fixes|resolves|refs?|part of|follow-up to|supersedes) #\d{1,6}\b",
    )
)
# What a program should do; whoever wishes that somebody helped, or that it worked, is in trouble.
_OF_A_WISH = tuple(
    Late(pattern, re.IGNORECASE | re.MULTILINE)
    for pattern in (
        r"\b(?:it|vllm|we|one|the (?:engine|launcher|cli|scheduler|server|message|error|log|warning|text|check|operator|chart|docs)) (?:should|could|ought to|needs? to|shall) (?:\w{1,12} ){0,2}?(?:add|export|expose|print|tell|refuse|check|warn|say|name|show|support|allow|report|suggest|provide|estimate|detect|fall back|offer|list|accept|mention|explain|raise|include|validate|point|be (?:able|more|possible|checked|detected|exposed|reported))\b",
        r"\b(?:would|might|could|'d) be (?:\w{1,10} )?(?:great|nice|helpful|useful|convenient|handy|better|good|cool|valuable|ideal)\b(?! if (?:some|any|you|i\b|this work))",
        r"\b(?:would|could) (?:save|spare|let|allow|make|help (?:users|people|newcomers)|give|avoid)\b|\b(?:rather than|instead of) (?:\w{2,14}ing)\b|\b(?:a|an) (?:option|flag|setting|switch|number|hint|list|label|mode) (?:\w{1,12} ){0,6}?(?:would|could)\b|--[\w-]{1,40}`? could\b|\bcould (?:load|print|tell|say)\b",
        r"\bcontributions?\b|\bhappy to (?:contribute|implement|open a pr|submit|send)\b|\b(?:for|on) (?:implementing|the implementation)\b|\bgood first issue\b",
        r"(?:^\W{0,6}|[.!?]\s)(?:currently|today|at the moment|right now|as of now),? (?:vllm|the \w+|one|people|users|there|it|callers)\b|目前|当前|derzeit|aktuell|actuellement|actualmente|сейчас|現在|현재|attualmente|atualmente",
        r"而不是|更方便|stattdessen|\banstatt\b|au lieu d|en lugar de|en vez de|вместо|а не\b|代わりに|대신|invece di|em vez de",
        r"建议|希望[^。\n]{0,24}(?:能|可以|支持|增加)|期望|能否支持|wünsch|wäre es|wäre (?:schön|gut|hilfreich)|\bsollte\b[^.\n]{0,60}\b(?:warnen|können|anzeigen|prüfen|nehmen|vorschlagen)|il serait|ce serait|sería (?:útil|bueno|ideal)|estaría bien|было бы|хотелось бы|предлага|してほしい|していただける|提案|あると便利|있으면 (?:좋|편)|추가해|제안|sarebe|sarebbe (?:utile|bello)|seria (?:útil|bom)",
    )
)
_WISH_TITLE = Late(
    r"\W{0,6}(?:\[(?:feature|feat|rfc|proposal|enhancement)[^\]\n]{0,20}\]|(?:feature|wish|wunsch|idea|proposal|suggestion|enhancement|rfc|功能(?:请求|建议|需求)|建议|希望|提案|제안|предложение|sugerencia|demande)\b)",
    re.IGNORECASE,
)

# What is headed as a wish may be asked for.
_WISHED = Late(r"\b(?:could|would|can|should)\s(?:the|vllm|it|we|this|there)\b[^?\n]{0,160}\?", re.IGNORECASE)

LEAST = 2
"""Things of the kind that tell a proposal: one stands in many a complaint."""


# A sentence of a commit has no subject.
_SUBJECTLESS = Late(r"(?:^|[.!?]\s|^\s{0,4}[-*]\s)(?:Introduces|Adds|Removes|Fixes|Makes|Replaces|Moves|Renames|Updates|Wraps|Ensures|Prevents|Allows|Changes|Raises|Rejects|Refactors|Implements|Exposes|Rewords|Drops|Skips|Guards|Extends|Improves|Bumps|Handles|Supports|Enables|Disables|Falls)\s(?!in\b|with\b|at\b|after\b)", re.MULTILINE)  # fmt: skip


def is_proposal(writing: Writing) -> bool:
    """Return whether a change or a wish is told, and nobody in trouble is heard."""
    titled = _titled(writing.title)
    headed = _headed(writing) + (_SUBJECTLESS.regex.search(writing.said) is not None)
    changes = titled + headed + _count(_OF_A_CHANGE, writing.said)
    wishes = (titled > 0) + _count(_OF_A_WISH, writing.said) + (_WISH_TITLE.regex.match(writing.title) is not None)
    if (changes if titled or headed else 0) < LEAST and wishes < LEAST:
        return False
    said = _WISHED.regex.sub(" ", writing.said) if _WISH_TITLE.regex.match(writing.title) else writing.said
    return not calls_for_help(said, writing.headings) and not tells_a_plight(said)


def _titled(title: str) -> int:
    """Return how much the title is that of a change; of a line longer than titles are, its beginning."""
    title = title[:_LONGEST_TITLE]
    tags = _TAGS.regex.match(title) or _COMMIT.regex.match(title)
    rest = title[tags.end() :] if tags else title
    does = _DOES.regex.match(rest) is not None and _FAILS.regex.match(rest) is None
    return (
        (tags is not None)
        + does
        + (_SURE_TAG.regex.match(title) is not None)
        + (_NUMBERED.regex.match(title) is not None)
    )


def _headed(writing: Writing) -> int:
    return len(writing.headings & _HEADINGS) + (len(writing.headings & _COMMON) > 1)


def _count(kinds: tuple[Late, ...], text: str) -> int:
    return sum(kind.regex.search(text) is not None for kind in kinds)
