"""Wordings date a log: they stand in the sources of the releases that their rows name."""

import pytest

from bot.catalog.load import Knowledge


@pytest.mark.parametrize(
    ("problem", "wording", "since", "until"),
    [
        ("attention-backend-unavailable", "selected-backend-not-valid", "0.11.1", None),
        ("context-length-exceeded-request", "item-exceeds-encoder-cache", "0.16.0", None),
        ("engine-dead-no-root-cause", "server-gives-up", None, "0.8.4"),
        ("engine-init-failed-generic", "worker-initialization-failed", "0.8.5", None),
        ("fp8-kv-unsupported", "nvfp4-kv", "0.21.0", None),
        ("hang-at-startup", "engine-core-timeout", "0.17.0", None),
        ("max-len-exceeds-derived", "greater-than-derived", "0.2.0", None),
        ("memory-profiling-assertion", "not-properly-cleaned-up", None, "0.15.1"),
        ("memory-profiling-assertion", "says-released-while-profiling", "0.9.1", None),
        ("shm-broadcast-stall", "no-block", None, "0.8.1"),
        ("too-much-concurrency-preemption", "no-free-blocks", None, "0.6.3"),
    ],
)
def test_a_wording_is_dated_by_the_releases_that_print_it(knowledge: Knowledge, problem, wording, since, until):
    """The texts of every string in vLLM's sources, in 90 releases from 0.1.7 to 0.33.0."""
    rows = knowledge.problems[problem].wordings
    versions = next(row.versions for row in rows if row.id == wording)

    assert (since, until) == tuple(None if bound is None else str(bound) for bound in (versions.since, versions.until))
