"""Speed and people, as a short table."""

from __future__ import annotations

import pytest

from bot.reply.say_serving import answer_serving, say_serving
from bot.sizing.serving import Serving
from bot.sizing.throughput import Rate
from bot.units import Bytes


def a_serving(**facts: object) -> Serving:
    known = {
        "context_tokens": 4096,
        "kv_per_sequence": Bytes.mib(512),
        "sequences": 20,
        "kv_of_batch": Bytes.gib(10),
        "gpus": 2,
        "active_share": 0.1,
        "decode": Rate(1000.0, 700.0, 1300.0, "memory bandwidth"),
        "users_by_memory": 200,
        "users": 150,
    }
    return Serving(**{**known, **facts})


def rows(served: Serving) -> dict[str, tuple[str, ...]]:
    (table,) = say_serving(served).parts
    return {label: rest for label, *rest in table.rows}


def test_each_figure_says_what_it_is_of():
    said = rows(a_serving())

    assert ["0.50 GiB", "one sequence, on each GPU"] == said["KV cache of one"]
    assert ["20", "10 a GPU"] == said["sequences at once"]
    assert ["1,000 tokens/s", "700–1,300, bound by memory bandwidth"] == said["decode, all of them"]


def test_what_is_unknown_is_left_out():
    said = rows(a_serving(decode=None, users=None))

    assert not {"decode, all of them", "people by both"} & said.keys()


def test_the_efficiency_is_stated():
    (table,) = say_serving(a_serving()).parts

    assert "%" in table.caption
    assert table.caption.startswith("A roofline, not a measurement")


@pytest.mark.parametrize("users", [150, None])
def test_programs_get_numbers(users: int | None):
    said = answer_serving(a_serving(users=users))

    assert (users and users / 2) == said["users_per_gpu"]
    assert {"tokens_per_second": 1000.0, "low": 700.0, "high": 1300.0, "bound": "memory bandwidth"} == said["decode"]
    assert said["prefill"] is None


def test_a_model_that_only_reads_is_said_to_read():
    served = a_serving(kv_per_sequence=Bytes(0), decode=None, users_by_memory=None, users=None)

    assert {"sequences in a step"} == set(rows(served))
    assert "decode" not in say_serving(served).parts[0].caption
