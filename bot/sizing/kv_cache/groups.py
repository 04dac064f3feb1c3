"""How layers share one pool of blocks: hybrid groups and their block sizes."""

from __future__ import annotations

from math import lcm

from bot.model_shape import LayerKind, Mla
from bot.sizing.eras import Release
from bot.sizing.generations import BLACKWELL, HOPPER, generation_of
from bot.sizing.kv_cache import compressed
from bot.sizing.kv_cache.per_layer import Spec, SpecRun, specs
from bot.sizing.kv_cache.pool import Group, Pool
from bot.sizing.resolved import Resolved
from bot.sizing.weights.stages import stage_sizes

WINDOWED = frozenset({LayerKind.SLIDING.value, LayerKind.CHUNKED.value})
TOKEN_KINDS = frozenset({LayerKind.FULL.value, LayerKind.MLA.value})
SMALLEST_BLOCK = 16  # tokens, of every attention kernel
_CUTLASS_BLOCK, _FLASHINFER_HEADS = 128, frozenset({64, 128, 192})
LATENT_CHECKPOINT = 128  # tokens between state checkpoints beside MLA: block 640 in one log of 0.27 or later


def pool(run: Resolved) -> Pool:
    """Return how this version pools the KV cache of this model.

    Source: vLLM `v1/core/kv_cache_utils.py`, get_kv_cache_groups, from 0.9.1 to 0.33.
    """
    if compressed.applies(run):
        return compressed.pool(run)
    kept = _merge_windows(specs(run), run)
    block = base_block_size(run)
    attention = attention_block_size(kept, block, run)
    buckets = _buckets(kept)
    layers = tuple(Group(spec, _first_block(spec, attention, run), count) for spec, count in buckets)
    if len(buckets) <= 1 or run.is_v0 or all(spec.kind in TOKEN_KINDS for spec, _ in buckets):
        return _flat(kept, layers, layers[0].block_size if layers else attention, run)
    return _hybrid(kept, layers, run)


def base_block_size(run: Resolved) -> int:
    """Return the tokens of a block before any adjustment: stated, or what the attention backend forces."""
    if run.shape.mla is not None and run.release >= (0, 8):
        forced = _mla_block_size(run, run.shape.mla)
        return max(forced, run.deployment.block_size or 0) if forced > 16 else run.deployment.block_size or forced
    return run.deployment.block_size or SMALLEST_BLOCK


