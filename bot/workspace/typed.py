"""What a person typed, as Slack's client sends it: a rich_text block, and the same as mrkdwn text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from bot.workspace.wire import Json, escaped, fresh_id

_FENCE = re.compile(r"```(?:\n)?([\s\S]*?)```")
_QUOTE = re.compile(r"^(?:&gt;|>) ?")
_LINK = re.compile(
    r"""
    (?P<url>https?://[^\s<>|"'`]+[^\s<>|"'`.,;:!?)\]}])          # a whole address
    | (?P<bare>(?<![\w@./:-])                                    # a name that Slack takes for one
        (?:\d{1,3}(?:\.\d{1,3}){3}:\d{2,5}
         |[A-Za-z0-9][A-Za-z0-9-]*(?:\.[A-Za-z0-9-]+)*\.(?:com|org|net|io|ai|dev|py))
        (?![\w.@-]))
    """,
    re.VERBOSE,
)
_INLINE = re.compile(
    r"""
    `(?P<code>[^`\n]+)`
    | <@(?P<user>[UW][A-Z0-9]+)>
    | <\#(?P<channel>C[A-Z0-9]+)(?:\|[^>]*)?>
    | <!subteam\^(?P<group>S[A-Z0-9]+)(?:\|[^>]*)?>
    | (?<![\w@])@(?P<name>[a-z0-9][a-z0-9._-]*[a-z0-9]|[a-z0-9])
    | (?<!\S):(?P<emoji>[a-z][a-z0-9_+-]+):(?!\S)
    | (?<![\w*])\*(?P<bold>\S[^*\n]*?)\*(?![\w*])
    | (?<![\w_])_(?P<italic>[^\s_][^_\n]*?)_(?![\w_])
    | (?<![\w~])~(?P<strike>[^\s~][^~\n]*?)~(?![\w~])
    """,
    re.VERBOSE,
)
_SMART = (
    (re.compile(r'(?<!\w)"'), "“"),
    (re.compile(r'"'), "”"),
    (re.compile(r"(?<=\w)'"), "’"),
    (re.compile(r"--"), "—"),
)
_BROADCASTS = frozenset({"here", "channel", "everyone"})
_STYLES = {"code": "code", "bold": "bold", "italic": "italic", "strike": "strike"}
_MARKS = {"bold": "*", "italic": "_", "strike": "~", "code": "`"}


def typed(text: str, names: Mapping[str, str]) -> tuple[str, list[Json]]:
    """Return the message text and the blocks of what was typed; `names` maps user names to ids."""
    elements = [*_elements(text, names)]
    if not elements:
        return "", []
    block: Json = {"type": "rich_text", "block_id": fresh_id("", 5), "elements": elements}
    return as_text(elements), [block]


def smartened(text: str) -> str:
    """Return the text as a phone's keyboard leaves it: curly quotes, long dashes, no spaces at line ends."""
    parts = re.split(r"(```[\s\S]*?```)", text)
    return "".join(part if at % 2 else _smartened(part) for at, part in enumerate(parts))


def as_text(elements: list[Json]) -> str:
    """Return the mrkdwn text that accompanies rich_text elements."""
    return "\n".join(_block_text(element) for element in elements)


def _smartened(text: str) -> str:
    for pattern, sign in _SMART:
        text = pattern.sub(sign, text)
    return "\n".join(line.rstrip() for line in text.split("\n"))


def _elements(text: str, names: Mapping[str, str]) -> Iterator[Json]:
    at = 0
    for fence in _FENCE.finditer(text):
        yield from _paragraphs(text[at : fence.start()], names)
        yield {
            "type": "rich_text_preformatted",
            "elements": [*_with_links(fence[1].removesuffix("\n"), is_code=True)],
            "border": 0,
        }
        at = fence.end()
    yield from _paragraphs(text[at:], names)


