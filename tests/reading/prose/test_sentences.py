import pytest
from packaging.version import Version

from bot.reading.read import read
from bot.units import Bytes


@pytest.mark.parametrize(
    ("sentence", "facts"),
    [
        (
            "4x4090 llama 3.3 70b awq vllm 0.9.1, util 0.95, 32k context",
            {
                "model": "llama 3.3 70b awq",
                "gpu": "4090",
                "gpu_count": 4,
                "gpu_memory_utilization": 0.95,
                "max_model_len": 32768,
            },
        ),
        (
            "two H100s, qwen3 30b a3b, tp 2",
            {"model": "qwen3 30b a3b", "gpu": "H100", "gpu_count": 2, "tensor_parallel": 2},
        ),
        ("gemma 3 27b on 2 x H100 80GB", {"model": "gemma 3 27b", "gpu": "H100 80GB", "gpu_count": 2}),
        ("L20*2, Qwen3-32B", {"model": "Qwen3-32B", "gpu": "L20", "gpu_count": 2}),
        ("8卡 A100 部署 Qwen2.5-72B 显存不足", {"model": "Qwen2.5-72B", "gpu": "A100", "gpu_count": 8}),
        ("zwei 3090 mit vllm 0.10.2", {"gpu": "3090", "gpu_count": 2}),
        ("4 servers with 2 T4 each", {"gpu": "T4", "gpu_count": 8, "nodes": 4}),
        (
            "can gpt-oss-120b fit on one 80GB card?",
            {"model": "gpt-oss-120b", "gpu_count": 1, "gpu_memory": Bytes.gib(80)},
        ),
        ("it eats 72 GB with no traffic", {"traffic": "none"}),
        ("64 concurrent users, kv cache fp8", {"wanted_concurrency": 64, "kv_cache_dtype": "fp8"}),
        ("I set max-num-seqs to 64 and -tp 2", {"max_num_seqs": 64, "tensor_parallel": 2}),
    ],
)
def test_what_a_sentence_says_is_read(sentence: str, facts: dict[str, object]) -> None:
    evidence = read(sentence)

    assert facts == {name: evidence.value(name) for name in facts}


@pytest.mark.parametrize(
    "sentence",
    [
        "thanks, works now",
        "the meeting is in 4090 seconds at step 3",
        "torch 2.8.0, transformers 4.55, flash-attn 0.2.5",
        "port 8000, pid 4090, 3 of 5 tests",
        "GPU utilization is only about 20 percent",
        "see src/utils/v2/loader.py line 12",
    ],
)
def test_nothing_is_read_into_other_sentences(sentence: str) -> None:
    assert {} == dict(read(sentence).facts)


@pytest.mark.parametrize(
    ("sentence", "version"),
    [
        ("vllm 0.9.1", "0.9.1"),
        ("v0.8.5.post1 on a T4", "0.8.5.post1"),
        ("upgraded from 0.8.5 to 0.11.0 and now OOM", "0.11.0"),
        ("- **vLLM version**: 0.11.0", "0.11.0"),
        ("vLLM V1 engine, vllm==0.10.0rc1", "0.10.0rc1"),
    ],
)
def test_a_version_is_read_as_people_write_it(sentence: str, version: str) -> None:
    assert version == str(read(sentence).value("vllm_version"))


def test_of_several_models_the_first_named_counts() -> None:
    assert "Qwen3-8B" == read("Qwen3-8B dies\nllama 3.1 8b was fine before").value("model")


@pytest.mark.parametrize(
    "line",
    [
        "qwen3-32b on L40S gives torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.25 GiB.",
        "qwen3-32b on L40S: CUDA out of memory. Tried to allocate 1.25 GiB.",
        "qwen3-32b on L40S says ValueError: the model's max seq len (40960) is larger than the maximum number of tokens",
    ],
)
def test_words_that_run_into_an_error_are_read_up_to_it(line: str) -> None:
    evidence = read(line)

    assert ("qwen3-32b", "L40S") == (evidence.value("model"), evidence.value("gpu"))


def test_words_of_a_machine_before_an_error_are_none_of_a_person() -> None:
    line = "Memory profiling found llama 3.1 8b on A100, then RuntimeError: Tried to allocate 1.25 GiB on qwen3 8b"

    assert read(line).value("model") is None


def test_a_comment_behind_a_command_is_a_sentence_of_its_own():
    found = read("vllm serve org/model --max-num-seqs 8   # one L4, vllm 0.8.4")

    assert "0.8.4" == str(found.value("vllm_version"))
    assert "L4" == found.value("gpu")
    assert "#" not in found.value("command")


@pytest.mark.parametrize(
    ("sentence", "facts"),
    [
        ("用vllm v0.9.2跑DeepSeek-R1", {"vllm_version": Version("0.9.2"), "model": "DeepSeek-R1"}),
        ("vllm版本0.8.4，上下文长度要32k", {"vllm_version": Version("0.8.4"), "max_model_len": 32768}),
        ("H100 80GB 2枚でvLLM 0.10.1を", {"gpu_count": 2, "vllm_version": Version("0.10.1")}),
        ("на двух rtx 3090", {"gpu": "rtx 3090", "gpu_count": 2}),
        ("2 nodes x 8 H100", {"gpu": "H100", "gpu_count": 16, "nodes": 2}),
        ("phi-4 on an l4", {"model": "phi-4", "gpu": "l4"}),
    ],
)
def test_other_tongues_and_spellings_are_read(sentence: str, facts: dict[str, object]) -> None:
    found = read(sentence)

    assert facts == {name: found.value(name) for name in facts}


def test_flags_behind_the_names_of_model_and_cards_are_read_with_them():
    said = read("8xH100 llama-3.3-70b --max-model-len 32k --kv-cache-dtype fp8")

    facts = ("gpu", "gpu_count", "model", "max_model_len", "kv_cache_dtype")
    assert ["H100", 8, "llama-3.3-70b", 32_000, "fp8"] == [said.value(name) for name in facts]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("qwen3-8b on L4 crashes\nand on the H100", "gpu"),
        ("vllm 0.8.5 here\nthe server has vllm 0.11.0", "vllm_version"),
        ("we serve qwen3-8b\nllama-3.1-8b dies", "model"),
    ],
)
def test_lines_that_name_different_things_contradict_each_other(text: str, name: str):
    assert [name] == [conflict.name for conflict in read(text).conflicts]


@pytest.mark.parametrize(
    "text",
    [
        "qwen3-8b on L4\nit worked on the A100",
        "upgraded from vllm 0.8.5 to 0.11.0\nvllm 0.11.0",
        "llama 3.1 8b on an H100 80GB\nmeta-llama/Llama-3.1-8B-Instruct on the H100 SXM",
        "tried an L4\nan A10G\na T4\nand an L40S",
    ],
)
def test_what_is_compared_listed_or_named_in_full_is_no_contradiction(text: str):
    assert () == read(text).conflicts
