import re

import pytest

from bot.reading.figures import Template
from bot.reading.late import Late
from bot.reading.logs import errors, startup, stats, torch_oom
from bot.reading.noise.kind import Kind
from bot.reading.noise.secrets import SECRETS

TEMPLATES = [template for module in (errors, startup, stats, torch_oom) for template in module.TEMPLATES]


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