def attention_block_size(kept: tuple[SpecRun, ...], block: int, run: Resolved) -> int:
    """Return the tokens of an attention block, raised where a state layer's page must fit in it.

    Without attention a block is a request's whole state. Source: vLLM 0.19 `models/config.py`, MambaModelConfig.
    """
    state = max((spec.state_bytes for spec, _ in kept), default=0)
    token = max((spec.token_bytes - spec.index_bytes for spec, _ in kept), default=0)
    if not state or not token:
        return run.max_model_len if state else block
    align = block
    if run.shape.mla is not None and run.release >= (0, 26):
        align = lcm(LATENT_CHECKPOINT, align)
    chunk = run.shape.linear.chunk if run.shape.linear else None
    if run.deployment.mamba_cache_mode == "all" and chunk:
        align = lcm(chunk, align)
    return align * -(-state // (align * token))


def _first_block(spec: Spec, block: int, run: Resolved) -> int:
    """Return the tokens of a layer's block before pages are made equal: a window's own, from 0.25 to 0.29.

    Source: vLLM 0.25 and 0.30 `model_executor/layers/attention/attention.py`, get_kv_cache_spec; 26B of Gemma 4 with
    `--block-size 128` on 0.29 prints 167,127 tokens for 15.64 GiB.
    """
    has_own = spec.kind == LayerKind.SLIDING.value and (0, 25) <= run.release < (0, 30)
    return min(SMALLEST_BLOCK, block) if has_own else block


def _mla_block_size(run: Resolved, mla: Mla) -> int:
    """Return the tokens of a block that the kernel for latent attention wants: FlashMLA's on Hopper, or Blackwell's.

    Source: vLLM `platforms/cuda.py`, check_and_update_config, of 0.8 to 0.17; from 0.18 `platforms/interface.py`,
    update_block_size_for_backend, and the kernels' get_supported_kernel_block_sizes.
    """
    if any(layer.has_indexer for layer in run.shape.kinds):
        return 64
    generation = generation_of(run.card)
    if run.card is not None and generation == BLACKWELL:
        return _blackwell_block_size(run.release, mla, is_b200=run.card.compute_capability == 10.0)
    return 64 if generation == HOPPER and run.release < (0, 18) else 16


def _blackwell_block_size(release: Release, mla: Mla, *, is_b200: bool) -> int:
    """Return what CUTLASS' kernel wants from 0.10.1, and FlashInfer's from 0.15 for the head sizes that it knows."""
    if release < (0, 10, 1) or (release < (0, 13) and not is_b200):
        return 16
    if release < (0, 18):
        return 64 if release >= (0, 15) and mla.qk_nope_head_dim == 128 else _CUTLASS_BLOCK
    return 32 if mla.qk_nope_head_dim in _FLASHINFER_HEADS else _CUTLASS_BLOCK


def _merge_windows(kept: tuple[SpecRun, ...], run: Resolved) -> tuple[SpecRun, ...]:
    """Make windowed layers full where this version, or a flag, allocates them so."""
    kinds = {spec.kind for spec, _ in kept}
    is_off = run.is_v0 or run.release < (0, 9, 1) or run.deployment.hybrid_kv_cache is False
    is_off = is_off or (LayerKind.CHUNKED.value in kinds and not _pools_chunks(run))
    if not is_off or (len(kinds) == 1 and not run.is_v0):
        return kept
    return tuple(
        (spec._replace(kind=LayerKind.FULL.value, window=None) if spec.kind in WINDOWED else spec, count)
        for spec, count in kept
    )


def _pools_chunks(run: Resolved) -> bool:
    """Return whether layers of chunked attention get a pool of their own: in 0.10.0, by the environment, and from 0.14.

    Beside EAGLE's heads they do not.

    Source: vLLM 0.10.0 and 0.10.1 `config.py`, `envs.py` of 0.14, VLLM_ALLOW_CHUNKED_LOCAL_ATTN_WITH_HYBRID_KV_CACHE.
    """
    drafted = run.deployment.speculation.kind if run.deployment.speculation else ""
    if run.release < (0, 10) or drafted in {"eagle", "eagle3", "mtp"}:
        return False
    if run.release < (0, 10, 1):
        return True
    flag = run.environment.get("VLLM_ALLOW_CHUNKED_LOCAL_ATTN_WITH_HYBRID_KV_CACHE")
    return flag == "1" if flag is not None else run.release >= (0, 14)


def _buckets(kept: tuple[SpecRun, ...]) -> list[SpecRun]:
    totals: dict[Spec, int] = {}
    for spec, count in kept:
        totals[spec] = totals.get(spec, 0) + count
    return list(totals.items())


def _bytes(spec: Spec, block: int) -> int:
    return spec.state_bytes or spec.token_bytes * block


def _flat(kept: tuple[SpecRun, ...], layers: tuple[Group, ...], block: int, run: Resolved) -> Pool:
    """One pool for all layers: a block spans every layer of the stage."""
    whole = sum(_bytes(spec, block) * count for spec, count in kept)
    stage_bytes = (whole,)
    if run.pipeline_parallel > 1:
        stage_bytes = tuple(sum(_bytes(spec, block) for spec in stage) for stage in _stages(kept, run))
    first = layers[0].spec if layers else Spec(LayerKind.NONE.value)
    group = Group(first, block, sum(group.layers for group in layers))
    return Pool((group,) if layers else (), max(stage_bytes), block, layers, whole, stage_bytes)


def _hybrid(kept: tuple[SpecRun, ...], layers: tuple[Group, ...], run: Resolved) -> Pool:
    """Several pools of equal pages: groups of as many layers each as the model's pattern allows."""
    padded = max(_bytes(bucket.spec, bucket.block_size) for bucket in layers)
    size = _group_size([group.layers for group in layers], run)
    groups: list[Group] = []
    members: dict[Spec, int] = {}
    for bucket in layers:
        count = -(-bucket.layers // size)
        members[bucket.spec] = count
        fullest = size if run.release < (0, 11) else -(-bucket.layers // count)
        groups.extend([Group(bucket.spec, _unified_block(bucket, padded), fullest)] * count)
    whole = max(group.layers for group in groups) * padded
    stage_bytes = (whole,)
    if run.pipeline_parallel > 1:
        stage_bytes = tuple(widest * padded for widest in _widest_groups(kept, members, run))
    smallest = min(group.block_size for group in groups)
    return Pool(tuple(groups), max(stage_bytes), smallest, layers, whole, stage_bytes)


def _group_size(counts: list[int], run: Resolved) -> int:
    """Return the layers of a group: the smallest bucket, or the largest where they are nearly equal."""
    least, most = min(counts), max(counts)
    if run.release < (0, 12):
        return least
    return most if most < least * (1.25 if run.release < (0, 18) else 1.5) else least


def _unified_block(layers: Group, padded: int) -> int:
    """Return the block size that makes a page as large as the largest, where the ratio is whole."""
    spec, block, _ = layers
    if spec.is_state:
        return block
    share, rest = divmod(padded, spec.token_bytes * block)
    return block if rest else block * share


def _stages(kept: tuple[SpecRun, ...], run: Resolved) -> list[list[Spec]]:
    ordered = [spec for spec, count in kept for _ in range(count)]
    sizes = stage_sizes(
        len(ordered), run.pipeline_parallel, run.release, run.environment.get("VLLM_PP_LAYER_PARTITION")
    )
    stages: list[list[Spec]] = []
    start = 0
    for size in sizes:
        stages.append(ordered[start : start + size])
        start += size
    return stages


def _widest_groups(kept: tuple[SpecRun, ...], members: dict[Spec, int], run: Resolved) -> list[int]:
    """Return, for each stage, the most layers that one group has there; layer i of a bucket is in group i mod n."""
    seen: dict[Spec, int] = {}
    widest: list[int] = []
    for stage in _stages(kept, run):
        here: dict[tuple[Spec, int], int] = {}
        for spec in stage:
            place = (spec, seen.get(spec, 0) % members[spec])
            seen[spec] = seen.get(spec, 0) + 1
            here[place] = here.get(place, 0) + 1
        widest.append(max(here.values(), default=0))
    return widest
