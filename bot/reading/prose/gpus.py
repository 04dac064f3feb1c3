"""Cards and their number as people name them: "4x4090", "2 x H100 80GB", "two H100s", "L20*2", "8卡"."""

from __future__ import annotations

import re
from typing import NamedTuple

from bot.catalog.gpu_words import Place, find_card_words, find_machine, has_size
from bot.catalog.stated_gpu import capability_in, printed_in
from bot.reading.late import Late

MOST_CARDS = 512
"""Cards of one deployment; a larger number before a card counts something else."""

COUNT_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "sixteen": 16, "single": 1, "dual": 2, "quad": 4,
    "both": 2, "一": 1, "单": 1, "两": 2, "二": 2, "双": 2, "三": 3, "四": 4, "六": 6, "八": 8,
    "ein": 1, "eine": 1, "zwei": 2, "drei": 3, "vier": 4, "acht": 8, "deux": 2, "trois": 3, "quatre": 4, "dos": 2, "tres": 3,
    "cuatro": 4, "duas": 2, "dois": 2, "две": 2, "два": 2, "двух": 2, "двумя": 2, "трёх": 3, "трех": 3, "четырёх": 4, "четырех": 4, "восьми": 8, "четыре": 4,
}  # fmt: skip

_COUNT = rf"(?:(?P<count>\d{{1,6}})\s?(?:[x×*X]\s?|[张張块个卡]\s?|\s)|(?P<word>(?i:{'|'.join(sorted(COUNT_WORDS, key=len, reverse=True))}))(?:[张張块个卡]|\s|-)\s?)"
_MEMORY = r"(?:-(?P<bare>16|24|32|40|48|64|80|94|96|141)(?![\w.-])|(?:\s(?:with|having|of))?\s?[-(（]?\s?(?P<memory>\d{2,3}|[3468])\s?(?:GiB|GB|Gb|gb|gib|G|g)(?![A-Za-z0-9_]|\s(?:free|used|left|(?:of\s)?(?:system\s|host\s|cpu\s)?(?:RAM|ram|swap|disk))\b)[)）]?)?"
_BEHIND = r"(?:s\b)?(?:\s?[x×*]\s?(?P<behind>\d{1,2})(?![\w.])|\s?(?P<sheets>\d{1,2})\s?(?:枚|張|张|块|台))?"
_MAKER = r"(?:(?i:NVIDIA|AMD|Tesla|GeForce|Quadro|Instinct|Radeon)[ -]){0,2}"

