from __future__ import annotations

from bot.cli.flags import flag_names


def test_a_fact_has_the_flag_of_the_newest_version() -> None:
    names = flag_names()

    assert ("--max-model-len", "--tensor-parallel-size") == (names["max_model_len"], names["tensor_parallel"])
