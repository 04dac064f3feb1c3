"""New commands for what was described."""

from __future__ import annotations

import pytest

from bot.catalog.flags import Flag, Flags
from bot.catalog.load import load_lazily
from bot.deployment import Deployment, Manifest, read_version
from bot.diagnosis.fixes.command import command_line
from tests.diagnosis.conftest import FLAGS


def test_python_gets_a_call():
    deployment = Deployment(model="org/m", launcher="python", max_model_len=8192, gpu_memory_utilization=0.95)

    assert "LLM(model='org/m', gpu_memory_utilization=0.95, max_model_len=8192)" == command_line(deployment, FLAGS)


def test_a_keyword_that_disables_is_true_where_the_fact_is_false():
    flags = Flags.of([Flag(name="--disable-x", fact="hybrid_kv_cache", type="switch", sets="false")])
    deployment = Deployment(model="org/m", launcher="python", hybrid_kv_cache=False)

    assert "LLM(model='org/m', disable_x=True)" == command_line(deployment, flags)


def test_an_unknown_model_is_a_word_to_replace():
    assert "vllm serve MODEL" == command_line(Deployment(), FLAGS)


def test_words_with_spaces_are_quoted():
    assert "vllm serve '/my models/m'" == command_line(Deployment(model="/my models/m"), FLAGS)


def test_a_description_is_no_name_of_a_checkpoint():
    assert "vllm serve MODEL" == command_line(Deployment(model="phi-4 awq"), FLAGS)


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("0.5.1", "python -m vllm.entrypoints.openai.api_server --model org/m"),
        ("0.5.2", "vllm serve org/m"),
        ("0.33.0", "vllm serve org/m"),
    ],
)
def test_a_release_before_vllm_serve_is_started_as_a_module(version: str, expected: str):
    assert expected == command_line(Deployment(model="org/m", vllm_version=read_version(version)), FLAGS)


@pytest.mark.parametrize(
    ("version", "engine", "expected"),
    [
        ("0.8.5", "V0", "VLLM_USE_V1=0 vllm serve org/m"),
        ("0.7.3", "V1", "VLLM_USE_V1=1 vllm serve org/m"),
        ("0.8.5", "V1", "vllm serve org/m"),
        ("0.16.0", "V0", "vllm serve org/m"),
    ],
)
def test_an_engine_that_the_version_would_not_run_by_itself_is_chosen(version: str, engine: str, expected: str):
    deployment = Deployment.model_validate({"model": "org/m", "vllm_version": version, "engine": engine})

    assert expected == command_line(deployment, load_lazily().flags)


def test_variables_that_were_set_stay_as_far_as_they_count():
    flags = Flags.of(
        [Flag(name="VLLM_BACKEND", fact="attention_backend"), Flag.model_validate({"name": "OLD", "until": "0.1.0"})]
    )
    variables = (("VLLM_BACKEND", "X"), ("OLD", "1"), ("NCCL_DEBUG", "INFO"), ("VLLM_API_KEY", "k"))
    deployment = Deployment.model_validate(
        {"model": "org/m", "vllm_version": "0.8.5", "environment": variables, "attention_backend": "X"}
    )

    assert "VLLM_BACKEND=X NCCL_DEBUG=INFO VLLM_API_KEY=YOUR_SECRET vllm serve org/m" == command_line(deployment, flags)
    assert "NCCL_DEBUG=INFO VLLM_API_KEY=YOUR_SECRET vllm serve org/m" == command_line(
        deployment.with_(attention_backend=None), flags, ["attention_backend"]
    )


