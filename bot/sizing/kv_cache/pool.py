"""The KV cache as a pool of blocks that groups of layers share."""

from __future__ import annotations

from typing import NamedTuple

from bot.sizing.kv_cache.per_layer import Spec


class Group(NamedTuple):
    """Layers that use the same blocks of a request; `layers` as many as its fullest stage holds."""

    spec: Spec
    block_size: int
    layers: int


class Pool(NamedTuple):
    """The KV cache as blocks, on one pipeline stage; `stage_bytes` are those of a block on each of them."""

    groups: tuple[Group, ...]
    bytes_per_block: int
    block_size: int  # the smallest of its groups', in tokens
    whole_layers: tuple[Group, ...]  # all layers by spec, before grouping
    whole_bytes_per_block: int  # over all stages
    stage_bytes: tuple[int, ...]
    checked_bytes: int | None = None  # of a block, as the start-up check counts it, where that differs

    @property
    def is_empty(self) -> bool:
        """Whether no layer keeps anything."""
        return not self.groups

    @property
    def holds_states_alone(self) -> bool:
        """Whether no layer keeps tokens: a block then is as long as the context."""
        return all(group.spec.is_state for group in self.groups)

    def at(self, stage: int) -> Pool:
        """Return the pool as one pipeline stage sees it."""
        return self._replace(bytes_per_block=self.stage_bytes[stage])
