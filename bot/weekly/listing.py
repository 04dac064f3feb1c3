"""Single cases of the week: new ones, those that come back, those that are open, and errors nobody explains yet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.incident import Incident
from bot.reply.document import Part, Prose, Span
from bot.reply.words import inner, short_card, short_model
from bot.weekly.figures import Gathered, Link, label, say_count, section

MOST = 5
MOST_OPEN = 10


def new_and_recurring(gathered: Gathered, link: Link) -> list[Part]:
    """Return what was met for the first time, and what came back."""
    kinds = _by_fingerprint(incident for incident in gathered.incidents if incident.problem)
    fresh = [cases for name, cases in kinds.items() if name not in gathered.known]
    back = [cases for name, cases in kinds.items() if name in gathered.known]
    return [
        *_kinds("New this week", [_kind(gathered, cases, link) for cases in _largest(fresh)], len(fresh)),
        *_kinds("Recurring", [_kind(gathered, cases, link) for cases in _largest(back)], len(back)),
    ]


def unexplained(gathered: Gathered, link: Link) -> list[Part]:
    """Return the errors that no knowledge file explains yet: the to-do list of whoever writes them."""
    kinds = _by_fingerprint(incident for incident in gathered.incidents if incident.problem is None)
    items = [_error(gathered, cases, link) for cases in _largest(kinds.values())]
    return _kinds("Not explained yet", items, len(kinds))


def unresolved(gathered: Gathered, link: Link) -> list[Part]:
    """Return the cases that are open, the week's own first."""
    own = [incident for incident in gathered.incidents if incident.state == "open"]
    total = len(own) + gathered.left_open
    if not total:
        return []
    told = [incident for incident in (*reversed(own), *gathered.oldest_open) if gathered.may_tell(incident)]
    linked = [(incident, link(incident)) for incident in told[:MOST_OPEN]]
    items = [_open(gathered, incident, url) for incident, url in linked if url]
    untold = total - len(items)
    if untold:
        more = f"{untold:,} more" if items else f"{untold:,}"
        items.append(Prose(spans=(Span(text=f"{more} that {'is' if untold == 1 else 'are'} not listed here"),)))
    head = f"Still open: {len(own):,} of this week" + (f", {gathered.left_open:,} older" if gathered.left_open else "")
    return section(head, items)


def _by_fingerprint(incidents: Iterable[Incident]) -> dict[str, list[Incident]]:
    kinds: dict[str, list[Incident]] = {}
    for incident in incidents:
        if incident.fingerprint:
            kinds.setdefault(incident.fingerprint, []).append(incident)
    return kinds


def _largest(kinds: Iterable[list[Incident]]) -> list[list[Incident]]:
    return sorted(kinds, key=len, reverse=True)[:MOST]


def _kinds(title: str, items: Sequence[Prose], total: int) -> list[Part]:
    left = total - len(items)
    more = [Prose(spans=(Span(text=f"{left:,} more kinds"),))] if left else []
    return section(title, [*items, *more])


def _kind(gathered: Gathered, cases: Sequence[Incident], link: Link) -> Prose:
    newest = next((case for case in reversed(cases) if gathered.may_tell(case)), None)
    cause = gathered.names.cause(cases[0])
    open_ = sum(case.state == "open" for case in cases)
    said = (
        (f": {inner(cause)}" if cause else "")
        + f" · {say_count(len(cases), 'case')}"
        + (f", {open_} open" if open_ else "")
    )
    return Prose(spans=(Span(text=label(cases[0]), url=link(newest) if newest else None), Span(text=said)))


def _error(gathered: Gathered, cases: Sequence[Incident], link: Link) -> Prose:
    quoted = next((case for case in reversed(cases) if case.error and gathered.may_tell(case)), None)
    count = f" · {say_count(len(cases), 'case')}"
    if quoted is None:
        return Prose(spans=(Span(text="An error that was pasted in a private channel"), Span(text=count)))
    url = link(quoted)
    see = (Span(text=" · "), Span(text="see it", url=url)) if url else ()
    return Prose(spans=(Span(text=(quoted.error or "")[:160], style="code"), Span(text=count), *see))


def _open(gathered: Gathered, incident: Incident, url: str) -> Prose:
    where = " · ".join(part for part in (short_model(incident.model or ""), short_card(incident.gpu or "")) if part)
    after = f" · {where}" if where else ""
    told = f"{after} · since {incident.opened_at.astimezone(gathered.week.begin.tzinfo):%a %d %b}"
    return Prose(spans=(Span(text=label(incident), url=url), Span(text=told)))
