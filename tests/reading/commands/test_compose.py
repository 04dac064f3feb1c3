import pytest

from bot.deployment import Manifest
from bot.reading.read import read

COMPOSE = """services:
  vllm:
    image: vllm/vllm-openai:v0.9.2
    command: >
      --model acme/model-32b-awq
      --tensor-parallel-size 2
      --max-model-len 32768
    environment:
      - CUDA_VISIBLE_DEVICES=0,1
"""
MANIFEST = """apiVersion: apps/v1
spec:
  containers:
  - name: vllm
    image: vllm/vllm-openai:v0.10.1
    command: ["vllm", "serve", "acme/model-24b"]
    args:
    - "--tensor-parallel-size"
    - "4"
    - --gpu-memory-utilization=0.92
    - '--limit-mm-per-prompt={"image": 2}'
    env:
    - name: VLLM_ATTENTION_BACKEND
      value: FLASHINFER
    resources:
      limits:
        nvidia.com/gpu: "4"
"""
VALUES = """modelSpec:
  - name: chat
    modelURL: acme/model-8b
    requestGPU: 1
    vllmConfig:
      maxModelLen: 16384
      extraArgs: ["--enforce-eager", "--max-num-seqs", "64"]
"""


def _values(text: str, *names: str) -> tuple[object, ...]:
    evidence = read(text)
    return tuple(evidence.value(name) for name in names)


def test_a_compose_file_gives_command_and_environment() -> None:
    expected = ("acme/model-32b-awq", 2, 32768, "compose", (("CUDA_VISIBLE_DEVICES", "0,1"),))

    assert expected == _values(COMPOSE, "model", "tensor_parallel", "max_model_len", "launcher", "environment")


def test_a_manifest_gives_arguments_variables_and_gpus() -> None:
    expected = ("acme/model-24b", 4, 0.92, {"image": 2}, "FLASHINFER", 4, "kubernetes")

    assert expected == _values(
        MANIFEST,
        "model",
        "tensor_parallel",
        "gpu_memory_utilization",
        "multimodal_limits",
        "attention_backend",
        "gpu_count",
        "launcher",
    )


def test_helm_values_in_camel_case_are_arguments() -> None:
    assert ("acme/model-8b", 16384, True, 64, 1) == _values(
        VALUES, "model", "max_model_len", "enforce_eager", "max_num_seqs", "gpu_count"
    )


def test_a_config_file_of_the_server_is_read() -> None:
    text = "model: acme/model-8b\ntensor-parallel-size: 4\nquantization: fp8\n"

    assert ("acme/model-8b", 4, "fp8") == _values(text, "model", "tensor_parallel", "quantization")


def test_a_manifest_that_begins_in_the_middle_is_read() -> None:
    assert ("acme/m-7b", 2) == _values(
        "    Args:\n      --model=acme/m-7b\n      --tensor-parallel-size=2\n    State: Waiting",
        "model",
        "tensor_parallel",
    )


def test_a_colon_in_a_sentence_is_no_setting() -> None:
    assert {} == dict(read("model: it was fine\ndtype: who knows").facts)


def test_a_reservation_of_devices_counts_gpus() -> None:
    text = "deploy:\n  resources:\n    reservations:\n      devices:\n        - driver: nvidia\n          count: 2\n"

    assert (2, None) == (*_values(text, "gpu_count"), *_values("replicas:\n  count: 2\n", "gpu_count"))


def test_a_commented_item_sets_nothing_and_ends_nothing() -> None:
    found = read("args:\n- --model=acme/m-8b\n# - --max-model-len=8192\n- --max-num-seqs=8\n")

    assert (None, 8) == (found.value("max_model_len"), found.value("max_num_seqs"))


def test_the_shell_that_arguments_are_given_to_is_no_model() -> None:
    found = read('command: ["/bin/sh", "-c"]\nargs: ["vllm serve acme/m-8b --max-num-seqs 8"]\n')

    assert ("acme/m-8b", ()) == (found.value("model"), found.conflicts)


def test_arguments_without_a_model_are_no_command() -> None:
    found = read('modelURL: "acme/m-8b"\nvllmConfig:\n  maxModelLen: 4096\n  extraArgs: ["--max-num-seqs", "8"]\n')

    assert ("acme/m-8b", 8, None) == tuple(found.value(name) for name in ("model", "max_num_seqs", "command"))


def test_variables_may_be_a_mapping() -> None:
    found = read('services:\n  vllm:\n    environment:\n      NCCL_P2P_DISABLE: "1"\n      VLLM_USE_V1: 0\n')

    assert ((("NCCL_P2P_DISABLE", "1"), ("VLLM_USE_V1", "0")), "V0") == (
        found.value("environment"),
        found.value("engine"),
    )


def test_devices_may_stand_on_one_line() -> None:
    text = "deploy: {resources: {reservations: {devices: [{driver: nvidia, count: 4, capabilities: [gpu]}]}}}"

    assert 4 == read(text).value("gpu_count")


def test_a_counted_card_is_a_card_and_a_count() -> None:
    found = read("resources:\n  accelerators: H100:8\n")

    assert ("H100", 8) == (found.value("gpu"), found.value("gpu_count"))


def test_the_source_of_a_model_outranks_what_it_is_called() -> None:
    found = read("model_loading_config:\n  model_id: mine\n  model_source: acme/m-8b\n")

    assert ("acme/m-8b", ()) == (found.value("model"), found.conflicts)


def test_a_year_and_a_month_are_no_version_of_vllm() -> None:
    assert None is read("image: nvcr.io/nvidia/vllm:25.09-py3\nmodel: acme/m-8b").value("vllm_version")


def test_a_hash_within_quotes_begins_no_remark():
    text = MANIFEST.replace("""- "4"\n""", """- "4"  # two "each"\n    - --served-model-name\n    - "a: b # 'c"\n""")
    evidence = read(text)

    assert (4, "a: b # 'c") == (evidence.value("tensor_parallel"), evidence.value("served_name"))


@pytest.mark.parametrize(
    ("text", "manifest"),
    [
        (COMPOSE, Manifest("list", "command")),
        (MANIFEST, Manifest("list", "args")),
        ('command: ["vllm", "serve", "acme/m-8b", "--port", "80"]', Manifest("list", "command", is_whole=True)),
        (VALUES, Manifest("keys", "vllmConfig", "camel")),
        ("engine_kwargs:\n  max_model_len: 8\n", Manifest("keys", "engine_kwargs", "snake")),
        ('"vllmConfig": {\n  "maxModelLen": 8\n}', Manifest("json-keys", "vllmConfig", "camel")),
        ("max_model_len: 8\ntensor_parallel_size: 2\n", None),
    ],
)
def test_how_a_file_has_its_settings_is_kept(text: str, manifest: Manifest | None) -> None:
    assert manifest == read(text).value("manifest")


def test_a_variable_in_a_file_stays_one() -> None:
    assert "vllm serve --model ${MODEL} --port 80" == read("command: --model ${MODEL} --port 80").value("command")


def test_a_record_of_settings_is_read_in_a_file_too():
    found = read('model: acme/m-8b\ncompilation-config: \'{"mode": 0, "cudagraph_mode": "NONE"}\'\n')

    assert (0, "NONE") == (found.value("compilation_mode"), found.value("cudagraph_mode"))
