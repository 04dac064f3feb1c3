"""The weights of one layer's MLP or experts, on one GPU."""

from __future__ import annotations

from bot.model_shape import Layer, ModelShape, Moe
from bot.sizing.weights.tensors import Matrix, Plain, Split, Tensor, Tensors

# Families whose router works in 32 bits. Source: vLLM `models/glm4_moe.py`, `minimax_m2.py`.
_WIDE_ROUTERS = frozenset({"glm4_moe", "minimax_m2", "minimax_m3", "glm4v_moe", "solar_open"})


def mlp_tensors(shape: ModelShape, layer: Layer, split: Split) -> Tensors:
    """Return the weights of a layer's MLP, its experts, or both."""
    if layer.mlp == "none":
        return ()
    if layer.mlp == "moe" and shape.moe:
        beside = _dense(shape, shape.intermediate or 0, split, "mlp") if shape.moe.dense_beside else ()
        return (*_experts(shape, shape.moe, split), *beside)
    return _dense(shape, layer.intermediate or shape.intermediate or 0, split, "mlp")


def _dense(shape: ModelShape, width: int, split: Split, name: str) -> Tensors:
    """Columns of gate and up, rows of down: each GPU works on its share of the inner width."""
    local = split.part(width)
    up = 2 * local if shape.gated_mlp else local
    bias = shape.wiring.mlp_bias
    modules = (f"{name}.gate_proj", f"{name}.up_proj") if shape.gated_mlp else (f"{name}.up_proj",)
    return (
        Matrix(modules, up, shape.hidden, bias=up if bias else 0),
        Matrix((f"{name}.down_proj",), shape.hidden, local, bias=shape.hidden if bias else 0),
    )


def _experts(shape: ModelShape, moe: Moe, split: Split) -> Tensors:
    """Experts are stacked: all of them cut through, or with expert parallelism some of them whole.

    Source: vLLM `layers/fused_moe/layer.py`, FusedMoE.
    """
    held = -(-moe.experts // split.expert)
    local = -(-moe.intermediate // split.expert_tensor)
    hidden = moe.latent or shape.hidden
    up = 2 * local if shape.gated_mlp else local
    bias = moe.has_expert_bias
    name = "moe.experts" if moe.dense_beside else "mlp.experts"  # beside an MLP they have a place of their own
    tensors: list[Tensor] = [
        Matrix((f"{name}.gate_up_proj",), up, hidden, held, bias=up if bias else 0),
        Matrix((f"{name}.down_proj",), hidden, local, held, bias=hidden if bias else 0),
        *_router(shape, moe),
    ]
    if moe.latent:
        tensors.append(Matrix(("mlp.fc1_latent_proj",), moe.latent, shape.hidden))
        tensors.append(Matrix(("mlp.fc2_latent_proj",), shape.hidden, moe.latent))
    return (*tensors, *_shared(shape, moe, split))


def _router(shape: ModelShape, moe: Moe) -> list[Tensor]:
    width = 4.0 if shape.model_type in _WIDE_ROUTERS else None
    router: list[Tensor] = [Plain(moe.experts * shape.hidden, width)]
    if moe.has_router_bias:
        router.append(Plain(moe.experts, None if shape.model_type == "gpt_oss" else 4.0))
    return router


def _shared(shape: ModelShape, moe: Moe, split: Split) -> Tensors:
    if not moe.shared_intermediate:
        return ()
    gate: Tensors = (Plain(shape.hidden),) if moe.has_shared_gate else ()
    return (*_dense(shape, moe.shared_intermediate, split, "mlp.shared_experts"), *gate)
