"""Whether a text reports: what was measured, found or settled, with every failure in it explained or overcome.

The refusals that a benchmark meets are right, as its author says; the failures that notes tell of were passed.
"""

from __future__ import annotations

import re

from bot.diagnosis.words.calls import calls_for_help, tells_a_plight
from bot.diagnosis.words.writing import COPY, Writing, bare, label
from bot.reading.late import Late

# The author holds the refusal for right.
_RIGHT = Late(
    r"""\b(?:correctly|rightly|properly|duly|rightfully|sensibly|wisely|cleanly|predictably|understandably)\s(?:\w{1,10}\s)?(?:reject|refus|den|declin|rais|report|complain|stop|bail|abort|err|fail|catch|caught|guard)\w{0,4}\b
      | \b(?:reject|refus|den|declin|abort)\w{1,4}\b[^.\n]{0,60}\b(?:as\sit\sshould|as\sexpected|as\s(?:documented|advertised|announced|designed)|as\sintended|by\sdesign|correctly|rightly|which\sis\s(?:correct|right|expected|fine|good))\b
      | \b(?:expected|clean|correct|intended|proper)\s(?:rejection|refusal|error|failure|behaviou?r)\b(?!:) | \bwhich\sis\s(?:correct|right|expected|intended|by\sdesign)\b | (?:^|[.:;)]\s)(?:as\s)?expected[,.;] | \bdid\snot\s(?:start|fit|load),\s(?:by\sdesign|as\sexpected)
      | (?:按|如|符合)预期(?:地)?(?:拒绝|报错|失败)?|预期(?:行为|现象|结果|之内) | (?:正确|正常)(?:地)?拒绝 | 期待(?:どおり|通り) | 正しく拒否 | \b(?:wie\serwartet|erwartungsgemäß|zu\srecht|comme\s(?:prévu|attendu)|à\sjuste\stitre|como\s(?:era\sde\sesperar|se\sesperaba)|con\srazón|come\sprevisto|giustamente|conforme\sesperado|как\sи\sожидалось|ожидаемо|справедливо) | 예상대로|정상적으로\s거부""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
_TRY = r"(?:(?:re-?)?(?:launch|start|try|run|attempt|boot|deploy|restart)(?:e?d|ing|ting|s)?|launch|relaunch)"
# Another attempt came through, or another way was taken.
_PASSED = Late(
    rf"""\b(?:second|2nd|third|next|another|later|new|re)[\s-]?{_TRY}\b[^.\n]{{0,60}}\b(?:succeeded|worked|came\sup|went\s(?:through|fine|well)|passed|was\s(?:fine|clean|green|ok))\b
      | \b(?:relaunch|restart|retry|retri|re-?run)\w{{0,5}}\b[^.\n]{{0,70}}\b(?:succeeded|worked|came\sup|went\s(?:through|fine|well)|passed|was\s(?:fine|clean|green|enough)|did\sit|cleared\sit|fixed\sit)\b
      | \b{_TRY}\s(?:it|them|the\s\w{{1,14}})?\s?(?:again|once\smore|afterwards)\b[^.\n]{{0,60}}\b(?:succeeded|worked|came\sup|went\s(?:through|fine|well)|passed|did\sit)\b | \b(?:the|with)\s[^.\n]{{1,40}}\b(?:start|launch|run)\ssucceeded\b
      | \b(?:fine|ok|okay|good|stable|quiet|healthy|green)\s(?:ever\s)?since\b | \bwe\s(?:settled\son|went\ with|ended\sup\ with|moved\sto|chose|decided\s(?:on|for|to)|picked)\b | \b(?:has|have)\sbeen\s(?:serving|running|stable|healthy|up)\s(?:\w{{1,10}}\s)?(?:since|for|ever)\b
      | (?:重新|再次|第二次)(?:启动|运行|部署|尝试)?(?:后|就)?(?:成功|正常) | 重启(?:后|之后|就)(?:恢复|正常|成功|好了) | (?:换成|改成|改用|换了)[^。，\n]{{1,20}}(?:，)?(?:就|后|之后|便)(?:好|可以|正常|行|解决|没问题) | 最终(?:采用|选择|决定|使用) | 再起動(?:したら|で|後)[^。\n]{{0,20}}(?:成功|正常|解消|起動し) | \b(?:neustart|zweite[rn]?\s(?:start|versuch|anlauf)|erneuter\sstart)\b[^.\n]{{0,50}}\b(?:erfolgreich|klappte|lief|gelang|ging)\b
      | \b(?:second\sessai|relance|redémarrage|nouvel\sessai)\b[^.\n]{{0,50}}\b(?:réussi|fonctionné|passé)\b | \b(?:segundo\sintento|reinicio|reintento|al\sreiniciar)\b[^.\n]{{0,50}}\b(?:funcionó|arrancó|éxito|correctamente)\b | (?:повторный\sзапуск|со\sвторо\w{{1,3}}\s(?:раза|попытк\w)|после\sперезапуска)[^.\n]{{0,50}}(?:успешн|прош[её]л|заработал|удал) | 재시작(?:하니|후|하자)[^.\n]{{0,20}}(?:성공|정상) | 다시\s(?:실행|시작)하(?:니|자)[^.\n]{{0,20}}(?:성공|정상)""",
    re.VERBOSE | re.IGNORECASE,
)
# What takes it back, or shows that the attempts are only compared.
_GOES_ON = Late(
    r"""\b(?:but|however|yet|although|except|unfortunately|still|again\b(?!\s(?:later|afterwards|once)|[^.\n]{0,30}\b(?:went|worked|succeeded|came))|and\sthen|until|an?\s(?:hour|day|minute|while)\slater|keeps?|every\stime|today|now\s(?:it|we|i)|next\sproblem)\b | 但|不过|然而|又(?:报|出|挂)|仍 | でも|しかし|まだ
      | \b(?:aber|jedoch|trotzdem|pero|sin\sembargo|mais|toujours|ancora|però|mas)\b | 하지만|그런데|여전히 | \b(?:но|однако|снова|опять)\b""",
    re.VERBOSE | re.IGNORECASE,
)


# Headings of notes on what was found, and what their authors take from it: an order, a rule that now holds.
_NOTES = frozenset(
    {
        *("takeaway", "takeaways", "key takeaways", "finding", "findings", "lesson", "lessons", "lessons learned", "what we learned", "learnings", "conclusion", "conclusions", "decision", "decisions"),
        *("decision log", "outcome", "retrospective", "retro", "post-mortem", "postmortem", "consequence", "consequences", "implication", "implications", "observations", "notes for next time", "next time"),
        *("结论", "检查结论", "经验", "经验总结", "总结", "复盘", "まとめ", "学び", "教訓", "結論", "결론", "교훈", "erkenntnisse", "fazit", "conclusiones", "leçons", "выводы", "итоги"),
    }
)  # fmt: skip
_TAKEN = Late(
    r"""^\W{0,8}(?:never|always|keep|don['’]t|do\snot|avoid|prefer|remember|leave|plan|budget|reserve|wait|start|stick)\b | \b(?:works|worked)\severy\stime\b | \bis\snow\s(?:in\sthe|documented|part\sof|automated|standard)\b
      | \b(?:must|has\sto|have\sto|needs?\sto)\sbe\s\w{2,14}(?:ed|en)\b | \b(?:did\snot|didn['’]t|no\slonger)\s(?:come\sback|recur|happen\sagain|reappear)\b | (?:已|已经)(?:上线|恢复|解决|写入|在正常) | 以后|今后|务必|稼働中|変更して|운영\s?중|\bseither\b|\bin\sbetrieb\b""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
# What was shown earlier than the attempt, though it is told after it.
_EARLIER = Late(
    r"\b(?:first|initial|earlier|previous|original|before|erste\w?|zuvor|premi(?:er|ère)|primer[oa]?|перв\w{2,3})\b|第一|最初|初回|之前|처음",
    re.IGNORECASE,
)


def is_report(writing: Writing) -> bool:
    """Return whether all that failed was right to fail or has been overcome, and nobody in trouble is heard."""
    said = writing.said
    is_over = _RIGHT.regex.search(said) is not None or _passed(said) or _concludes(writing)
    return is_over and not calls_for_help(said, writing.headings) and not tells_a_plight(said)


def _passed(said: str) -> bool:
    """Return whether an attempt came through, and what follows neither takes it back nor shows another failure."""
    ends = [match.end() for match in _PASSED.regex.finditer(said)]
    return any(not _GOES_ON.regex.search(said, end) and _shows_no_more(said[end:]) for end in ends)


def _shows_no_more(rest: str) -> bool:
    before, sign, _ = rest.partition(COPY)
    return not sign or _EARLIER.regex.search(before) is not None


def _concludes(writing: Writing) -> bool:
    """Return whether the text is headed as notes on what was found, and says what follows from it."""
    headed = {*writing.headings, bare(writing.title), label(writing.title)}
    return not headed.isdisjoint(_NOTES) and _TAKEN.regex.search(writing.said) is not None
