"""The budget as terms that add up, and as a bar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.facts import Fact
from bot.reply.adding_up import Spent, hundredths, settle, show
from bot.reply.document import SUBTRACTED, BudgetRow, BudgetTable
from bot.reply.words import per_token, requests, tokens
from bot.sizing.terms import Budget, Term

LABELS = {
    "weights": "weights",
    "activations": "activations",
    "non_torch": "other",
    "cuda_graphs": "CUDA graphs",
    "other_processes": "other processes",
    "multimodal": "images",
}
# The fact that a pasted log prints for each term.
_LOGGED_AS = {
    "weights": "weights",
    "activations": "activation",
    "non_torch": "non_torch",
    "cuda_graphs": "cudagraph_estimated",
}
# The assumptions that move the numbers most, of the deployment and of what vLLM does by itself; the rest stands under details.
_ASSUMED = {"vllm_version": "vLLM", "tensor_parallel": "tensor parallel"}
_BY_DEFAULT = {"max_num_seqs": "max_num_seqs", "max_num_batched_tokens": "max_num_batched_tokens"}
FAR_OFF = 3  # times our highest estimates: more than that is no error of an estimate
MOST_NAMES = 2  # of terms that share a row
_ROUNDING = 0.05  # of the cache: tokens times their bytes are that near to it, or count something else
_SMALLEST_SHARE = 0.005  # thinner than half a percent of the card is no stripe


def say_budget(budget: Budget, facts: Mapping[str, Fact], *, hides_flags: bool = False) -> BudgetTable:
    """Lay a budget out so that allowance − terms = KV cache holds line by line, as printed.

    Where flags are missing for certain no default is said to hold.
    """
    left, spent = hundredths(budget.kv_available), taken(budget, facts)
    rows = [
        _card(budget, facts),
        *([_allowance(budget, hides_flags=hides_flags)] if budget.keeps_cache else []),
        *(BudgetRow(label=row.label, amount=_taken(row.hundredths), note=row.note) for row in spent),
        BudgetRow(label=_rest(budget), amount=show(left), note=_kv_note(budget), is_total=True),
    ]
    footnote, grounds = _footnote(budget), _grounds(budget, spent, hides_flags=hides_flags)
    if budget.is_within_margin:
        footnote, grounds = f"{footnote} {grounds}".strip(), ""
    return BudgetTable(rows=tuple(rows), bar=_bar(budget, spent, left), footnote=footnote, grounds=grounds)


def taken(budget: Budget, facts: Mapping[str, Fact]) -> list[Spent]:
    """Return what is taken off the allowance, so that exactly the KV cache is left."""
    inside = [term for term in budget.terms if term.inside]
    is_set = budget.deployment.kv_cache_memory is not None and not budget.kv_measured
    spent, left = _spent(budget, inside, facts), hundredths(budget.kv_available)
    return settle(hundredths(budget.allowance), spent, left, is_set=is_set)


def _taken(amount: int) -> str:
    return f"−{show(amount)}" if amount > 0 else f"+{show(-amount)}"


def _card(budget: Budget, facts: Mapping[str, Fact]) -> BudgetRow:
    note = f"in line {line}" if (line := _line(facts, "total")) else "as vLLM sees it"
    return BudgetRow(label="card", amount=show(hundredths(budget.total)), note=note)


def _allowance(budget: Budget, *, hides_flags: bool) -> BudgetRow:
    share = budget.deployment.gpu_memory_utilization
    is_default = any(item.name == "gpu_memory_utilization" for item in budget.assumptions)
    default = "if by default" if hides_flags else "by default"
    note = f"× {share:.4g} {default if is_default else 'gpu_memory_utilization'}" if share else ""
    return BudgetRow(label="allowance", amount=show(hundredths(budget.allowance)), note=note)


def _spent(budget: Budget, inside: Sequence[Term], facts: Mapping[str, Fact]) -> list[Spent]:
    """Return what is taken off; where the log printed what is left, that tells better than our small estimates."""
    known = [term for term in inside if term.measured or not budget.kv_measured or term.name == "weights"]
    guessed = [term for term in inside if term not in known and hundredths(term.high)]
    rows = [_row(term, facts) for term in known]
    rest = hundredths(budget.allowance) - sum(row.hundredths for row in rows) - hundredths(budget.kv_available)
    most = sum(hundredths(term.high) for term in guessed) * FAR_OFF
    if not guessed or not 0 < rest <= most:  # the figures do not agree; the difference is shown as unexplained
        return [*rows, *(_row(term, facts) for term in guessed)]
    names = ", ".join(LABELS[term.name] for term in guessed) if len(guessed) <= MOST_NAMES else "everything else"
    return [*rows, Spent(names, rest, SUBTRACTED)]


def _row(term: Term, facts: Mapping[str, Fact]) -> Spent:
    leeway = 0 if term.measured else hundredths(term.high) - hundredths(term.low)
    is_quoted = term.name == "weights"
    return Spent(LABELS[term.name], hundredths(term.amount), _origin(term, facts), leeway, is_quoted=is_quoted)


def _origin(term: Term, facts: Mapping[str, Fact]) -> str:
    line = _line(facts, _LOGGED_AS.get(term.name, term.name))
    if term.measured:
        return f"measured, line {line}" if line else "measured"
    if term.low == term.high:
        return "computed"
    return f"about {show(hundredths(term.low))}–{show(hundredths(term.high))}"


def _line(facts: Mapping[str, Fact], name: str) -> int | None:
    fact = facts.get(name)
    return fact.line if fact else None


def _rest(budget: Budget) -> str:
    return "KV cache" if budget.keeps_cache else "left free"


def _uncached(budget: Budget) -> str:
    shape = budget.deployment.shape
    if shape is not None and shape.keeps_states:
        return "no KV cache: the states of a batch are among the activations"
    return "no KV cache: a prompt is read whole, and nothing is kept of it"


def _kv_note(budget: Budget) -> str:
    if not budget.keeps_cache:
        return _uncached(budget)
    if budget.kv_available <= 0:
        return "missing before the first block" if budget.kv_available else "nothing is left"
    length = budget.deployment.max_model_len
    held = f"{requests(budget.concurrency)} of {tokens(length)}" if length else ""
    if (blocks := budget.deployment.num_gpu_blocks_override) and not budget.kv_measured:
        return f"room for it; the {tokens(blocks)} blocks set by hand hold {tokens(budget.kv_tokens)} tokens = {held}"
    if abs(budget.kv_tokens * budget.kv_bytes_per_token / budget.kv_available - 1) > _ROUNDING:
        # Up to 0.20.0 vLLM prints a figure for layers with a window that no request can be counted with.
        return f"= {held}; the log says {tokens(budget.kv_tokens)} tokens" if held else ""
    stored = f"= {tokens(budget.kv_tokens)} tokens at {per_token(budget.kv_bytes_per_token)}"
    return " = ".join(filter(None, (stored, held)))


def _bar(budget: Budget, spent: Sequence[Spent], left: int) -> tuple[tuple[str, float], ...]:
    """Return each part's share of the card; a card that is too small for its parts has no bar."""
    whole = hundredths(budget.total)
    parts = [(row.label, row.hundredths) for row in spent if row.hundredths > 0] + [(_rest(budget), max(0, left))]
    outside = whole - sum(amount for _, amount in parts)
    if whole <= 0 or outside < 0:
        return ()
    shares = [(label, amount / whole) for label, amount in [*parts, ("outside", outside)]]
    return tuple((label, round(share, 4)) for label, share in shares if share >= _SMALLEST_SHARE)


