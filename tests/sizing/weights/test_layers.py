from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.model_shape import Layer, LayerKind, LayerRun
from bot.sizing.weights.layer import layer_tensors
from bot.sizing.weights.layers import weigh_layers
from bot.sizing.weights.storage import storage_of, weigh
from bot.sizing.weights.tensors import Split

LLAMA = find_model("meta-llama/Llama-3.1-8B").shape
PACKED = find_model("hugging-quants/Meta-Llama-3.1-8B-Instruct-AWQ-INT4").shape


def layers_of(shape):
    storage = storage_of(Deployment(shape=shape, vllm_version="0.33.0"), shape)
    return weigh_layers(shape, storage, Split()), storage


def test_layers_of_one_kind_take_the_same():
    found, storage = layers_of(LLAMA)

    assert [weigh(layer_tensors(LLAMA, LLAMA.runs[0].layer, Split()), None, storage)] * 32 == found


def test_layers_stand_in_model_order():
    wide, narrow = (Layer(kind=LayerKind.FULL, intermediate=width) for width in (8192, 4096))
    runs = tuple(LayerRun(layer=layer, count=count) for layer, count in ((wide, 2), (narrow, 1), (wide, 1)))
    found, _ = layers_of(LLAMA.model_copy(update={"runs": runs}))

    assert found[0] == found[1] == found[3]
    assert found[2].tensors < found[3].tensors


def test_a_layer_that_the_exclude_list_names_is_heavier_than_others():
    left = PACKED.quantization.model_copy(update={"excluded": ("model.layers.{0,31}.mlp",)})
    found, _ = layers_of(PACKED.model_copy(update={"quantization": left}))

    assert found[0] == found[31]
    assert {found[1]} == {*found[1:31]}
    assert found[1].tensors < found[0].tensors