# Names that are cards whatever stands around them.
_NAMES = (
    r"(?i:(?:RTX|GTX)\s?(?:PRO\s?)?[A-Z]?\d{4}(?:\s?(?:Ti|Super|Ada|D|Max-Q|Blackwell|Laptop|SUPER))*"
    r"|(?:RTX\s)?(?:A6000|A5000|A4000|A4500|A5500|A2000)(?:\s?Ada)?"
    r"|G?[HB][12]00|GH200|GB[23]00|GB10|H800|H20|A800|A100|B300|H200|RTX\sPRO\s\d{4}"
    r"|L40S?|V100S?|P100|P40|A10G|DGX[ -]Spark|MI\d{3}[AX]?|gfx\d{3,4}|Strix[ -]Halo|Jetson(?:\s\w{4,6}){1,3}|(?:Radeon\s)?(?:RX\s?\d{4}|7900)(?:\s(?:XTX?|GRE))|Radeon\s(?:Pro\s|AI\s)?[RW]\w{3,8})"
    r"(?:[- ](?:SXM\d?|PCIe|NVL))?"
    r"|(?:A10|A30|A40|A16|A2|L4|L20|L2|T4)"
)
_DESCRIBED = Late(
    r"(?<![\w./:-])(?:(?P<count>\d{1,3})\s?[x×*]\s?)?(?P<name>(?:[A-Z][\w-]{0,20}\s|\d{2,4}\w{0,6}\s){1,4})\((?P<facts>[^()]{5,80})\)",
    signs=("(",),
)
_STAND_IN = "gfx0000"  # for a name of several words that the catalogue knows, of which no pattern tells the end
_VGPU = Late(
    r"(?<![A-Za-z0-9_./:-])(?:\d{1,3}x\s?)?((?:(?i:vgpu|nvidia|grid)\s){0,2}[A-Z]{1,2}\d{1,3}[A-Z]{0,3}-(?:\d-)?\d{1,2}[CQAB])(?![\w-])"
)
_CARD = Late(
    rf"(?<![A-Za-z0-9_./:-])(?:{_COUNT})?(?P<name>{_MAKER}(?:{_NAMES})){_MEMORY}{_BEHIND}(?![A-Za-z0-9_])(?!\.\d)"
)
_NUMBERS = ("050", "060", "070", "080", "090")  # of the cards that are called by nothing else
_SHORT = (*_NUMBERS, "l4", "t4", "l20", "a10", "a16", "a30", "a40")
# "4090" is a number too: a count, an article or a maker must stand before it, or Ti or a plural behind.
_BARE = Late(
    rf"(?<![A-Za-z0-9_./:-])(?:{_COUNT}|(?P<article>(?i:\b(?:nvidia|tesla|geforce)[ -])|(?i:\b(?:a|an|my|the|on|with|our|this|these|each|per|of|\d{{2}}\s?gb))\s|(?:换成|换到|改用|使用|用)\s?))"
    rf"(?P<name>(?i:[2345]0[5-9]0)(?:\s?(?i:ti|super))?|(?i:l4|t4|l20|l40s?|a10g?|a16|a30|a40)){_MEMORY}{_BEHIND}(?![A-Za-z0-9_])(?!\.\d|\stokens)",
    signs=_SHORT,
)
_BARE_BEHIND = Late(
    r"(?<![A-Za-z0-9_./:-])(?P<name>[2345]0[5-9]0(?:\s?(?i:ti|super))?)(?:s\b|\s?[x×*]\s?(?P<behind>\d{1,2})(?![\w.])|(?<=i|r))(?!\w)",
    signs=_NUMBERS,
)
# An item of a list by itself ("llama 3.1 8b, l4"), or a number with a memory behind it ("4090 24gb").
_ALONE = Late(
    r"(?:\A|[,;(/]\s?)(?P<name>(?i:l4|t4|l20|l40s?|a10g?|a16|a30|a40|[2345]0[5-9]0(?:\s?ti)?))(?=\s?(?:[,;)/]|\Z))"
    r"|(?<![A-Za-z0-9_./:-])(?P<sized>[2345]0[5-9]0(?:\s?(?i:ti|super))?)\s\(?(?P<memory>\d{2})\s?(?i:gb|gib|g)\b",
    signs=_SHORT,
)
_INSTANCE = Late(
    r"(?<![\w.-])(?:[pg]\d\w{0,4}\.(?:\d{1,2})?xlarge|[ag]\d-(?:standard|highgpu|ultragpu|megagpu)-\d{1,3}g?|Standard_N\w{3,40}|ml\.[pg]\d\w{0,4}\.\d{0,2}xlarge)\b",
    signs=("xlarge", "-standard-", "-highgpu-", "-ultragpu-", "-megagpu-", "standard_n"),
)
_CARDS = Late(
    r"(?<![\w.:/-])(?:(?P<count>\d{1,2})(?:\s?[x×*]\s?|[\s-]|(?=[张張块个卡]))|(?P<word>(?i:one|two|three|four|six|eight|sixteen|single|both|dual)|[一单两二双三四六八])[\s张張块个]?)"
    r"[- ]?(?:(?P<memory>\d{1,3})\s?(?:GiB|GB|G|gb)\s)?(?:(?i:gpus?|cards?|graphics\scards?|гпу|видеокарт\w*)\b|[卡张張](?!\w)|块?显卡|卡)",
    signs=("gpu", "card", "гпу", "видеокарт", "卡", "张", "張"),
)
_COUNT_BEHIND = Late(
    r"(?i:\b(?:gpu\s?(?:count|number)|(?:number|no\.?|count|#)\s?of\s(?:gpus|cards)|num[_ ]gpus|gpus)\s?[:=]\s?)(?P<count>\d{1,2})(?![\w.])(?!\s?[x×])",
    signs=("gpu", "cards"),
)
_SIZED_CARD = Late(
    r"(?<![\w.])(?P<memory>\d{1,3})\s?(?:GiB|GB|G|gb|gib|Gb)\s?(?:(?i:cards?|gpus?|of\svram|vram|graphics)\b|显存|显卡|的?卡)|(?i:vram|显存)[:= ]{1,2}(?P<after>\d{1,3})\s?(?i:g)",
    signs=("card", "gpu", "vram", "graphics", "显存", "卡"),
)


