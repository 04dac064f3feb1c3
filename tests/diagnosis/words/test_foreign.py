"""Whose trouble it is."""

from __future__ import annotations

import pytest

from bot.diagnosis.words import closing, foreign, owners
from bot.diagnosis.words.foreign import PROGRAMS, name_subject
from bot.reading.late import Late
from tests.diagnosis.makers import lines_of


@pytest.mark.parametrize(
    "text",
    [
        'File "/app/manage.py", line 22, in main\ndjango.db.utils.OperationalError: connection refused',
        "loss.backward()\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.96 GiB",
        "llama_model_load: error loading model: unable to allocate CUDA0 buffer",
        "ollama run qwen3: model requires more system memory",
        "text_generation_launcher: Shard 0 failed to start",
        "[2026-01-01 10:00:00 TP0] KV cache pool is full. Retract requests.",
        'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space',
        "npm ERR! code ELIFECYCLE",
    ],
)
def test_other_programs_are_told_by_their_own_words(text: str):
    assert name_subject(lines_of(text)).is_foreign


@pytest.mark.parametrize(
    "text",
    [
        'File "/usr/lib/python3.12/dist-packages/vllm/v1/engine/core.py", line 700, in run_engine_core',
        "(EngineCore_DP0 pid=7) ERROR 10-02 14:21:31 [core.py:708] boom",
        "vllm serve org/m --gpu-memory-utilization 0.9",
        "| 0 N/A N/A 4242 C VLLM::Worker_TP0 70112MiB |",
    ],
)
def test_vllm_is_told_by_what_only_vllm_writes(text: str):
    subject = name_subject(lines_of(text))

    assert subject.is_surely_vllm
    assert not subject.is_foreign


def test_vllm_s_own_lines_win_over_another_program_s_name():
    assert not name_subject(lines_of("we came from ollama\nvllm serve org/m")).is_foreign


def test_another_program_may_be_named_beside_vllm():
    assert not name_subject(lines_of("comfyui loads it in seconds, vllm takes minutes")).is_foreign
    assert name_subject(lines_of("comfyui takes minutes")).is_foreign


def test_a_proxy_speaks_of_what_is_behind_it():
    record = (
        "2026/01/01 10:00:00 [error] 7#7: *1 upstream timed out (110: Connection timed out), upstream: http://10.0.0.9"
    )

    assert name_subject(lines_of(record)).is_foreign
    assert not name_subject(lines_of(f"the vllm pod is healthy\n{record}")).is_foreign


def test_what_a_reader_found_counts():
    assert name_subject(lines_of("x"), frozenset({"vllm-log"})).is_surely_vllm


def test_nothing_is_nobody_s():
    subject = name_subject(())

    assert (False, False, None) == (subject.is_surely_vllm, subject.is_likely_vllm, subject.program)


def test_frames_of_ones_own_script_are_no_vllm_s():
    frames = 'File "/work/infer.py", line 9, in <module>\n  File "/opt/lib/python3.11/site-packages/torch/nn/modules/module.py", line 3, in f'

    assert name_subject(lines_of(frames)).is_script
    assert not name_subject(lines_of(f"{frames}\nvllm 0.11.0")).is_script
    assert not name_subject(lines_of(frames.split("\n")[1])).is_script


def test_a_trainer_trains():
    assert "training" == name_subject(lines_of("my trainer.train() call dies of memory")).program


def test_a_way_to_stretch_positions_is_not_the_scheduler_of_a_cluster():
    assert not name_subject(lines_of("Qwen with YaRN\nValueError: boom")).is_foreign
    assert name_subject(lines_of("submitted to YARN\nValueError: boom")).is_foreign


@pytest.mark.parametrize("text", ["deepspeed says", "after finetuning the 7B"])
def test_what_was_done_before_is_no_program_beside_vllm(text: str):
    assert name_subject(lines_of(f"{text} CUDA out of memory")).is_foreign
    assert not name_subject(lines_of(f"{text} vllm says CUDA out of memory")).is_foreign


@pytest.mark.parametrize("text", ["this is not vLLM", "a plain script, not using vllm", "it runs without vllm"])
def test_a_vllm_that_is_denied_does_not_count(text: str):
    assert not name_subject(lines_of(text)).is_likely_vllm
    assert name_subject(lines_of(f"{text}\nvllm fails")).is_likely_vllm


def test_a_program_is_named_where_vllm_is_not():
    frame = 'File "/opt/lib/python3.11/site-packages/acme_infer/serve.py", line 80, in lifespan'

    assert "acme_infer" == name_subject(lines_of(frame)).owner
    assert None is name_subject(lines_of(f"{frame}\nour vllm")).owner


@pytest.mark.parametrize("text", ["worker.py:2037 -- died", "scheduler.py:12 - ERROR - x"])
def test_files_that_many_programs_have_are_vllm_s_in_its_records_only(text: str):
    name = text.split(" ", maxsplit=1)[0]

    assert not name_subject(lines_of(text)).is_surely_vllm
    assert name_subject(lines_of(f"[{name}] x")).is_surely_vllm
    assert name_subject(lines_of(f"{name}] x")).is_surely_vllm


def test_a_back_end_of_vllm_is_no_other_program():
    assert not name_subject(lines_of("this backend lacks it, please use trtllm on blackwell")).is_foreign
    assert name_subject(lines_of("our TensorRT-LLM runs out of memory")).is_foreign


def test_what_is_compiled_late_can_be_compiled():
    late = [
        value for module in (closing, foreign, owners) for value in vars(module).values() if isinstance(value, Late)
    ]

    assert all(pattern.regex for pattern in (*late, *PROGRAMS.values()))


def test_the_api_of_a_hosted_model_counts_in_its_own_words():
    message = "This model's maximum context length is 16385 tokens. However, your messages resulted in 17012 tokens."
    subject = name_subject(lines_of(message), frozenset({"vllm-log"}))

    assert "the API of hosted models" == subject.program


@pytest.mark.parametrize("name", ["unsloth/Qwen3-8B-GGUF", "openai/whisper-large-v3"])
def test_the_owner_and_the_name_of_a_model_are_no_program(name: str):
    assert name_subject(lines_of(f"ValueError: no file for repo {name}")).program is None
