from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.deployment import Speculation
from bot.reading import argument_values as values
from bot.units import Bytes


@pytest.mark.parametrize(
    ("read", "raw", "value"),
    [
        (values.as_count, "8192", 8192),
        (values.as_count, "8k", 8000),
        (values.as_count, "8K", 8192),
        (values.as_count, "32_768", 32_768),
        (values.as_count, "many", None),
        (values.as_count, "1.5", None),
        (values.as_count, "2.0", 2),
        (values.as_count, "1.5k", 1_500),
        (values.as_positive, "0", None),
        (values.as_float, "0.9", 0.9),
        (values.as_float, "0.9.1", None),
        (values.as_float, "1e308", None),
        (values.as_share, "90%", 0.9),
        (values.as_share, "90", 0.9),
        (values.as_share, "0.95", 0.95),
        (values.as_share, "900", 900.0),
        (values.as_share, "1.7", 1.7),
        (values.as_share, "0", None),
        (values.as_bytes, "10G", Bytes.gib(10)),
        (values.as_bytes, "-1", None),
        (values.as_yes_or_no, "", True),
        (values.as_yes_or_no, "Off", False),
        (values.as_opposite, "", False),
        (values.as_opposite, "perhaps", None),
        (values.as_text, "$MODEL", None),
        (values.as_word, "torch.bfloat16", "bfloat16"),
        (values.as_word, "<AttentionBackendEnum.FLASH_ATTN: 1>", "FLASH_ATTN"),
        (values.as_graph_mode, "NONE", "NONE"),
        (values.as_model, "org/m/", "org/m"),
        (values.as_model, "None", None),
        (values.as_limits, '{"image": {"count": 2}}', {"image": 2}),
        (values.as_limits, "image=2,video=1", {"image": 2, "video": 1}),
        (values.as_engine, "1", "V1"),
        (values.as_auto, "-1", True),
        (values.as_auto, "8192", None),
    ],
)
def test_a_value_reads_however_it_was_written(read: Callable[[str], object], raw: str, value: object):
    assert value == read(raw)


def test_speculation_reads_as_json_and_as_python():
    wanted = Speculation(method="eagle3", tokens=3, model="org/draft")

    assert wanted == values.as_speculation('{"method": "eagle3", "num_speculative_tokens": 3, "model": "org/draft"}')
    assert wanted == values.as_speculation("{'method': 'eagle3', 'num_speculative_tokens': 3, 'model': 'org/draft'}")


def test_a_draft_of_n_grams_needs_no_model():
    assert Speculation(method="ngram") == values.as_draft("[ngram]")


@pytest.mark.parametrize("raw", ["[" * 300, "{" * 100_000, "{'a': ", ""])
def test_what_is_no_structure_is_none(raw: str):
    assert values.read_structure(raw) is None


def test_a_version_may_be_a_development_build():
    assert "0.11.1.dev5+g1234abc" == str(values.read_version("v0.11.1.dev5+g1234abc."))
