from __future__ import annotations

from bot.cli.names import names


def test_a_fact_has_the_flag_of_the_newest_version() -> None:
    known = names()

    assert ("--max-model-len", "--tensor-parallel-size") == (known.flag("max_model_len"), known.flag("tensor_parallel"))


def test_a_cause_is_called_by_its_title_in_its_own_problem() -> None:
    causes = names().causes

    assert causes["oom-runtime/share-too-high"] != causes["oom-sampler-warmup/share-too-high"]
    assert not any("{" in title for title in causes.values())
