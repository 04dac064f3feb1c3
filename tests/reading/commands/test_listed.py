"""Lists of arguments in programs and files."""

import pytest

from bot.deployment import AS_COMMAND, Manifest
from bot.reading.read import read

HCL = """task "server" {
  config {
    image = "vllm/vllm-openai:v0.11.0"
    args = [
      "--model", "acme/m-8b",  # the model
      "--max-model-len=8192",
    ]
  }
  device "nvidia/gpu" {
    count = 2
  }
}"""
ECS = """{
  "image": "vllm/vllm-openai:v0.11.0",
  "entryPoint": ["vllm", "serve"],
  "command": [
    "acme/m-8b",
    "--max-model-len", "8192",
    "--hf-overrides", "{\\"a\\": [1]}"
  ],
  "resourceRequirements": [
    {
      "type": "GPU",
      "value": "2"
    }
  ]
}"""
TERRAFORM = """container {
  command = ["vllm", "serve"]
  args    = ["acme/m-8b", "--max-model-len", "8192"]
  resources { limits = { "nvidia.com/gpu" = "2" } }
}"""
PODS = """{"containers": [{"args": ["--model", "acme/m-8b", "--max-model-len", "8192"],
  "resources": {"limits": {"nvidia.com/gpu": "2"}}}]}"""


@pytest.mark.parametrize(
    ("text", "manifest"),
    [
        (HCL, Manifest("assigned", "args")),
        (TERRAFORM, Manifest("assigned", "args")),
        (ECS, Manifest("json", "command")),
        (PODS, Manifest("json", "args")),
    ],
)
def test_a_file_of_lists_is_a_launch_with_its_gpus(text: str, manifest: Manifest):
    found = read(text)

    assert ("acme/m-8b", 8192, 2, manifest) == tuple(
        map(found.value, ("model", "max_model_len", "gpu_count", "manifest"))
    )


def test_what_is_quoted_within_json_is_one_word():
    assert ("--hf-overrides", '{"a": [1]}') == read(ECS).value("other_arguments")


def test_a_list_that_begins_with_the_program_is_whole():
    found = read('cmd = ["vllm", "serve", "acme/m-8b", "--max-model-len", "8192"]')

    assert Manifest("assigned", "cmd", is_whole=True) == found.value("manifest")


def test_a_list_with_a_name_that_nobody_explains_comes_as_a_command():
    found = read('args = ["--model", var.model, "--max-model-len", "8192"]')

    assert (AS_COMMAND, 8192) == (found.value("manifest"), found.value("max_model_len"))
    assert found.value("command").endswith("--model $var_model --max-model-len 8192")


def test_a_program_may_start_the_server_as_a_list_of_words() -> None:
    found = read('subprocess.Popen(["vllm", "serve", "acme/m-8b",\n    "--max-model-len", "4096", "-tp", "2"])')

    assert ("acme/m-8b", 4096, 2) == tuple(found.value(name) for name in ("model", "max_model_len", "tensor_parallel"))


def test_words_of_a_process_may_be_names() -> None:
    found = read('MODEL = "acme/m-8b"\ncmd = ["vllm", "serve", MODEL, "--max-model-len", str(4096), "-tp", str(N)]')

    assert ("acme/m-8b", 4096, None) == tuple(
        found.value(name) for name in ("model", "max_model_len", "tensor_parallel")
    )


@pytest.mark.parametrize(
    "text",
    [
        'container_command = ["vllm", "serve", "acme/m-8b", "--max-num-seqs", "8"]',
        'config {\n  args  = ["--model", "acme/m-8b", "--max-num-seqs", "8"]\n}',
        '[{"image": "x", "command": ["--model", "acme/m-8b", "--max-num-seqs", "8"]}]',
        'Popen([sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", "acme/m-8b", "--max-num-seqs", str(8)])',
    ],
)
def test_a_list_of_words_is_a_command_in_whatever_language(text: str) -> None:
    found = read(text)

    assert ("acme/m-8b", 8) == (found.value("model"), found.value("max_num_seqs"))


def test_a_list_of_another_program_s_words_is_none() -> None:
    assert None is read('args = ["--model", "acme/m-8b", "--epochs", "8"]').value("command")


def test_names_that_nobody_explains_stay_names() -> None:
    found = read(
        'run([sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", name, "--max-num-seqs", "8"])'
    )

    assert "python3 -m vllm.entrypoints.openai.api_server --model $name --max-num-seqs 8" == found.value("command")