# "A100 40", "4 A100 40s": a number that counts nothing behind it, so the sentence ends or goes on with a small word.
_LOOSE_SIZE = re.compile(
    r"\s(?P<size>\d{2,3})s?(?=\s*(?:[?!,;:)]|\.(?!\d)|\Z)|\s(?:for|with|and|or|on|in|at|using|via|to|will|is|are|does|do|can|enough|serving|running|vllm)\b)",
    re.IGNORECASE,
)
_SLICE = Late(r"(?<![\w.])[1-7]g\.\d{1,3}gb(?![\w.])", re.IGNORECASE, signs=("g.",))  # a MIG profile
_MACHINES = Late(r"(?<![\w.])(?P<count>\d{1,2})\s?(?:[x×*]\s?|\s)\Z")  # what stands before a cloud machine


class Said(NamedTuple):
    """What one line says of cards."""

    name: str | None = None
    cards: int | None = None
    memory_gib: int | None = None
    nodes: int | None = None


_NODES = Late(
    rf"(?<![A-Za-z0-9_.])(?:(?P<count>[2-9]|\d{{2}})|(?P<word>(?i:two|three|four|six|eight)))[\s-](?:{_MAKER}(?:{_NAMES})[\s-])?(?i:nodes?|servers?|machines?|hosts?|boxes|节点)(?![\w.])",
    signs=("node", "server", "machine", "host", "boxes", "节点"),
)


_HOUSE = r"(?i:nodes?|servers?|machines?|hosts?|boxes|节点)"
_TWICE = Late(  # "2x 8xH100 nodes", "two 8-GPU H100 servers", "2x8xH100"
    rf"(?<![\w.])(?:(?P<count>[2-9]|\d{{2}})(?:\s?[x×*]\s?|\s)|(?P<word>(?i:two|three|four|six|eight))\s)"
    rf"(?P<inside>\d{{1,2}}(?:\s?[x×*]\s?|-)[A-Za-z][^,;.\n]{{1,30}}?)(?:\s{_HOUSE}|(?<=\d)(?=\s|\Z))"
)
_EACH = Late(
    rf"\seach\b|{_HOUSE}\s?[x×*]\s?\d|{_HOUSE}\s(?:of|with|having)\s(?=\d|(?i:two|four|eight|sixteen)\s)|\bper\s(?i:node|server|machine)\b"
)
_IN_ALL = Late(r"(?i)\b(?:in\s)?total\b|\bin\sall\b|\b(?:al)?together\b")


