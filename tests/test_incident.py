from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.case import Case, Entry, EntryKind, Thread, fold
from bot.consult import ask
from bot.incident import Incident, idle_memory, incident
from bot.units import Bytes

START = datetime(2026, 11, 23, 9, tzinfo=UTC)
THREAD = Thread(workspace="T1", channel="C1", root="1")
TOO_LONG = (
    "ValueError: To serve at least one request with the models's max seq len (131072), (16.00 GiB KV cache is needed, "
    "which is larger than the available KV cache memory (4.13 GiB). Based on the available memory, the estimated "
    "maximum model length is 33824.\n"
    "vllm serve meta-llama/Llama-3.1-8B-Instruct\nvLLM 0.11.0 on one L4"
)
TWO_CARDS = """\
|   0  NVIDIA L4                      On  | 00000000:00:03.0 Off |                    0 |
| N/A   60C    P0              33W /  72W |  {first}MiB / 23034MiB |      0%      Default |
|   1  NVIDIA L4                      On  | 00000000:00:04.0 Off |                    0 |
| N/A   40C    P8              12W /  72W |  {second}MiB / 23034MiB |      0%      Default |
"""


def said(kind: EntryKind = EntryKind.PASTE, seconds: float = 0, **fields: Any) -> Entry:
    return Entry(kind=kind, at=START + timedelta(seconds=seconds), **{"message": "1", "author": "U1", **fields})


def filed(text: str, *more: Entry) -> Incident:
    case = fold([said(text=text), *more])
    row = incident(THREAD, case, ask(case.text, case.facts))
    assert row is not None
    return row


def test_the_deployment_is_kept_as_pasted_and_as_fixed() -> None:
    row = filed(TOO_LONG)

    assert row.pasted is not None
    assert row.fixed is not None
    assert "meta-llama/Llama-3.1-8B-Instruct" == row.pasted["model"] == row.fixed["model"]
    assert (row.patch or {}).items() <= row.fixed.items()


def test_the_budget_is_kept_before_and_after_the_fix() -> None:
    row = filed(TOO_LONG)

    assert row.before is not None
    assert row.after is not None
    assert (False, True) == (row.before["fits"], row.after["fits"])


def test_a_context_longer_than_what_fits_is_memory_lost() -> None:
    row = filed(TOO_LONG)

    assert row.patch is not None
    assert ["max_model_len"] == list(row.patch)
    per_token = 128 * 1024  # of this model
    assert (131072 - row.patch["max_model_len"]) * per_token == row.context_lost


def test_the_era_is_that_of_the_version() -> None:
    assert "F" == filed(TOO_LONG).era


@pytest.mark.parametrize(
    ("first", "second", "idle"),
    [(" 20000", "     5", Bytes.mib(23034)), ("     3", "     5", None), (" 9000", " 9000", None)],
)
def test_a_card_beside_a_busy_one_is_idle(first: str, second: str, idle: int | None) -> None:
    assert idle == idle_memory(ask(TWO_CARDS.format(first=first, second=second)))


def test_cards_that_a_launch_does_not_take_are_idle() -> None:
    row = filed(TOO_LONG.replace("on one L4", "on 4 x L4") + " --tensor-parallel-size 2")

    assert (4, 2 * Bytes.mib(23034)) == (row.gpu_count, row.idle_memory)


def test_an_error_that_nobody_knows_is_kept_without_what_differs() -> None:
    row = filed("vllm serve m\nRuntimeError: frobnication of tensor 17 at 0x7ffe12 went sideways in vllm")

    assert row.problem is None
    assert "frobnication of tensor <n> at <address> went sideways in vllm" == row.error


def test_a_case_tells_its_life() -> None:
    row = filed(
        TOO_LONG,
        said(EntryKind.POSTED, 3, message="9", author=None),
        said(EntryKind.RESOLVED, 60, author="U2"),
        said(EntryKind.REOPENED, 70),
        said(EntryKind.RESOLVED, 600, author="U3"),
        said(EntryKind.OWNED, 610, value="ml"),
    )

    took = (row.resolved_at or START) - row.opened_at
    assert ("resolved", "U3", 1, "ml", timedelta(minutes=10)) == (row.state, row.resolver, row.reopened, row.team, took)
    assert (START + timedelta(seconds=3), START + timedelta(seconds=610)) == (row.answered_at, row.updated_at)


def test_a_thread_without_words_is_no_incident() -> None:
    assert incident(THREAD, Case(), ask("hello")) is None