def test_a_mode_of_graphs_has_no_flag_and_is_said_all_the_same():
    said = {
        version: command_line(Deployment(model="m", cudagraph_mode="NONE", vllm_version=read_version(version)), FLAGS)
        for version in ("0.9.2", "0.12.0")
    }

    assert {
        "0.9.2": """vllm serve m --compilation-config '{"use_cudagraph": false}'""",
        "0.12.0": """vllm serve m --compilation-config '{"cudagraph_mode": "NONE"}'""",
    } == said
    assert "vllm serve m" == command_line(Deployment(model="m", cudagraph_mode="FULL_AND_PIECEWISE"), FLAGS)
    in_pieces = {
        version: command_line(
            Deployment(model="m", cudagraph_mode="piecewise", vllm_version=read_version(version)), FLAGS
        )
        for version in ("0.10.2", "0.20.0")  # which captured so of its own accord, and which does not
    }
    assert ["vllm serve m", """vllm serve m --compilation-config '{"cudagraph_mode": "PIECEWISE"}'"""] == [
        *in_pieces.values()
    ]
    eager = Deployment(model="m", cudagraph_mode="NONE", enforce_eager=True)  # which says it already
    assert "vllm serve m --enforce-eager" == command_line(eager, FLAGS)


def test_what_is_kept_word_for_word_is_not_said_twice():
    deployment = Deployment(model="m", optimization_level=0, other_arguments=("-O0",))

    assert "vllm serve m -O0" == command_line(deployment, FLAGS)


@pytest.mark.parametrize(
    ("version", "facts", "said"),
    [
        ("0.19.0", {"optimization_level": 1}, "-O1"),
        ("0.19.0", {"compilation_mode": 0}, """--compilation-config '{"mode": 0}'"""),
        ("0.10.2", {"compilation_mode": 0}, """--compilation-config '{"level": 0}'"""),
        (
            "0.19.0",
            {"compilation_mode": 0, "cudagraph_mode": "FULL", "cudagraph_capture_sizes": (1, 2)},
            """--compilation-config '{"cudagraph_capture_sizes": [1, 2], "cudagraph_mode": "FULL", "mode": 0}'""",
        ),
        ("0.10.2", {"max_cudagraph_capture_size": 64}, "--cuda-graph-sizes 64"),
        ("0.19.0", {"max_cudagraph_capture_size": 64}, "--max-cudagraph-capture-size 64"),
    ],
)
def test_how_it_compiles_is_said_in_one_argument_that_the_version_has(version, facts, said):
    deployment = Deployment(model="m", vllm_version=read_version(version), **facts)

    assert f"vllm serve m {said}" == command_line(deployment, load_lazily().flags)


def test_a_call_keeps_what_it_had_besides():
    others = ("--model=$NAME", "--trust-remote-code=True", "--tensor-parallel-size=count()", "--hf-token='abc'")
    deployment = Deployment(
        launcher="python", model="m", max_model_len=8, manifest=Manifest("call", "EngineArgs"), other_arguments=others
    )
    said = command_line(deployment, load_lazily().flags, ["max_model_len"])

    expected = "EngineArgs(model=NAME, max_model_len=8, trust_remote_code=True, tensor_parallel_size=count(), hf_token=YOUR_SECRET)"
    assert expected == said
    assert "model='q'" in command_line(deployment.with_(model="q"), load_lazily().flags, ["model"])


def test_settings_beside_a_model_are_said_without_it():
    deployment = Deployment(
        launcher="python", model="m", max_model_len=8, manifest=Manifest("call", "engine_kwargs=dict")
    )

    assert "engine_kwargs=dict(max_model_len=8)" == command_line(deployment, load_lazily().flags, ["max_model_len"])
    assert "engine_kwargs=dict(model='q')" == command_line(
        deployment.with_(model="q", max_model_len=None), load_lazily().flags, ["model"]
    )


def test_settings_within_another_argument_stay_there():
    others = ("--temperature=0.8", "--vllm-kwargs={'max_model_len': 131072, 'swap': 1}")
    facts = {"model": "m", "max_model_len": 8, "tensor_parallel": 2, "manifest": Manifest("call", "VLLM")}
    deployment = Deployment(launcher="python", other_arguments=others, **facts)

    expected = "VLLM(model='m', tensor_parallel_size=2, vllm_kwargs={'max_model_len': 8, 'swap': 1}, temperature=0.8)"
    assert expected == command_line(deployment, load_lazily().flags, ["max_model_len"])


def test_a_call_says_that_vllm_is_to_fit_the_length():
    deployment = Deployment(launcher="python", model="m", auto_max_model_len=True)

    assert "LLM(model='m', max_model_len=-1)" == command_line(deployment, FLAGS, ["auto_max_model_len"])
