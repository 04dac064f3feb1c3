"""Facts that nobody stated and that the prints of a log decide."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.catalog.gpus import find_gpu
from bot.catalog.index import index
from bot.catalog.models import find_model
from bot.consult import ask
from bot.deployment import Deployment, Speculation
from bot.diagnosis.fitting import Fitting
from bot.diagnosis.identify import Completed, with_catalogue
from bot.diagnosis.untold import _decide, work_out
from bot.reading.read import read
from bot.sizing.checks.layout import takes
from bot.sizing.printed_cache import Fit
from bot.sizing.size import UnknownFactsError, size
from bot.sizing.terms import Measured
from bot.units import Bytes
from tests.diagnosis.makers import evidence_of

STATES = "Qwen/Qwen3-Next-80B-A3B-Instruct"  # keeps states of requests beside its tokens
STAMP = "INFO 03-03 16:30:11 "
LOADED = STAMP + "[gpu_model_runner.py:2653] Model loading took {} GiB and 9.1 seconds"
LEFT = STAMP + "[gpu_worker.py:298] Available KV cache memory: {} GiB"
HELD = STAMP + "[kv_cache_utils.py:1087] GPU KV cache size: {} tokens"
NEEDED = (
    "ValueError: To serve at least one request with the models's max seq len (40960), ({} GiB KV cache is needed, which is "
    "larger than the available KV cache memory (1.03 GiB)."
)


def found_in(*lines: str) -> Completed:
    return with_catalogue(read("\n".join(lines)))


def decided(*lines: str) -> dict[str, str]:
    return {each.name: each.value for each in found_in(*lines).worked_out}


@pytest.mark.parametrize(
    ("gib", "gpus"),
    [(15.27, "1"), (7.64, "2"), (3.83, None), (5.1, None)],  # of 15.27 GiB, on four GPUs by default
)
def test_weights_tell_over_how_many_gpus_they_are_laid(gib: float, gpus: str | None):
    assert gpus == decided("Qwen/Qwen3-8B on 4x L40S", LOADED.format(gib)).get("tensor_parallel")


def test_a_rank_and_weights_tell_a_size_that_the_command_leaves_out():
    found = found_in(
        "vllm serve Qwen/Qwen3-8B --enforce-eager", "on 8x L40S", f"(Worker_TP2 pid=7) {LOADED.format(3.83)}"
    )

    assert 4 == found.deployment.tensor_parallel
    assert "A worker is named TP2 (line 3): tensor parallel size 4, not 1." == found.unknown["text"]


def test_the_tokens_of_a_memory_tell_how_they_are_stored():
    """10 GiB are 72,816 tokens of 36 layers × 2 × 8 heads × 128 × 2 bytes."""
    found = found_in("vLLM 0.11.0, Qwen/Qwen3-8B, tp=1", LEFT.format("10.00"), HELD.format("145,632"))

    assert "fp8" == found.deployment.kv_cache_dtype
    assert "10.00 GiB hold 145,632 tokens (line 3): the KV cache is kept in fp8." == found.unknown["text"]


def test_blocks_of_the_old_engine_are_tokens_of_its_memory():
    """10 GiB are 23,405 blocks of 16 tokens of 28 layers × 2 × 4 heads × 128 bytes; of 2 bytes a value half as many."""
    told = served("Qwen/Qwen2.5-7B-Instruct", vllm_version="0.6.3", tensor_parallel=1)
    blocks = {"kv_available": Bytes.gib(10), "gpu_blocks": 23_405}
    found = work_out(evidence_of(**blocks), told)

    assert "fp8" == found.deployment.kv_cache_dtype
    assert ("10.00 GiB hold 374,480 tokens (line 1): the KV cache is kept in fp8.",) == found.remarks
    assert () == work_out(evidence_of(**blocks), told.with_(vllm_version="0.19.0")).assumptions


class Explained(Fitting):
    """Figures that some changes of a layout and a dtype fit, and some of them exactly."""

    def __init__(self, fits: dict[tuple[int | None, str | None], bool]) -> None:
        super().__init__(Measured(), tells_flags=False, tells_card=True)
        self.fits = fits

    def fit(self, deployment: Deployment) -> Fit:
        change = deployment.tensor_parallel, deployment.kv_cache_dtype
        return Fit(change in self.fits, self.fits.get(change, False))


RIVALS = {"tensor_parallel": (2, 4), "kv_cache_dtype": ("fp8", "nvfp4")}


@pytest.mark.parametrize(
    ("fits", "values"),
    [
        ({(2, None): False}, {"tensor_parallel": 2}),
        ({(2, "fp8"): False}, {"tensor_parallel": 2, "kv_cache_dtype": "fp8"}),
        ({(2, None): False, (2, "fp8"): False}, {"tensor_parallel": 2}),
        ({(2, "nvfp4"): False, (2, "fp8"): False}, {}),  # what they have in common does not fit by itself
        ({(2, None): False, (None, "fp8"): False}, {}),
        ({(None, "fp8"): True, (None, "nvfp4"): False}, {"kv_cache_dtype": "fp8"}),
        ({(2, "fp8"): True, (4, "fp8"): False}, {}),  # exact tokens tell nothing of the number of ranks
        ({(2, "nvfp4"): True}, {}),  # a rare dtype beside another change
        ({}, {}),
    ],
)
def test_what_all_fitting_changes_have_in_common_is_decided(fits: dict[tuple, bool], values: dict[str, Any]):
    assert values == _decide(Deployment(), RIVALS, Explained(fits))


def test_what_another_layout_explains_as_well_stays_open():
    assert {} == decided("vLLM 0.11.0, Qwen/Qwen3-8B", LEFT.format("10.00"), HELD.format("145,632"))


def test_what_one_request_needs_tells_the_layout():
    """40,960 tokens of 144 KiB are 5.62 GiB."""
    found = found_in("vLLM 0.11.0, Qwen/Qwen3-8B on 4x L40S", NEEDED.format(5.62))

    assert 1 == found.deployment.tensor_parallel
    assert "One request needs 5.62 GiB of KV cache (line 2): tensor parallel size 1, not 4." == found.unknown["text"]


@pytest.mark.parametrize(
    "stated", ["tp=2", "--tensor-parallel-size 2", "vllm serve Qwen/Qwen3-8B --tensor-parallel-size 2"]
)
def test_what_was_stated_stays(stated: str):
    assert {} == decided("Qwen/Qwen3-8B on 4x L40S", stated, LOADED.format(15.27))


def test_a_flag_that_a_command_leaves_out_has_its_default():
    assert {} == decided("vllm serve Qwen/Qwen3-8B", LEFT.format("10.00"), HELD.format("145,632"))


@pytest.mark.parametrize(
    ("dates", "is_decided"),
    [
        ({}, False),
        ({"version_since": "0.24.0"}, False),
        ({"version_since": "0.19.0", "version_until": "0.24.0"}, False),
        ({"version_since": "0.24.0", "version_until": "0.24.1"}, True),
        ({"vllm_version": "0.24.0"}, True),
    ],
)
def test_what_each_release_counts_its_own_way_tells_nothing_of_an_unknown_one(dates: dict[str, str], is_decided: bool):
    told = served(STATES, tensor_parallel=4, max_model_len=65_536)
    kv = Bytes.gib(10)
    tokens = size(told.with_(vllm_version="0.24.0", kv_cache_dtype="fp8"), Measured(kv_available=kv)).kv_tokens
    found = work_out(evidence_of(kv_available=kv, kv_tokens=tokens), told.with_(**{"vllm_version": None, **dates}))

    assert is_decided == ("fp8" == found.deployment.kv_cache_dtype)


def test_a_rare_dtype_together_with_another_change_is_no_explanation():
    told = served(STATES, vllm_version="0.24.0", tensor_parallel=4, max_model_len=65_536)
    kv, drafts = Bytes.gib(10), Speculation(method="mtp", tokens=2)
    ran = told.with_(kv_cache_dtype="turboquant_k8v4", speculation=drafts)
    tokens = size(ran, Measured(kv_available=kv)).kv_tokens

    assert () == work_out(evidence_of(kv_available=kv, kv_tokens=tokens), told).assumptions


def test_figures_that_nothing_explains_decide_nothing():
    assert {} == decided("vLLM 0.11.0, Qwen/Qwen3-8B, tp=1", LEFT.format("10.00"), HELD.format("99,008"))


def test_weights_that_may_have_been_quantized_decide_no_layout():
    fp8 = size(served("Qwen/Qwen3-8B", quantization="fp8")).term("weights")

    assert fp8 is not None
    assert {} == decided("vLLM 0.19.0, Qwen/Qwen3-8B", LOADED.format(f"{fp8.amount.in_gib:.2f}"))


def test_the_cache_tells_which_card_of_its_name_it_is():
    command = "vllm serve Qwen/Qwen3-8B --max-num-seqs 64"
    small = size(served("Qwen/Qwen3-8B", gpu="A100 40GB", vllm_version="0.11.0", max_num_seqs=64, launcher="serve"))
    left = LEFT.format(f"{small.kv_available.in_gib:.2f}")
    found = found_in(command, "vLLM 0.11.0 on an A100", left)

    assert found.deployment.card is not None
    assert "A100 SXM4 40GB" == found.deployment.card.name
    assert "for the KV cache (line 3): it is the A100 SXM4 40GB, not the A100 SXM4 80GB." in found.unknown["text"]
    assert "I took" not in found.unknown["text"]


def test_a_cache_that_is_larger_than_a_card_is_on_a_larger_one():
    assert {"gpu": "H20-3e 141GB"} == decided("Qwen/Qwen3-8B on one H20", LOADED.format(15.27), LEFT.format(99))


def test_draft_tokens_are_told_by_the_states_that_they_take():
    """A hybrid keeps a state more of a request for each: so many tokens no other number of them leaves."""
    told = {"vllm_version": "0.24.0", "max_model_len": 65_536, "tensor_parallel": 4}
    model = STATES
    drafting = served(model, kv_cache_dtype="fp8", speculation=Speculation(method="mtp", tokens=2), **told)
    kv = Bytes.gib(10)
    evidence = evidence_of(kv_available=kv, kv_tokens=size(drafting, Measured(kv_available=kv)).kv_tokens)
    found = work_out(evidence, served(model, **told))

    assert [("kv_cache_dtype", "fp8"), ("speculation", "mtp 2")] == [
        (each.name, each.value) for each in found.assumptions
    ]
    assert "the KV cache is kept in fp8 and 2 tokens are drafted by MTP." in found.remarks[0]


def test_budget_and_fixes_rest_on_what_was_worked_out():
    paste = "\n".join(["Qwen/Qwen3-8B on 4x L40S", LOADED.format(15.27), NEEDED.format(5.62)])
    found = ask(paste)

    assert found.budget is not None
    assert ("tensor_parallel", "1", "15.27 GiB of weights a GPU (line 2)") == tuple(
        getattr(found.budget.assumptions[0], name) for name in ("name", "value", "because")
    )
    assert "15.27 GiB of weights a GPU (line 2): tensor parallel size 1, not 4." in " ".join(found.remarks)
    assert {"1"} == {
        fix.command.split("--tensor-parallel-size ")[1].split()[0] for fix in found.prescriptions if fix.command
    }


def test_without_a_budget_nothing_stands_in_it():
    assert ask(f"Qwen/Qwen3-8B on 4x L40S\n{LOADED.format(15.27)}").budget is None


def test_of_a_model_that_nobody_knows_nothing_is_worked_out():
    assert () == work_out(evidence_of(weights=Bytes.gib(9)), Deployment()).assumptions


def served(model: str, gpu: str = "H100", **facts: Any) -> Deployment:
    base = Deployment(model=model, shape=find_model(model).shape, card=find_gpu(gpu).card)
    return base.with_(**{"vllm_version": "0.19.0", **facts})


@given(
    st.sampled_from([head.id for head in index().heads if head.downloads > 0]),
    st.sampled_from([1, 2, 4, 8]),
    st.sampled_from(["auto", "fp8"]),
    st.tuples(st.sampled_from(["0.9.2", "0.11.0", "0.19.0", "0.24.0"]), st.booleans()),
    st.floats(0.5, 70),
    st.booleans(),
)
def test_what_a_candidate_prints_makes_it_that_candidate_or_leaves_it_open(
    model: str, gpus: int, dtype: str, release: tuple[str, bool], gib: float, prints_weights: bool
):
    version, is_dated = release
    untold = served(model, vllm_version=version if is_dated else None, gpu_count=8)
    assume(untold.shape is not None and takes(untold.shape, gpus))
    ran = untold.with_(vllm_version=version, tensor_parallel=gpus, kv_cache_dtype=dtype)
    kv = Bytes.gib(round(gib, 2))
    try:
        budget = size(ran, Measured(kv_available=kv))
    except (UnknownFactsError, ValueError, ArithmeticError):
        return
    weights = budget.term("weights")
    printed = {"weights": Bytes.gib(round(weights.amount.in_gib, 2))} if weights and prints_weights else {}
    found = work_out(evidence_of(kv_available=kv, kv_tokens=budget.kv_tokens, **printed), untold).deployment

    assert found.tensor_parallel in {None, gpus}
    assert found.kv_cache_dtype in {None, dtype}
    assert found.speculation is None
