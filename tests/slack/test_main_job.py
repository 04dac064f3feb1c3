"""The main job as a person meets it in a channel, over both transports."""

from __future__ import annotations

import pytest

from tests.slack.conftest import Party, texts

KV_TOO_SMALL = """\
$ vllm serve meta-llama/Llama-3.1-8B-Instruct
INFO 11-20 10:12:01 [__init__.py:216] vLLM API server version 0.11.0
INFO 11-20 10:12:30 [gpu_model_runner.py:2653] Model loading took 14.9889 GiB and 11.2 seconds
ERROR 11-20 10:12:52 [core.py:708] ValueError: To serve at least one request with the models's max seq len (131072), \
(16.00 GiB KV cache is needed, which is larger than the available KV cache memory (4.13 GiB). Based on the available \
memory, the estimated maximum model length is 33824. Try increasing `gpu_memory_utilization` or decreasing \
`max_model_len` when initializing the engine.
It is one NVIDIA L4.
"""
NO_BLOCKS = (
    "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing "
    "the engine."
)
FREE_CARD = """\
+-----------------------------------------------------------------------------------------+
| NVIDIA-SMI 570.86.15              Driver Version: 570.86.15      CUDA Version: 12.8     |
|-----------------------------------------+------------------------+----------------------+
|   0  NVIDIA L4                      On  |   00000000:00:03.0 Off |                    0 |
| N/A   41C    P8             12W /   72W |       1MiB /  23034MiB |      0%      Default |
+-----------------------------------------+------------------------+----------------------+
| Processes:                                                                              |
|  No running processes found                                                             |
+-----------------------------------------------------------------------------------------+
"""
STALE = """\
ValueError: Free memory on device (12.31/79.19 GiB) on startup is less than desired GPU memory utilization \
(0.9, 71.27 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.
+-----------------------------------------------------------------------------------------+
| NVIDIA-SMI 570.86.15              Driver Version: 570.86.15      CUDA Version: 12.8     |
|-----------------------------------------+------------------------+----------------------+
|   0  NVIDIA H100 80GB HBM3          On  |   00000000:18:00.0 Off |                    0 |
| N/A   34C    P0             71W /  700W |   68112MiB /  81559MiB |      0%      Default |
+-----------------------------------------+------------------------+----------------------+
| Processes:                                                                              |
|  GPU   GI   CI              PID   Type   Process name                        GPU Memory |
|    0   N/A  N/A          184467      C   VLLM::EngineCore                      68102MiB |
+-----------------------------------------------------------------------------------------+
"""
DJANGO = (
    'Traceback (most recent call last):\n  File "manage.py", line 22, in <module>\n'
    "django.core.exceptions.ImproperlyConfigured: The SECRET_KEY setting must not be empty."
)
TRAINING = (
    "train.py: loss.backward()\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a "
    "total capacity of 23.65 GiB of which 1.12 GiB is free. my PyTorch training loop"
)


def answer(party: Party, text: str, channel: str | None = None) -> str:
    channel = channel or party.a_channel()
    ts = party.maya.post(channel, text)["ts"]
    return texts(party.maya.wait_for_reply(channel, ts)["blocks"])


def test_a_context_that_the_kv_cache_cannot_hold(party: Party) -> None:
    said = answer(party, KV_TOO_SMALL)

    assert "KV cache" in said
    assert "131,072" in said
    assert "weights" in said
    assert "--max-model-len" in said


def test_a_utilization_that_leaves_nothing_on_a_free_card(party: Party) -> None:
    said = answer(
        party, f"{NO_BLOCKS}\nvllm serve meta-llama/Llama-3.1-8B-Instruct --gpu-memory-utilization 0.4\n{FREE_CARD}"
    )

    assert "--gpu-memory-utilization" in said


def test_a_stale_process_is_named_with_how_to_make_sure(party: Party) -> None:
    said = answer(party, STALE)

    assert "184467" in said


def test_a_wrapper_alone_asks_for_the_earlier_lines(party: Party) -> None:
    said = answer(
        party, "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}"
    )

    assert "earlier" in said or "above" in said


def test_a_card_that_is_full_by_design(party: Party) -> None:
    said = answer(party, "is vLLM leaking? nvidia-smi shows 72 of 80 GB used on our H100 with no traffic at all")

    assert "by design" in said
    assert "H100" in said


@pytest.mark.parametrize(
    "text",
    [
        "thanks, works now",
        DJANGO,
        TRAINING,
    ],
)
def test_what_is_not_ours_gets_silence_and_a_polite_no_when_asked(party: Party, text: str) -> None:
    channel = party.a_channel()

    ts = party.maya.post(channel, text)["ts"]

    party.settled()
    assert [] == party.said(channel, ts)
    asked = party.maya.post(channel, f"@vllm-triage {text}")["ts"]
    assert "not a vLLM problem" in party.maya.wait_for_reply(channel, asked)["text"]


@pytest.mark.parametrize(
    "text", ["x" * 39_000, "│ ├ ─ ┼ ╔ ═ ╗\n" * 900, "\u202e\u0000<!channel> &lt;@U1&gt; ```" * 200]
)
def test_odd_pastes_get_an_answer_or_silence_and_never_a_fault(party: Party, text: str) -> None:
    channel = party.a_channel()

    ts = party.maya.post(channel, text)["ts"]

    party.settled()
    assert not [message for message in party.said(channel, ts) if "reference" in message["text"]]


def test_a_question_is_answered_in_words_as_well(party: Party) -> None:
    channel = party.a_channel()
    ts = party.maya.post(channel, KV_TOO_SMALL)["ts"]
    asked = texts(party.maya.wait_for_reply(channel, ts)["blocks"])
    party.maya.post(channel, "16k is enough", thread_ts=ts)
    party.settled()
    (answered,) = (texts(each["blocks"]) for each in party.maya.replies(channel, ts) if each.get("bot_id"))

    assert "longest request" in asked
    assert "longest request" not in answered
    assert "of 16,000" in answered
