import importlib
import pkgutil
import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bot
from bot.reading.figures import Template
from bot.reading.late import Late
from bot.reading.logs import errors, startup, stats, torch_oom
from bot.reading.noise.kind import Kind
from bot.reading.noise.secrets import SECRETS

TEMPLATES = [template for module in (errors, startup, stats, torch_oom) for template in module.TEMPLATES]
LETTERS = st.characters(max_codepoint=127) | st.sampled_from(
    "上下文контексгпувидеокарт卡张張显存节点没有请求无空闲高并发×*枚块台的两单双三四六八"
)


def within(value: object) -> Iterator[Late]:
    if isinstance(value, Late):
        yield value
    elif isinstance(value, (list, tuple, dict)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from within(each)


def signed() -> list[Late]:
    """Every pattern of the program that is looked for only where a sign stands."""
    modules = [importlib.import_module(found.name) for found in pkgutil.walk_packages(bot.__path__, "bot.")]
    found = {id(late): late for module in modules for late in within(list(vars(module).values())) if late.signs}
    return [*found.values()]


def test_a_pattern_is_compiled_once() -> None:
    late = Late("a b", re.VERBOSE)

    assert late.regex is late.regex
    assert late.regex.match("ab")


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.hint)
def test_every_template_finds_figures(template: Template) -> None:
    assert 0 < template.pattern.regex.groups


@pytest.mark.parametrize("kind", SECRETS, ids=lambda kind: kind.what)
def test_no_secret_stands_in_an_empty_text(kind: Kind) -> None:
    assert kind.shape.regex.search("") is None


def test_a_text_without_a_sign_compiles_no_pattern() -> None:
    late = Late(r"tp\s?\d", re.IGNORECASE, signs=("tp",))

    assert [None, None, []] == [late.search("8 cards"), late.match("8 cards"), list(late.finditer("8 cards"))]
    assert "regex" not in vars(late)
    assert late.search("with TP 2")


@pytest.mark.parametrize("text", ["how was", "so How\nwas it", "how \t was", "how\N{NO-BREAK SPACE}was"])
def test_a_blank_in_a_sign_stands_for_any_space(text: str) -> None:
    assert Late(r"how\s+was", re.IGNORECASE, signs=("how wa",)).search(text)


@pytest.mark.parametrize("text", ["no\n", "\tno"])
def test_a_blank_at_the_end_of_a_sign_is_one_too(text: str) -> None:
    assert Late(r"no\s|\sno", signs=("no ", " no")).search(text)


@pytest.mark.parametrize("late", signed(), ids=lambda late: late.source[:40])
@given(data=st.data())
@settings(max_examples=40)
def test_a_sign_stands_in_all_that_a_pattern_finds(late: Late, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(late.regex, alphabet=LETTERS))

    assert late.search(text) is not None
