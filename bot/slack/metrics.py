"""What an operator watches: Prometheus counters of this process, and gauges that the journal knows for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from bot.journal.digests import last_sent
from bot.journal.open import Journal
from bot.journal.owed import oldest_owed

EVENTS = Counter("vllm_triage_events", "Deliveries from Slack, by type.", ["type"])
DUPLICATES = Counter("vllm_triage_duplicates", "Entries that the journal had already.")
# Slack gives up on a delivery after three seconds.
ACK_SECONDS = Histogram(
    "vllm_triage_ack_seconds",
    "Time from a delivery to its acknowledgement.",
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3),
)
OUTCOMES = Counter("vllm_triage_outcomes", "Threads attended to, by what came of it.", ["outcome"])
SLACK_ERRORS = Counter("vllm_triage_slack_errors", "Calls that Slack refused or did not answer.", ["method", "error"])
GAUGES = {
    "vllm_triage_owed_threads": "Threads that are owed an answer, in the whole journal.",
    "vllm_triage_owed_seconds": "How long the oldest of them has waited.",
    "vllm_triage_digest_age_seconds": "Time since the newest digest was sent; absent before the first.",
}


def page(journal: Journal, now: datetime) -> bytes:
    """Return all figures in Prometheus' text form; the journal's are left out while it is out of reach."""
    own = CollectorRegistry()
    try:
        for name, value in _gauges(journal, now):
            Gauge(name, GAUGES[name], registry=own).set(value)
    except Exception:  # noqa: BLE001 - readiness says that the journal is away; the counters are told all the same
        own = CollectorRegistry()
    return generate_latest(REGISTRY) + generate_latest(own)


def _gauges(journal: Journal, now: datetime) -> Iterator[tuple[str, float]]:
    count, oldest = oldest_owed(journal)
    yield "vllm_triage_owed_threads", count
    yield "vllm_triage_owed_seconds", max(0.0, (now - oldest).total_seconds()) if oldest else 0.0
    sent = last_sent(journal)
    if sent:
        yield "vllm_triage_digest_age_seconds", (now - sent).total_seconds()
