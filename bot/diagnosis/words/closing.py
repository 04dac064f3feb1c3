"""Whether somebody tells that a matter is over: as their own conclusion, about what they paste, with nothing after it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.diagnosis.words.roles import Role, words_of
from bot.evidence import Line
from bot.reading.late import Late

# Words that end a matter. Bare "works", "fine" or "fixed" are not among them: "works with tp 1", "a fixed amount".
_CLOSING = Late(
    r"""
      (?<!be\ )(?<!not\ )\b(?:solved|resolved|sorted\ out)\b(?!\s+(?:address|host|architecture|model)) | \bfixed\b\s*(?:[.!,;:)]|\Z|\n) | \bthe\ (?:fix|solution|culprit)\ was\b
    | \bturn(?:s|ed)\ out\ to\ be\ (?!(?:an?\ )?(?:cuda|nccl|oom|out|errors?|hangs?|crash\w*|slow\w*|hard\w*|difficult|impossible|wrong|too|not|more|only)\b)
    | \bturn(?:s|ed)\ out\ (?:that\ )?(?:it\ was|(?:our|my)\ [^.?!\n]{1,60}\ (?:was|were|had|held|did)\b) | \b(?:it|this|that)\ was\ (?:all\ )?[\w '’-]{1,40}(?:['’]s|\bmy|\bour)\ fault\b
    | \b(?:root\ )?cause(?:\ (?:was|has\ been))?\ (?:found|identified|confirmed)\b | \b(?:root|real|actual)\ cause\ was\b
    | \b(?:confirmed|is|was|are|got|been|now|all|finally)\s+fixed\b | \bfixed\s+(?:it|that|now|on|by|in|with|the\ issue)\b
    | \b(?:works|working|running|runs|booted|boots|starts|started|serves|up)\b[^.?!\n]{0,30}\b(?:now|again|first\ try)\b(?![^.?!\n]{0,60}\b(?:loops?|crash\w{0,3}|fail\w{0,3}|dies|until)\b)
    | \b(?:now|and)\s+it\s+(?:works|runs(?!\s+(?:into|out))|booted|boots|starts)\b
    | \b(?:nvm|never\ ?mind|false\ alarm|ignore\ me|ignore\ (?:this|that|them)|disregard)\b
    | \bno\ need\ to\ (?:look|worry|check)\b | \b(?:you\ can|please)\ close\b | \bclosed\b[.,:] | \bno\ question\b
    | \b(?:all|looks|is)\ good\b(?:\ now|\ again|\ to\ me|[!.]?\s*(?:\n|\Z)) | \b(?:you're\ fine|log\ is\ clean|is\ fine\ now)\b | \bno\ more\ (?:errors|preemptions|ooms?)\b
    | \bthanks?,?\s+(?:works|that\ (?:did|was|worked|helped)|it\ works)\b | \bgood\ bot\b | \bback\ to\ (?:0|normal|zero)\b
    | \b(?:synced\ /\ healthy|scaled\ out)\b | \bmoved?\ to\ (?:done|closed|resolved)\b | 解决了|搞定|無事|解決しました | \b(?:gelöst|erledigt|behoben|résolu|resuelto|rozwiązane)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)

# "It works perfectly" ends a matter; "this fails, but that works perfectly" compares.
_PRAISE = Late(
    r"\b(?:works|working|running|runs|starts|started|serves)\b[^.?!\n]{0,30}\bperfectly\b[^.?!\n]{0,80}", re.IGNORECASE
)
_COMPARING = Late(r"\b(?:but|while|whereas|although|however)\b", re.IGNORECASE)