def _paragraphs(text: str, names: Mapping[str, str]) -> Iterator[Json]:
    """Yield sections, and quotes for lines that begin with `>`."""
    kept: list[str] = []
    is_quote = False
    for line in text.strip("\n").split("\n"):
        quoted = bool(_QUOTE.match(line))
        if quoted != is_quote:
            yield from _paragraph(kept, is_quote, names)
            kept, is_quote = [], quoted
        kept.append(_QUOTE.sub("", line) if quoted else line)
    yield from _paragraph(kept, is_quote, names)


def _paragraph(lines: list[str], is_quote: bool, names: Mapping[str, str]) -> Iterator[Json]:
    text = "\n".join(lines)
    if text.strip():
        yield {"type": "rich_text_quote" if is_quote else "rich_text_section", "elements": [*_inline(text, names)]}


def _inline(text: str, names: Mapping[str, str]) -> Iterator[Json]:
    at = 0
    for hit in _INLINE.finditer(text):
        element = _token(hit, names)
        if element is None:
            continue
        yield from _with_links(text[at : hit.start()])
        yield element
        at = hit.end()
    yield from _with_links(text[at:])


def _token(hit: re.Match[str], names: Mapping[str, str]) -> Json | None:
    """Return the element of one inline mark, or nothing when it is plain text after all."""
    kind, value = hit.lastgroup or "", hit[hit.lastgroup or 0]
    if kind in _STYLES:
        return {"type": "text", "text": value, "style": {_STYLES[kind]: True}}
    if kind == "name":
        return _mention(value, names)
    id_field = {"user": "user_id", "channel": "channel_id", "group": "usergroup_id", "emoji": "name"}[kind]
    return {"type": "usergroup" if kind == "group" else kind, id_field: value}


def _mention(name: str, names: Mapping[str, str]) -> Json | None:
    if name in _BROADCASTS:
        return {"type": "broadcast", "range": name}
    return {"type": "user", "user_id": names[name]} if name in names else None


def _with_links(text: str, *, is_code: bool = False) -> Iterator[Json]:
    """Yield text and links; in code only whole addresses become links."""
    at = 0
    for hit in _LINK.finditer(text):
        if is_code and hit["bare"]:
            continue
        if hit.start() > at:
            yield {"type": "text", "text": text[at : hit.start()]}
        bare = hit["bare"]
        yield {"type": "link", "url": f"http://{bare}", "text": bare} if bare else {"type": "link", "url": hit[0]}
        at = hit.end()
    if at < len(text):
        yield {"type": "text", "text": text[at:]}


def _block_text(element: Json) -> str:
    kind = element["type"]
    if kind == "rich_text_list":
        return "\n".join(f"• {_block_text(item)}" for item in element["elements"])
    inner = "".join(_element_text(each) for each in element["elements"])
    if kind == "rich_text_preformatted":
        return f"```{inner}```"
    return "\n".join(f"&gt; {line}" for line in inner.split("\n")) if kind == "rich_text_quote" else inner


def _plain(element: Json) -> str:
    text = escaped(element["text"])
    for style, mark in _MARKS.items():
        text = f"{mark}{text}{mark}" if element.get("style", {}).get(style) else text
    return text


def _link(element: Json) -> str:
    label = f"|{escaped(element['text'])}" if element.get("text") else ""
    return f"<{escaped(element['url'])}{label}>"


_TEXTS: Mapping[str, Callable[[Json], str]] = {
    "text": _plain,
    "link": _link,
    "user": lambda element: f"<@{element['user_id']}>",
    "channel": lambda element: f"<#{element['channel_id']}>",
    "usergroup": lambda element: f"<!subteam^{element['usergroup_id']}>",
    "broadcast": lambda element: f"<!{element['range']}>",
    "emoji": lambda element: f":{element['name']}:",
}


def _element_text(element: Json) -> str:
    render = _TEXTS.get(element["type"])
    return render(element) if render else ""
