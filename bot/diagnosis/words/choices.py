"""Whether somebody asks why others chose a setting: a question of principle, with nothing that fails."""

from __future__ import annotations

import re

from bot.reading.late import Late

_CHOOSE = r"(?:choose|chose|chosen|pick(?:ed)?|use|used|set(?:tle(?:d)?)?|select(?:ed)?|go\ with|went\ with|recommend(?:ed)?|suggest(?:ed)?|limit(?:ed)?|default(?:ed)?|reserve|prefer(?:red)?|take)"
_ASKED = Late(
    rf"""\bwhy\s(?:do|did|have|are|were|would)\s(?:you|they|the\s(?:authors?|maintainers?|devs?|developers?|docs|examples?))\s(?:\w{{1,12}}\s){{0,2}}{_CHOOSE}\b
      | \bwhy\s(?:you|they|the\s(?:authors?|maintainers?))\s{_CHOOSE}\b | \bwhy\s(?:is|was)\s(?:such\s)?an?\s(?:low|high|small|large|big|conservative)\b | \bwhy\s(?:is|isn't)\s(?:it|this)\s(?:not\s)?(?:safe|advisable|recommended|wise|good\spractice|possible|save)\sto\b | \bwhy\s(?:it|this)\sis\s(?:not|n't)\s(?:safe|advisable|recommended|wise|save)\b
      | \bwhy\s(?:does|is|did|was)\s(?:the|this|your)\s(?:chart|template|example|default|compose|tutorial|docs?|documentation|script|recipe|guide|readme|helm|image|config|sample|launcher|wrapper)\b | \b(?:reason|rationale|reasoning|thinking|idea|thought|logic|motivation)s?\s(?:for|behind|of|why)\s(?:the|this|that|using|setting|choosing|such|reserving|leaving|it|you|only)\b
      | \b(?:how|why)\s(?:was|were)\s(?:that|this|the|these|it)\s(?:\w{{1,14}}\s){{0,3}}(?:chosen|picked|selected|determined|derived|set)\b
      | 为什么(?:要)?(?:选择|选用|选|设置成?|设为|推荐|建议|默认|只用|用这么) | 设计(?:考虑|思路|初衷) | 出于(?:什么|何种)考虑 | なぜ[^。\n]{{0,30}}(?:選|推奨|デフォルト|設定して) | 왜\s[^?\n]{{0,30}}(?:선택|권장|기본값|설정하셨|설정했)
      | \bwarum\s(?:habt|nehmt|nutzt|setzt|empfehlt|haben\ssie|wurde|wählt)\b | \büberlegung(?:en)?\s(?:dahinter|hinter) | \bpourquoi\s(?:avez-vous|avoir|avoir\schoisi|choisir|utilisez-vous|recommandez) | \b(?:por\squé|cuál\ses\sla\srazón)\s(?:hab[ée]is|han|se\s(?:ha\s)?elig|usáis|recomiend|de\s(?:usar|elegir|poner)) | \bпочему\s(?:вы\s)?(?:выбра|рекоменду|по\sумолчани|использу\w{{2,4}}\sтак) | \bperché\s(?:avete|si\sè)\s(?:scelto|scelta|usato)\b | \bpor\sque\s(?:escolher|vocês)""",
    re.VERBOSE | re.IGNORECASE,
    signs=(
        "why",
        "reason",
        "rationale",
        "thinking",
        "idea",
        "thought",
        "logic",
        "motivation",
        "how wa",
        "how we",
        "为什么",
        "设计",
        "出于",
        "なぜ",
        "왜",
        "warum",
        "überlegung",
        "pourquoi",
        "por q",
        "razón",
        "почему",
        "perché",
    ),
)


def asks_for_a_reason(said: str) -> bool:
    """Return whether a text asks why a setting was chosen."""
    return _ASKED.search(said) is not None