def find_cards(text: str, *, has_machines: bool = True) -> Said:
    """Return the first card that a sentence names, how many, and how much memory one has.

    Args:
        text: A sentence.
        has_machines: The "servers" in it are machines, and no programs that share a card.

    >>> find_cards("on 2 x H100 80GB")
    Said(name='H100 80GB', cards=2, memory_gib=80, nodes=None)
    """
    if machine := _machine(text):
        name = text[machine.start : machine.end].removeprefix("ml.")
        return Said(name=name, nodes=_count(_MACHINES.search(text[: machine.start])))
    nodes, rest, is_each = _housed(text) if has_machines else (None, text, False)
    said = _find_cards(rest)
    if part := _SLICE.search(rest):
        return said._replace(name=f"{said.name or ''} MIG {part[0].lower()}".strip(), memory_gib=None, nodes=nodes)
    cards = said.cards * nodes if nodes and said.cards and is_each else said.cards
    return said._replace(nodes=nodes, cards=cards)


def _housed(text: str) -> tuple[int | None, str, bool]:
    """Return how many machines a sentence counts, the sentence without that, and whether each has the cards that it counts."""
    if twice := _TWICE.search(text):
        return _count(twice), f"{text[: twice.start()]}{twice['inside']} {text[twice.end() :]}", True
    housed = _NODES.search(text)
    if housed is None:
        return None, text, False
    name = re.sub(r"\d{1,2}\s?|(?i:two|three|four|six|eight)\s", "", housed[0], count=1)
    is_each = _EACH.search(text) is not None and _IN_ALL.search(text) is None
    return _count(housed), f"{text[: housed.start()]}{name}{text[housed.end() :]}", is_each


def _machine(text: str) -> Place | None:
    """Return where a cloud machine stands: one that is known, or that is named like its cloud's."""
    found = _INSTANCE.search(text)
    return find_machine(text) or (Place(*found.span()) if found else None)


def _described(text: str) -> Said | None:
    """Return a card whose memory and capability stand in brackets behind its name, whatever that is."""
    found = _DESCRIBED.search(text)
    if found is None or capability_in(found["facts"]) is None or printed_in(found["facts"]) is None:
        return None
    return Said(f"{found['name'].strip()} ({found['facts']})", _count(found))


def _find_cards(text: str) -> Said:
    if described := _described(text):
        return described
    virtual = _VGPU.search(text)
    place = Place(*virtual.span(1)) if virtual else find_card_words(text)
    pattern = _CARD.search(text)
    if place is None or (pattern and pattern.start("name") <= place.start and place.end < pattern.end("name")):
        return _find_patterns(text)
    said = _find_patterns(f"{text[: place.start]}{_STAND_IN}{text[place.end :]}")
    return said._replace(name=said.name and said.name.replace(_STAND_IN, text[place.start : place.end]))


def _find_patterns(text: str) -> Said:
    found = _CARD.search(text) or _BARE.search(text) or _BARE_BEHIND.search(text) or _ALONE.search(text)
    counted = _CARDS.search(text) or _COUNT_BEHIND.search(text)
    memory = _memory(_SIZED_CARD.search(text))
    if not found:
        return Said(None, _count(counted), memory)
    groups = found.groupdict()
    raw = groups.get("memory") or groups.get("bare")
    plain = (groups["name"] or groups.get("sized") or "").strip()
    own = int(raw) if raw else _loose_size(plain, text[found.end() :])
    name = plain + (f" {own}GB" if own else "")
    return Said(name, _count(found) or _count(counted), own or memory)


def _loose_size(name: str, behind: str) -> int | None:
    """Return the number right behind a card's name if the card is sold with that memory."""
    found = _LOOSE_SIZE.match(behind)
    return int(found["size"]) if found and has_size(name, int(found["size"])) else None


def _count(found: re.Match[str] | None) -> int | None:
    if found is None:
        return None
    groups = found.groupdict()
    raw = groups.get("count") or groups.get("behind") or groups.get("sheets")
    count = int(raw) if raw else COUNT_WORDS.get((groups.get("word") or "").lower())
    return count if count and count <= MOST_CARDS else None


def _memory(found: re.Match[str] | None) -> int | None:
    if found is None:
        return None
    gib = int(found["memory"] or found["after"])
    return gib if 4 <= gib <= 300 else None
