"""What a budget is made of."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from bot.deployment import Deployment
from bot.frozen import Frozen
from bot.units import Bytes


class Measured(Frozen):
    """Figures that a log gave for one GPU; each replaces its estimate."""

    total: Bytes | None = None
    free: Bytes | None = None
    weights: Bytes | None = None
    activation: Bytes | None = None
    non_torch: Bytes | None = None
    consumed: Bytes | None = None
    cudagraph: Bytes | None = None
    cudagraph_estimated: Bytes | None = None
    graphs_piecewise: int | None = None
    graphs_full: int | None = None
    graphs_largest: int | None = None
    graphs_decoding: int | None = None
    kv_available: Bytes | None = None
    kv_tokens: int | None = None
    gpu_blocks: int | None = None
    concurrency: float | None = None
    other_processes: Bytes | None = None  # held by others on the card, before we start
    kv_beyond: Bytes | None = None  # what the KV cache had beyond what our terms left, before a setting was changed


TermName: TypeAlias = Literal["weights", "activations", "non_torch", "cuda_graphs", "other_processes", "multimodal"]


class Term(NamedTuple):
    """One line of a budget, for one GPU."""

    name: TermName
    amount: Bytes
    low: Bytes
    high: Bytes
    measured: bool = False
    inside: bool = True  # charged to the allowance; False: lives beside it
    formula: str = ""
    because: str = ""
    source: str = ""
    doubt: str = ""  # why the range is wider than usual, and what would settle it


class Assumption(NamedTuple):
    """A value that nobody stated and that the budget rests on."""

    name: str
    value: str
    because: str


def said(assumed: Mapping[str, tuple[Any, str]]) -> tuple[Assumption, ...]:
    """Return the values that were assumed, each with its reason, as a budget says them."""
    return tuple(Assumption(name=name, value=str(value), because=because) for name, (value, because) in assumed.items())


class FailedCheck(NamedTuple):
    """The first start-up check of that version that would fail, and the message it would print."""

    problem: str  # a problem id
    message: str
    certain: bool  # False: within the margin of error


class Budget(NamedTuple):
    """The memory of the tightest GPU of a deployment, as vLLM would count it at start."""

    deployment: Deployment  # with every default filled in
    era: str
    total: Bytes
    total_measured: bool
    allowance: Bytes
    terms: tuple[Term, ...]
    kv_available: Bytes  # may be negative
    kv_low: Bytes
    kv_high: Bytes
    kv_measured: bool
    kv_bytes_per_token: float
    bytes_per_block: Bytes
    block_size: int
    blocks: int
    kv_tokens: int
    kv_tokens_low: int
    kv_tokens_high: int
    concurrency: float  # requests of max_model_len
    kv_needed: Bytes  # for one request of max_model_len
    longest_context: int
    fits: bool  # starts and holds one request of max_model_len
    is_within_margin: bool  # the other verdict lies inside the stated ranges
    keeps_cache: bool = True  # False: prompts are read and forgotten; what is left of the card stays free
    failed_check: FailedCheck | None = None
    assumptions: tuple[Assumption, ...] = ()
    warnings: tuple[str, ...] = ()
    at_lengths: tuple[tuple[int, float], ...] = ()  # (tokens, requests of so many) up to max_model_len

    def requests_of(self, length: int) -> float:
        """Return about how many requests of `length` tokens the KV cache holds at once."""
        place = bisect_left(self.at_lengths, (length, 0.0))
        if place == len(self.at_lengths):
            return self.kv_tokens / length
        longer, few = self.at_lengths[place]
        if not place or longer == length or not few:
            return few
        shorter, more = self.at_lengths[place - 1]
        share = (length - shorter) / (longer - shorter)
        return 1 / ((1 - share) / more + share / few)

    def term(self, name: str) -> Term | None:
        """Return the term of that name, if the budget has it."""
        return next((term for term in self.terms if term.name == name), None)


class Refusal(NamedTuple):
    """Why a deployment cannot be sized or cannot run at all: one sentence a field."""

    name: str  # the fact at fault
    message: str
    problem: str | None = None
