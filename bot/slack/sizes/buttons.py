"""What can be pressed below a budget."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bot.reply.block_kit import ID, button
from bot.sizing.terms import Budget
from bot.slack.sizes.wish import Outcome, Wish

LONGEST_WISH = 1_800  # characters of a button's value, which Slack limits to 2,000
_MOST_CARRIED = 6_000  # characters of all of them: a whole answer must stay below what a response URL takes
_SHORTEST = 1_024  # tokens of a context that anybody tries
_HALVES = 4  # contexts of a table
_DRAW = "size:draw"


def private_buttons(wish: Wish, found: Outcome) -> list[dict[str, Any]]:
    """Return the buttons below a budget that one person sees: what-ifs, then what else there is to see and to do."""
    tries = enumerate(what_ifs(wish, found))
    first = [(label, f"size:try:{n}", other) for n, (label, other) in tries]
    share = [] if found.is_open else [("Share here", "size:share", wish)]
    more = _row("size:more", [*_views(wish, found), ("Change", "size:form", wish), *share])
    return [*_row("size", first, _MOST_CARRIED - _weight(more)), *more]


def shared_buttons(wish: Wish, found: Outcome, draw: str | None = _DRAW) -> list[dict[str, Any]]:
    """Return the buttons below a budget that everybody sees; `draw` is what a wish for its picture is called."""
    return _row("size:more", _views(wish, found, draw))


def _views(wish: Wish, found: Outcome, draw: str | None = _DRAW) -> list[tuple[str, str, Wish]]:
    if found.is_open:
        return []
    picture = [("Picture", draw, wish)] if draw and found.has_picture else []
    return [("Details", "size:details", wish), *picture]


def _row(name: str, buttons: Iterable[tuple[str, str, Wish]], most: int = _MOST_CARRIED) -> list[dict[str, Any]]:
    """Return a row of those buttons whose wish Slack can carry, `most` characters in all; where there is none, no row."""
    elements: list[dict[str, Any]] = []
    for label, action, wish in buttons:
        value = wish.model_dump_json()
        if len(value) <= min(LONGEST_WISH, most):
            elements.append(button(label, f"{ID}:{action}", value))
            most -= len(value)
    return [{"type": "actions", "block_id": f"{ID}:{name}", "elements": elements}] if elements else []


def is_too_long(wish: Wish) -> bool:
    """Say whether no button can carry a wish."""
    return len(wish.model_dump_json()) > LONGEST_WISH


def _weight(rows: Iterable[dict[str, Any]]) -> int:
    return sum(len(element["value"]) for row in rows for element in row["elements"])


def what_ifs(wish: Wish, found: Outcome) -> tuple[tuple[str, Wish], ...]:
    """Return the changes that people try first: a smaller KV cache, more cards, another context, a table of contexts."""
    budget = found.sized.diagnosis.budget
    if budget is None or found.rows:
        return ()
    used, tries = budget.deployment, list[tuple[str, Wish]]()
    if budget.keeps_cache and not str(used.kv_cache_dtype or "").startswith("fp8"):
        tries.append(("fp8 KV cache", wish.with_(kv_cache_dtype="fp8")))
    cards = (used.tensor_parallel or 1) * 2
    tries.append((f"{cards} GPUs", wish.with_(gpu_count=cards, tensor_parallel=cards)))
    length = used.max_model_len or 0
    if length > _SHORTEST:
        tries.append((f"{length // 2:,} tokens", wish.with_(max_model_len=length // 2)))
        tries.append(("Table", _table(wish, budget)))
    return tuple(tries)


def _table(wish: Wish, budget: Budget) -> Wish:
    """Return a table of shorter contexts, on as many cards and on twice as many."""
    used = budget.deployment
    lengths = [(used.max_model_len or 0) >> n for n in range(_HALVES)]
    ranks = used.tensor_parallel or 1
    return wish.with_table(
        max_model_len=tuple(each for each in reversed(lengths) if each >= _SHORTEST), tensor_parallel=(ranks, 2 * ranks)
    )
