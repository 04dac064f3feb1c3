import pytest

from bot.deployment import Deployment
from bot.model_shape import Layer, LayerKind, LayerRun, LinearState
from bot.sizing.eras import LATEST
from bot.sizing.size import size
from bot.sizing.terms import Measured
from bot.units import Bytes


@pytest.mark.parametrize("shape", ["llama_8b", "gemma_27b", "qwen3_next", "deepseek_v3"])
@pytest.mark.parametrize("ranks", [1, 4])
def test_an_assumed_version_gives_its_own_figures_and_a_wider_range(shape, ranks, h100, request):
    planned = Deployment(shape=request.getfixturevalue(shape), card=h100, tensor_parallel=ranks)
    assumed, stated = size(planned), size(planned.with_(vllm_version=LATEST))

    assert [term.amount for term in stated.terms] == [term.amount for term in assumed.terms]
    assert all(
        one.low <= other.low and other.high <= one.high for one, other in zip(assumed.terms, stated.terms, strict=True)
    )
    assert assumed.kv_high - assumed.kv_low > stated.kv_high - stated.kv_low


def test_a_version_that_hints_date_keeps_the_middle_of_all_that_it_may_be(llama_8b, l4):
    dated = size(Deployment(shape=llama_8b, card=l4, version_since="0.19.0"))
    stated = size(Deployment(shape=llama_8b, card=l4, vllm_version=LATEST))

    assert dated.term("activations").amount > stated.term("activations").amount


def test_the_states_that_v0_keeps_beside_its_cache_are_spent(llama_8b, h100):
    """Of 4 Mamba layers and 100 sequences: 2 × 8192 × (3 + 16) bytes each."""
    layers = (
        LayerRun(layer=Layer(kind=LayerKind.MAMBA1), count=4),
        LayerRun(layer=Layer(kind=LayerKind.FULL), count=4),
    )
    shape = llama_8b.model_copy(update={"runs": layers, "linear": LinearState(inner=8192, state=16)})
    told = Deployment(shape=shape, card=h100, vllm_version="0.8.5", engine="V0", max_num_seqs=100)
    narrow = told.with_(shape=shape.model_copy(update={"linear": LinearState(inner=0, state=16)}))

    spent = [size(each).term("activations").amount for each in (told, narrow)]
    assert 100 * 4 * 2 * 8192 * 19 == pytest.approx(spent[0] - spent[1], rel=0.001)


def test_every_term_names_its_source(llama_on_h100):
    found = size(llama_on_h100, Measured(weights=Bytes.gib(15), other_processes=Bytes.gib(1)))

    assert [] == [term.name for term in found.terms if not term.source]


def test_what_reads_as_nothing_is_not_said(llama_on_h100):
    assert not any("0.00 GiB" in term.formula for term in size(llama_on_h100).terms)
