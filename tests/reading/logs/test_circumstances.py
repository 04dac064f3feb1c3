import pytest

from bot.reading.read import read

PREFIX = "(EngineCore pid=7) INFO 05-01 10:00:00 [somewhere.py:1] "


@pytest.mark.parametrize(
    ("message", "name", "value"),
    [
        ("Using FlashInfer for top-p & top-k sampling.", "flashinfer_sampler", True),
        (
            "FlashInfer is not available. Falling back to the PyTorch-native implementation of top-p & top-k sampling.",
            "flashinfer_sampler",
            False,
        ),
        ("FlashInfer top-p/top-k sampling disabled via VLLM_USE_FLASHINFER_SAMPLER=0.", "flashinfer_sampler", False),
        ("Compiling a graph for compile range (1, 8192) takes 12.79 s", "compile_cache", "cold"),
        ("torch.compile took 44.17 s in total", "compile_cache", "cold"),
        (
            "Directly load the compiled graph(s) for compile range (1, 8192) from the cache, took 1.128 s",
            "compile_cache",
            "warm",
        ),
        ("torch.compile takes 8.31 s in total", "compile_cache", None),
        (
            "init engine (profile, create kv cache, warmup model) took 126.2 s (compilation: 47.09 s)",
            "compile_cache",
            "cold",
        ),
        (
            "init engine (profile, create kv cache, warmup model) took 31.0 s (compilation: 7.44 s)",
            "compile_cache",
            None,
        ),
        (
            "Custom allreduce is disabled because your platform lacks GPU P2P capability or P2P test failed.",
            "gpu_link",
            "pcie",
        ),
        ("Custom allreduce is disabled because this process group spans across nodes.", "gpu_link", "network"),
        ("Profiling CUDA graph memory: PIECEWISE=51 (largest=512)", "graphs_full", 0),
        ("Profiling CUDA graph memory: PIECEWISE=51 (largest=512), FULL=35 (largest=256)", "graphs_full", 35),
        ("Profiling CUDA graph memory: FULL=7 (largest=32)", "graphs_piecewise", 0),
    ],
)
def test_a_line_tells_its_surroundings(message, name, value):
    assert value == read(PREFIX + message).value(name)


def test_one_compiled_graph_means_that_the_cache_was_cold():
    log = (
        f"{PREFIX}Directly load the compiled graph(s) for compile range (1, 64) from the cache, took 0.2 s\n"
        f"{PREFIX}Compiling a graph for compile range (65, 8192) takes 20.17 s\n"
    )

    assert "cold" == read(log).value("compile_cache")


def test_of_several_starts_the_last_counts():
    start = "Initializing a V1 LLM engine (v0.29.0) with config: model='org/M'"
    log = (
        f"{PREFIX}{start}\n{PREFIX}Compiling a graph for compile range (1, 8192) takes 20.17 s\n"
        f"{PREFIX}Available KV cache memory: 1.5 GiB\n"
        f"{PREFIX}{start}\n{PREFIX}Directly load AOT compilation from path /root/.cache/vllm/a\n"
        f"{PREFIX}Available KV cache memory: 2.41 GiB\n"
    )

    assert "warm" == read(log).value("compile_cache")