# "Has anyone solved this", "if somebody got it fixed", "hope it will be fixed": an end is asked for, and not told.
_SOUGHT = Late(
    r"""\b(?:if|whether|until|how|(?:has|have|did|can|could)\s(?:any|some)(?:one|body)|(?:any|some)(?:one|body)\s(?:has|have|had|who|else)?|any\s\w{1,12}|will\s(?:\w{1,8}\s)?be|hop(?:e|ing)|waiting\sfor)\b
      | 有人|怎么|如何 | \b(?:jemand|alguien|quelqu'un)\b""",
    re.VERBOSE | re.IGNORECASE,
)
# "A colleague thinks it is solved by", "in the issue it was fixed", "PR 12 says fixed": what others say of theirs.
_OF_OTHERS = Late(
    r"""\b(?:says?|said|thinks?|claims?|claimed|suggest(?:s|ed)|wrote|according|supposed(?:ly)?|allegedly|should(?:n't)?|would|might|must
          |(?:in|from)\s(?:the|that|an?|another|this)\s(?:\w{1,12}\s)?(?:issue|pr|thread|ticket|post|docs?|readme|forum|changelog|release\ notes?)
          |(?:i|we)\s(?:guess|suspect|assume|believe)|maybe|probably|perhaps|possibly|similar|(?:issue|pr|commit|pull\ request|merge\ request)\b|changelog|release\ notes?)\b
      | https?:// | \#\d{2,6}\b""",
    re.VERBOSE | re.IGNORECASE,
)
# What takes the end back: "but now", "it still fails", "next problem", "today the same again".
_REOPENING = Late(
    r"""\b(?:but|however|yet|although|except|unfortunately|otherwise|still(?!\s(?:running|up|works?|fine|good|ok|green|healthy))|next|(?:and|but)\sthen|same|came\sback|is\sback|returned
          |(?<!no\s)(?<!not\s)again|(?:does|do|did)(?:n't|\snot)\s(?:help|work|start|change|fix)
          |now\s(?:it\s|i\s|we\s|there\s|this\s)?(?:runs?\sinto|gets?|got|fails?|failing|dies|says|shows|throws|hangs|comes?|another|a\s(?:new|different)|is\sa(?:nother)?)
          |(?:i|we)\s(?:now\s)?(?:get|see)(?!\sno\b)
          |any\s(?:\w{1,10}\s)?(?:ideas?|help|hints?|clue|advice|tips?|suggestions?)|why|what\s(?:is|can|should)\s(?:i|we|wrong|the)|how\s(?:do|can)\s(?:i|we)
          |aber|jedoch|trotzdem|pero|sin\sembargo|mais|toujours|ancora)\b
      | \b(?:does|do|did)(?:n't|\snot)\s*[:.] | 但|不过|可是|然而|又|还是|でも|しかし|まだ|하지만|여전히 | \bно\b|однако|всё\sещё|опять|снова""",
    re.VERBOSE | re.IGNORECASE,
)
_NOT_OWN = Late(r"\s*(?:>|&gt;|[-*•+]\s|\#)")  # a quotation, an item of a list, a comment
_QUOTED = Late(r"\s\#\s.*|\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|«[^»\n]{1,300}»|`[^`\n]{1,300}`")
_PERSON = Late(r"\s(?:@\w|[-=]>|→|—|(?:I|we|you|thanks|nvm)\b)")
HEAD = 300
"""Characters of a person's own words that head a paste: an update stands there."""

TAIL = 600
"""Characters that may follow a conclusion; whoever writes more has gone on."""

_STOP = Late(r"[.?!。？！\n]")


def is_closed(spoken: Sequence[tuple[Line, Role]]) -> bool:
    """Return whether the author tells an end above or below what programs wrote, and takes nothing of it back.

    Args:
        spoken: Lines with their roles, in order.
    """
    shown = [index for index, (_, role) in enumerate(spoken) if role in {"record", "machine"}]
    own = [(index, _own_words(line.text, role)) for index, (line, role) in enumerate(spoken)]
    above = "\n".join(text for index, text in own if not shown or index < shown[0])
    below = "\n".join(text for index, text in own if shown and index >= shown[-1])
    return _ends(f"{above}\n\n{below}")


def _own_words(text: str, role: Role) -> str:
    """Return what the author says on a line; on one that a program began, what follows once a person is heard."""
    if role == "machine" and (person := _PERSON.regex.search(text)):
        return text[person.start() :]
    is_own = role == "said" and not _NOT_OWN.regex.match(text)
    return _QUOTED.regex.sub(lambda found: " " * len(found[0]), words_of(text)) if is_own else ""


def _ends(text: str) -> bool:
    ends = [found for found in _CLOSING.regex.finditer(text) if _is_told(text, found) and _is_last(text, found)]
    praised = [
        found for found in _PRAISE.regex.finditer(text) if not _COMPARING.regex.search(_before(text, found) + found[0])
    ]
    return any(not _REOPENING.regex.search(text, found.end()) for found in [*ends, *praised])


def _is_told(text: str, found: re.Match[str]) -> bool:
    """Return whether the words tell an end, of this matter: no question, and nothing that others say of theirs."""
    before, stop = _before(text, found), _STOP.regex.search(text, found.end())
    is_asked = stop is not None and stop[0] in "?？"
    return not is_asked and not _SOUGHT.regex.search(before) and not _OF_OTHERS.regex.search(before)


def _is_last(text: str, found: re.Match[str]) -> bool:
    """Return whether it heads what was written, or stands near its end."""
    return len(text[: found.start()].strip()) < HEAD or len(text[found.end() :].strip()) < TAIL


def _before(text: str, found: re.Match[str]) -> str:
    """Return the beginning of the sentence that something stands in, its last 120 characters."""
    place = found.start()
    return re.split(r"[.?!\n](?=\s|\Z)|:\s", text[max(0, place - 120) : place])[-1]
