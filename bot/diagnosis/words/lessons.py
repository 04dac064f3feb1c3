"""Whether a text teaches: which errors one meets, what they mean and what cures them, told to whoever reads it."""

from __future__ import annotations

import re

from bot.diagnosis.words.calls import calls_for_help, tells_a_plight
from bot.diagnosis.words.writing import Writing, bare
from bot.reading.late import Late

_READERS = r"(?:you|one|users|people|newcomers|beginners|teams|everybody|everyone|most of us|we all|many)"
_MEET = r"(?:meet|see|hit|encounter|run into|come across|stumble (?:on|over|upon)|face|get|bump into)"
# What one meets: whoever meets it now says so of himself, or of once.
_MEETING = Late(
    rf"""\b{_READERS}\s(?:(?:will|may|might|can|could|often|usually|sometimes|eventually|sooner\sor\slater|probably|likely|typically|are\slikely\sto|tend\sto|inevitably),?\s){{1,3}}{_MEET}\b
      | \b(?:most\s)?(?:common|frequent|typical|classic|well-known|popular)\s(?:[\w-]{{1,14}}\s){{0,3}}(?:errors?|failures?|mistakes?|pitfalls?|gotchas?|problems?|issues?|messages?|traps?)\b
      | \b(?:errors?|failures?|messages?|traps?|mistakes?)\s(?:that\s)?(?:everyone|everybody|every\s\w{{2,10}}|you|most\speople|most\susers|newcomers|beginners|people)\s(?:\w{{1,10}}\s)?(?:meets?|sees?|hits?|runs?\sinto|faces?|encounters?|gets?|makes?)\b | \b(?:once\sin\sa\swhile|now\sand\sthen|every\sso\soften)\b
      | \berrors?\s(?:that\s)?(?:you|one|people)\s(?:will|may|might|can)\b | \b{_READERS}(?:['’]ll)\s(?:\w{{1,10}}\s){{0,2}}{_MEET}\b
      | (?:经常|常常|往往|容易|难免|总会|可能|有时)会?(?:遇到|碰到|出现|看到|遭遇) | 会(?:遇到|碰到|看到) | 常见(?:的)?(?:报错|错误|问题|异常|坑) | (?:遇到|碰到)过(?:这样|类似) | (?:坑|错误|问题|报错)[一二三四]\s?[：:、]
      | (?:遭遇する|出る|発生する|表示される|見かける|ぶつかる)こと(?:が|も)(?:あ|多) | よく(?:ある|見る|見かける|出る|遭遇する|出会う) | ハマりやすい | つまずき
      | \b(?:trifft|stößt|begegnet|sieht|bekommt|erhält)\sman\b | \bman\s(?:\w{{1,12}}\s){{0,2}}(?:trifft|stößt|sieht|bekommt|begegnet)\b | \b(?:häufige?|typische?)[nrs]?\s(?:\w{{1,14}}\s)?(?:fehler|meldung|fehlermeldung)\w{{0,3}}\b
      | \bon\s(?:rencontre|tombe|obtient|croise|voit)\s(?:souvent|parfois|vite|régulièrement|fréquemment|en\sgénéral) | \b(?:erreurs?|problèmes?)\s(?:fréquent|courant|classique)e?s?\b
      | \b(?:es|resulta)\s(?:muy\s)?(?:habitual|común|frecuente|normal|típico)\s(?:encontrar|ver|toparse|recibir) | \b(?:uno\sse\sencuentra|suelen?\saparecer|suelen?\sencontrar) | \b(?:errores|error|problemas)\s(?:más\s)?(?:comunes|frecuentes|habituales|típicos?|común|frecuente|habitual)\b
      | \bчасто\s(?:\w{{1,12}}\s)?(?:встреча|возника|быва|появля|сталкива) | \b(?:можно|приходится)\s(?:встретить|увидеть|столкнуться|сталкиваться) | (?:частые|типичные|распростран[её]нные)\s(?:\w{{1,12}}\s)?ошибк
      | (?:자주|흔히|종종|가끔)\s(?:\S{{1,8}}\s)?(?:만나|마주|보[게이]|겪|발생|나오) | 마주하게|만나게\s?(?:되|됩|된)|마주치(?:게|는) | 흔한\s(?:에러|오류)
      | \bcapita\s(?:spesso|di)\b | \bci\ssi\simbatte\b | \berrori\s(?:comuni|frequenti|tipici)\b | \bé\scomum\s(?:encontrar|ver)\b | \berros\scomuns\b""",
    re.VERBOSE | re.IGNORECASE,
)
_MEANING = Late(
    r"""\b(?:this|the|that|such\san?)\s(?:\w{1,12}\s)?(?:error|message|exception|warning|one|failure|check)\s(?:\w{1,12}\s)?(?:means|indicates|tells|happens\swhen|occurs\swhen|occurs\sif|happens\sif|appears\swhen|is\s(?:raised|thrown|caused)|comes\sfrom|usually|typically|boils\sdown)\b
      | \b(?:this|it)\s(?:(?:usually|typically|simply|just|only)\s)?(?:means\sthat|happens\s(?:when|if|because)|occurs\s(?:when|if|because))\s(?!i\b|we\b) | \b(?:why\s(?:it|this)\shappens|what\sit\smeans|under\sthe\shood)\b
      | \bis\sbecause\b | \bthe\s(?:real|actual|true)\s(?:one|error|cause|reason|problem)\b | 如果[^。\n]{2,30}就会(?:抛出|报|出现|提示) | (?:意思是|含义是|意味着|表示|原因是|原因在于|是因为|是由于|本质上|说明) | (?:を意味し|(?:とき|場合|時)に(?:発生|出|表示)|という意味|が原因です|ためです)
      | \b(?:bedeutet|besagt|heißt)\b | \b(?:tritt|erscheint|kommt)\s[^.\n]{0,40},?\swenn\b | \bsignifie\b | \bse\sproduit\s(?:quand|lorsque) | \bapparaît\s(?:quand|lorsque) | \bsignifica\b | \b(?:ocurre|aparece|se\sproduce)\scuando\b
      | \b(?:означает|значит,?\sчто|говорит\sо\sтом)\b | (?:возникает|появляется),?\s(?:когда|если) | (?:라는|다는|는|을)\s?(?:의미|뜻) | 의미(?:함|입니다|임|한다) | (?:때문에|부족해서|할\s때)\s?발생(?:하는|합|한다|함) | \b(?:accade|si\sverifica|ocorre)\s(?:quando|se)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_EXAMPLE = Late(
    r"\b(?:for example|for instance|e\.g\.|say you|suppose|imagine)\b|例如|比如|举例|举个例子|例えば|たとえば|\b(?:zum beispiel|z\. ?b\.|beispiel:|par ex(?:emple)?|p\. ex\.|por ejemplo|per esempio|ad esempio|por exemplo)|\bнапример\b|예를\s?들|예시|예:",
    re.IGNORECASE,
)
# A log that is shown for what it would be like.
_ILLUSTRATED = Late(
    r"""\b(?:for\s(?:example|instance)|e\.g\.),?\s(?:\w{1,10}\s){0,3}?(?:logs?|output|error|messages?|trace(?:back)?|excerpt|snippet)\b[^.\n]{0,60}\b(?:shows?|illustrates?|is\swhat|was\swritten|looks?)\b | \b(?:can|may|might|could|will)\s(?:cause|make|lead|result\sin|bring)\b[^.\n]{0,40}\b(?:engine|server|vllm|start-?up|process|worker)\b
      | (?:例如|比如)，?(?:下面|以下|下方|如下)的?(?:日志|报错|输出) | (?:例えば|たとえば)、?(?:以下|次)の(?:ログ|エラー) | \b(?:zum\sbeispiel|z\.\s?b\.)\s[^.\n]{0,24}\b(?:log|protokoll|ausgabe|auszug)\b | \bpar\sexemple,?\s[^.\n]{0,24}\b(?:journal|log|sortie|extrait)\b | \bpor\sejemplo,?\s[^.\n]{0,24}\b(?:registro|log|salida)\b | \bнапример,?\s[^.\n]{0,24}(?:лог|журнал|вывод)""",
    re.VERBOSE | re.IGNORECASE,
)
# A parameter is told what it is for.
_OF_SETTINGS = Late(
    r"""(?:该|此|这个)参数(?:会|用于|表示|指定|控制|决定|是|的) | \b(?:this|the)\s(?:parameter|option|argument|setting|flag)\s(?:\w{1,10}\s)?(?:specifies|controls|sets|determines|defines|tells|limits|is\sused|decides|governs) | このパラメー?タ?ー?(?:は|で) | (?:이|해당)\s(?:파라미터|매개변수|옵션)(?:는|은)
      | \b(?:dieser\s(?:parameter|schalter)|diese\soption|ce\sparamètre|cette\soption|este\sparámetro|esta\sopción|questo\sparametro|este\sparâmetro)\s | \bэтот\sпараметр\b""",
    re.VERBOSE | re.IGNORECASE,
)
_OWN = re.compile(r"\b(?:I|[Ww]e|I'm|[Mm]y|[Oo]ur)\b|我|私|저는|\b(?:ich|wir|je|nous|yo|nuestr\w{1,2})\b")
_CURING = Late(
    r"""\b(?:to\s(?:fix|solve|resolve|cure|avoid|prevent)\s(?:it|this|that|these)|how\sto\s(?:fix|solve|resolve|avoid)|the\s(?:fix|remedy|cure|solution|workaround)\sis|(?:fix|solution|step|option)\s\d{1,2}\b|here(?:'|’)s\show)
      | 解决(?:办法|方法|方案|思路)|处理(?:办法|方法)|可以(?:通过|尝试|适当)|即可|就行|排查(?:步骤|方法) | (?:解決|対処)(?:方法|策|でき|します)|解消(?:でき|します) | \b(?:lösung|abhilfe)\b | \b(?:solution|remède)\s?: | \bpour\s(?:corriger|résoudre|éviter)\b
      | \b(?:solución|para\s(?:solucionar|resolver|evitar))\b | \b(?:решение|чтобы\s(?:исправить|избежать|решить))\b | 해결\s?(?:방법|책|하려면|할\s수|됩니다)|해결법 | \b(?:soluzione|per\s(?:risolvere|evitare)|solução|para\scorrigir)\b""",
    re.VERBOSE | re.IGNORECASE,
)
# Advice to somebody else, who is spoken to.
_ADVICE = Late(
    r"""(?:^\W{0,6}|[.!?:;,]\s|\b(?:so|then|either|just|or|please)\s)(?:use|try|lower|raise|increase|decrease|reduce|set|pass|pick|choose|add|drop|upgrade|restart|run\ with|switch\sto|consider|make\ssure|remove|limit|shorten|start\ with|begin\ with)\s(?!it\sto\b)
      | 所以[^。\n]{0,20}(?:要|需要|应该|建议) | (?:建议|可以|需要|请)(?:先|把|将|适当|尝试)?(?:调|改|换|降|增|减|升级|使用|设置) | してください | してみて | \b(?:versuch|nimm|setz|probier)\w{0,3}\b | \b(?:essayez|utilisez|réduisez|augmentez)\b | \b(?:prueba|usa|reduce|aumenta)\b | попробуй | уменьши | увеличь | 하세요 | 해\s?보세요""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
_SPOKEN_TO = Late(
    r"""\b(?:error|message|log|output|line|trace(?:back)?|command)\syou\s(?:\w{1,8}\s)?(?:quote|post|paste|see|saw|got|get|show|have|sent|share)\w{0,2}\b | \byou\s(?:can|should|could|need|have\sto|may|might|will|must|only\sneed|just\sneed|probably)\b | \byour\s(?:model|card|gpu|command|config|case|error|setup|version|log)\b | ^\W{0,3}@\w{2,}
      | \b(?:good\sto\sgo|hope\s(?:this|that|it)\shelps)\b | 你(?:可以|需要|应该|的) | 您(?:可以|需要|应该|的) | \b(?:du\s(?:kannst|musst|solltest)|vous\s(?:pouvez|devez)|(?:puedes|debes|tienes\sque))\b | ты\sможешь | вам\s(?:нужно|надо)""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
_BOOK = Late(
    r"""\b(?:next\ssteps|in\sthe\snext\s(?:chapter|section|part|post)|further\sreading|table\sof\scontents|(?:chapter|section|part|lesson|step)\s\d{1,2}\b|prerequisites|key\stakeaways?|conclusion|min\sread|(?:accepted|stack\ ?overflow|community)\sanswer|published|updated\son|written\sby|subscribe|this\s(?:guide|article|post|tutorial|section|chapter|page|lesson|series))\b
      | 本文|本章|本节|(?:部署|学习|踩坑|读书)笔记|避坑|指南|教程|攻略|手把手|速查|大全|目录|总结|前言|下一[章节篇] | この記事|まとめ|はじめに|目次 | \bin\sdiesem\s(?:artikel|beitrag|kapitel)\b|\bdans\scet\sarticle\b|\ben\seste\s(?:artículo|tutorial|capítulo)\b|в\sэтой\s(?:статье|главе)|이\s(?:글|포스팅|포스트)|정리(?:하면|해)""",
    re.VERBOSE | re.IGNORECASE,
)

_MEANINGS = frozenset({"meaning", "what it means", "what this means", "cause", "causes", "why", "reason", "explanation", "原因", "原因分析", "含义", "说明", "意味", "ursache", "bedeutung", "cause possible", "causa", "significado", "причина", "원인", "의미"})  # fmt: skip
_CURES = frozenset({"fix", "the fix", "cure", "solution", "solutions", "remedy", "what to do", "how to fix it", "how to fix", "options", "解决", "解决方法", "解决办法", "解决方案", "处理方法", "対処", "対処法", "対策", "解決策", "解決方法", "lösung", "abhilfe", "solución", "soluciones", "решение", "해결", "해결 방법", "해결책", "soluzione", "solução"})  # fmt: skip

_PARTS = frozenset({"troubleshooting", "faq", "license", "contributing", "installation", "usage", "quick start", "quickstart", "getting started", "requirements", "known issues", "common issues", "acknowledgements", "许可证", "常见问题", "安装", "使用方法"})  # fmt: skip

LEAST = 3
"""Things of a lesson that tell one; with what one meets, one more is enough."""


def is_lesson(writing: Writing) -> bool:
    """Return whether a text tells anybody of errors, and nobody in trouble is heard."""
    said = "\n".join((writing.title, *sorted(writing.headings), writing.said))
    explains = _MEANING.regex.search(said) is not None or not writing.headings.isdisjoint(_MEANINGS)
    cures = (
        _CURING.regex.search(said) is not None
        or _ADVICE.regex.search(writing.said) is not None
        or not writing.headings.isdisjoint(_CURES)
    )
    others = explains + cures + sum(kind.regex.search(said) is not None for kind in (_EXAMPLE, _BOOK, _SPOKEN_TO))
    if _OWN.search(writing.said) is None:
        others += min(2, len(_ILLUSTRATED.regex.findall(said))) + min(2, len(_OF_SETTINGS.regex.findall(said)))
    others += min(2, len({*writing.headings, bare(writing.title)} & _PARTS))
    meets = _MEETING.regex.search(said) is not None
    if others + 2 * meets < LEAST or writing.ends_in_a_record:
        return False
    return not calls_for_help(writing.said, writing.headings) and not tells_a_plight(writing.said)
