import pytest
from packaging.version import Version

from bot.reading.read import read


def test_a_command_over_several_lines_gives_its_flags() -> None:
    evidence = read(
        "vllm serve acme/model-8b \\\n  --tensor-parallel-size 2 \\\n  --max-model-len=32k -q awq --enforce-eager\n"
    )

    assert ("acme/model-8b", 2, 32000, "awq", True) == tuple(
        evidence.value(name) for name in ("model", "tensor_parallel", "max_model_len", "quantization", "enforce_eager")
    )


def test_flags_that_nobody_knows_are_kept_word_for_word() -> None:
    assert ("--frobnicate", "7") == read("vllm serve acme/model-8b --frobnicate 7").value("other_arguments")


def test_an_image_tag_gives_the_version() -> None:
    assert Version("0.8.5") == read("docker run --gpus all vllm/vllm-openai:v0.8.5 --model acme/model-8b").value(
        "vllm_version"
    )


def test_a_sentence_about_the_command_is_no_command() -> None:
    assert {} == read("vllm serve crashes when I start it").facts


def test_an_en_dash_before_a_flag_is_two_hyphens() -> None:
    assert 4 == read("vllm serve acme/model-8b –tensor-parallel-size 4").value("tensor_parallel")


def test_the_environment_before_a_command_is_kept() -> None:
    evidence = read("VLLM_USE_V1=0 CUDA_VISIBLE_DEVICES=0,1 vllm serve acme/model-8b")

    assert (
        evidence.value("environment"),
        evidence.value("engine"),
    ) == ((("CUDA_VISIBLE_DEVICES", "0,1"), ("VLLM_USE_V1", "0")), "V0")


def test_docker_tells_how_many_gpus_it_gives() -> None:
    assert (2, 4, None) == tuple(
        read(f"docker run --gpus {gpus} vllm/vllm-openai:v0.9.1 --model acme/m-7b").value("gpu_count")
        for gpus in ("""'"device=0,1"'""", "4", "all")
    )


def test_a_command_in_a_sentence_ends_at_its_backtick() -> None:
    evidence = read("when I run `vllm serve acme/model-8b --max-model-len 8192` on 2x4090 with 7 users it dies")

    assert ("vllm serve acme/model-8b --max-model-len 8192", 2) == (
        evidence.value("command"),
        evidence.value("gpu_count"),
    )


def test_the_old_flag_of_a_draft_model_is_speculation() -> None:
    assert (
        "acme/draft-1b" == read("vllm serve acme/model-8b --speculative-model acme/draft-1b").value("speculation").model
    )


def test_a_comma_behind_a_model_is_no_part_of_it() -> None:
    assert "acme/model-8b" == read("vllm serve acme/model-8b, nothing else").value("model")


def test_a_remark_in_brackets_behind_a_command_is_no_part_of_it() -> None:
    evidence = read("vllm serve acme/model-8b --max-model-len 8192 (vllm 0.9.0, RTX 4090)")

    assert ("vllm serve acme/model-8b --max-model-len 8192", Version("0.9.0")) == (
        evidence.value("command"),
        evidence.value("vllm_version"),
    )


def test_the_command_that_a_shell_is_given_is_the_command() -> None:
    found = read('docker run --gpus 2 --entrypoint bash vllm/vllm-openai:v0.9.1 -c "vllm serve acme/m-8b -tp 2"')

    assert ("vllm serve acme/m-8b -tp 2", 2) == (found.value("command"), found.value("gpu_count"))


def test_a_service_unit_sets_its_environment() -> None:
    found = read('Environment="CUDA_VISIBLE_DEVICES=0,1"\nExecStart=/opt/bin/vllm serve acme/m-8b')

    assert (("CUDA_VISIBLE_DEVICES", "0,1"),) == found.value("environment")


def test_a_continued_line_whose_break_was_lost_goes_on() -> None:
    found = read("vllm serve acme/m-8b \\ --max-model-len 8192 \\ --tensor-parallel-size 2")

    assert "vllm serve acme/m-8b --max-model-len 8192 --tensor-parallel-size 2" == found.value("command")


def test_punctuation_behind_a_command_is_no_part_of_it() -> None:
    assert "vllm serve acme/m-8b" == read("run vllm serve acme/m-8b; then it hangs").value("command")


def test_nested_settings_are_read() -> None:
    found = read("vllm serve acme/m-8b -O.cudagraph_mode=NONE --attention-config.backend FLASHINFER")

    assert ("NONE", "FLASHINFER") == (found.value("cudagraph_mode"), found.value("attention_backend"))


@pytest.mark.parametrize(("adapters", "between"), [(80, " "), (400, " "), (300, " \\\n  ")])
def test_of_a_command_with_many_adapters_nothing_is_lost(adapters: int, between: str) -> None:
    modules = [f"adapter-{number}=/models/lora/customer-{number:04d}/checkpoint" for number in range(adapters)]
    words = ["vllm serve acme/m-8b --enable-lora --lora-modules", *modules, "--max-loras 8 --max-model-len 4096"]
    found = read(between.join(words))

    assert (8, 4096) == (found.value("max_loras"), found.value("max_model_len"))
    assert " ".join(words) == found.value("command")
    assert ("--lora-modules", *modules) == found.value("other_arguments")


def test_misspelt_flags_are_read_and_put_right() -> None:
    found = read("vllm serve acme/m-8b --gpu-mmeory-utilization=0.8 --tesnor-parallel-size 2 --prot 80")

    assert (0.8, 2) == (found.value("gpu_memory_utilization"), found.value("tensor_parallel"))
    assert "vllm serve acme/m-8b --gpu-memory-utilization=0.8 --tensor-parallel-size 2 --prot 80" == found.value(
        "command"
    )


def test_a_command_whose_settings_stand_in_a_file_is_one():
    found = read("vllm serve --config run.yaml\n\nrun.yaml:\nmodel: acme/m-8b\nmax-model-len: 8192\n")

    assert ("vllm serve --config run.yaml", "acme/m-8b", 8192) == tuple(
        map(found.value, ("command", "model", "max_model_len"))
    )
