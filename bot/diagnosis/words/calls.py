"""Whether somebody calls for help: asks what to do, tells that it happens to them, or fills in a form for those in trouble."""

from __future__ import annotations

from collections.abc import Iterable
from re import IGNORECASE, MULTILINE, VERBOSE

from bot.reading.late import Late

# The questions of a form for those in trouble.
_TROUBLED = Late(
    r"(?:your current environment|describe the (?:bug|issue|problem)|bug description|(?:steps )?to reproduce|reproduction(?: steps)?|who can help|system info"
    r"|(?:actual|current|expected) behaviou?r|(?:relevant )?log output|what happened|(?:how would you like to use vllm)|what (?:i|we) (?:have )?(?:already )?tried)\Z"
)
# A call for help, in whatever form it stands; whoever only wants eyes on a change, or hands for a wish, asks for those.
_CALL = Late(
    r"""\b(?:how|what|why|where|which|when)\s(?:\w{1,12}\s){0,2}?(?:do|does|did|can|could|should|shall|would|am|are)\s(?:i|we)\b | \b(?:should|can|could|may|do)\s(?:i|we)\b[^.!\n]{0,120}\?
      | \bany(?:\s\w{1,10})?\s(?:ideas?|hints?|clue|advice|tips?|suggestions?|help)\b | \bany(?:one|body)\b(?!\s(?:who|can|may)\b) | \b(?:please|pls|plz)\s(?:help|advise)\b(?!\sreview)
      | \bhelp\s(?:me|us|please|needed|wanted(?!\s(?:on|with|for|to)\b)|appreciated)\b | \b(?:what|how)\s(?:is|to\sdo|now)\b[^.!\n]{0,80}\? | \bis\s(?:it|this|that|there)\b[^.!\n]{0,120}\?
      | \b(?:i|we)\s(?:am|are|still|also|now|just|keep)\b | \b(?:i|we)(?:'|’)(?:m|re)\s(?:still|on|getting|seeing|hitting|running|using|stuck)\b | \b(?:i|we)\s(?:get|see|hit|have\ the\ same)\b
      | \bstill\s(?:get|getting|seeing|hitting|happens|broken)\b | \bbut\s(?:now|still|then|i|we)\b | \bnow\s(?:it|i|we|there)\b | \b(?:me|us)\s(?:too|as\swell)\b | \bsame\s(?:here|error|problem|issue)\b | \bno\sluck\b | \bstuck\b | \bfor\s(?:me|us)\b
      | ^\W{0,8}(?:why|reason|(?:root\ )?cause|(?:the\ )?fix|solution|resolution|workaround|mitigation)\W{1,6}(?:\?|unknown|none|tbd|n/a|not\ known|no\ idea|\Z)
      | ^\W{0,8}[^\W\d][\w\ ]{0,24}(?:[:：?]|\W\s)\W{0,4}(?:(?:unknown|pending|open|none)(?!\ \w)|unclear|unsure|tbd|tba|todo|n/a|under\ investigation|not\ (?:\w{1,8}\ )?(?:known|found|sure|clear|yet|identified|understood)|nothing\ yet|still\ |looking\ for|no\ (?:idea|clue)|unbekannt|unklar|keine?\b|noch\ |inconnue?|aucune?|pas\ |desconocid|ning[uú]n|sin\ |no\ (?:se\ |lo\ )|sconosciut|nessun|неизвестн|неясн|не\ |нет\b|пока\ |不明|未知|不清楚|不知|未定|まだ|なし|わから|尚|暂无|待|无|모름|모르|아직|없음|불명)
      | ^\W{0,4}(?:unknown|unclear|unbekannt|unklar|inconnue?|desconocid\w|неизвестн\w{1,2}|不明|未知|모름|(?:none|nothing)\ (?:so\ far|yet)|tbd|under\ investigation)\W*$ | \b(?:not\ sure|did(?:\ not|n't)\ help)\b
      | 怎么|为什么|请问|求助|求教|如何解决|有人|なぜ|教えて|助けて | почему|подскаж|помоги | \b(?:warum|wieso|hilfe|pourquoi|aide|por\ qué|ayuda|perché|aiuto|ajuda|dlaczego|pomocy)\b""",
    VERBOSE | IGNORECASE | MULTILINE,
)
# What sentences without a form must not hold either: a question, a failure of the author's own, something that goes on.
_PLIGHT = Late(
    r"""[?？¿] | (?<!does\snot\s)(?<!doesn't\s)\bhelp\b(?!\s(?:wanted\s(?:on|with|for|to)|users|people|newcomers|texts?|messages?|output)\b) | \b(?:urgent|please\s(?!look|review|note|see|refer)\w+|pls|plz|unfortunately|desperate)\b | \b(?:my|our)\s(?!own\b|tests?\b|measurements?\b|benchmarks?\b|recommendation\b|choice\b)\w
      | \b(?:i|we)(?:(?:'|’)ve|\s(?:have|had))?\s(?:tried|try|got|encounter(?:ed)?|face[d]?|met|receive[d]?|cannot|can(?:'|’)?t|could\s?n(?:o|')t|do\s?n(?:o|')t|am|followed|followed|installed|upgraded|updated|deployed)\b
      | \b(?:docs?|documentation|guide|tutorial|readme|colleagues?|chat\ ?gpt|gpt|ai|internet)\s(?:says?|said|tells?|told|suggest(?:s|ed)?|recommend(?:s|ed)?|claims?)\b
      | \b(?:no|not\sany)\s(?:change|effect|difference|use)\b | \bwas\s(?:fine|ok|working)\sbefore\b | \b(?:is|are)\s(?:down|broken|dead)\b
      | 我|俺|咋|吗\s*$|呢\s*$|为啥|是什么|不行|没用|无效|还是|\b(?:ich|wir|mein\w{0,2}|uns(?:er\w{0,2})?|je|j'ai|(?-i:mon)|nous|notre|yo|mi|me|nuestr\w{1,2}|tengo|io|mio|minha)\b|私|僕|困って|わかりません|저는|제가|도와|안\s?됩|у\sменя|у\sнас|мо[йя]\b|не\sпомога|то\sже\sсамое|ändert\snichts|gleiche""",
    VERBOSE | IGNORECASE | MULTILINE,
)


def calls_for_help(said: str, headings: Iterable[str]) -> bool:
    """Return whether a document's author is in trouble.

    Args:
        said: The author's own words.
        headings: Those of the text, bare and in small letters.
    """
    return any(map(_TROUBLED.regex.match, headings)) or _CALL.regex.search(said) is not None


def tells_a_plight(said: str) -> bool:
    """Return whether the author asks anything, or tells of a failure as of something that befell them."""
    return _PLIGHT.regex.search(said) is not None