def _footnote(budget: Budget) -> str:
    said = (_beside(budget), _margin(budget), _scope(budget), _named("Assumed", budget, _ASSUMED))
    return " ".join(filter(None, said))


def _grounds(budget: Budget, spent: Sequence[Spent], *, hides_flags: bool) -> str:
    lead = "Not seen, counted as by default" if hides_flags else "By default"
    return " ".join(filter(None, (_named(lead, budget, _BY_DEFAULT), _doubts(budget, spent))))


def _doubts(budget: Budget, spent: Sequence[Spent]) -> str:
    """Say why the range of a row is wide, and what would settle it; rows by subtraction have none."""
    shown = {row.label for row in spent}
    doubts = [term for term in budget.terms if term.doubt and not term.measured and LABELS[term.name] in shown]
    return " ".join(f"{LABELS[term.name].capitalize()}: {term.doubt}." for term in doubts)


def _beside(budget: Budget) -> str:
    beside = [term for term in budget.terms if not term.inside and hundredths(term.amount)]
    named = ", ".join(f"{LABELS[term.name]} {show(hundredths(term.amount))} GiB" for term in beside)
    return f"Beside the allowance: {named}." if named else ""


def _margin(budget: Budget) -> str:
    if not budget.is_within_margin:
        return ""
    low, high = hundredths(budget.kv_low), hundredths(budget.kv_high)
    least = f"from {show(-low)} GiB missing" if low < 0 else show(low)
    return f"Within the margin of error: {_rest(budget)} {least} to {show(high)} GiB."


def _scope(budget: Budget) -> str:
    return "Per GPU; the tightest one is shown." if (budget.deployment.gpu_count or 1) > 1 else ""


def _named(lead: str, budget: Budget, names: Mapping[str, str]) -> str:
    """Name what was assumed, where an estimate rests on it."""
    if budget.kv_measured:
        return ""
    named = [f"{names[item.name]} {item.value}" for item in budget.assumptions if item.name in names]
    return f"{lead}: {', '.join(named)}." if named else ""
