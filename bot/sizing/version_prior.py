"""Which version is most likely when nobody says."""

from __future__ import annotations

from packaging.version import Version

from bot.deployment import Deployment
from bot.sizing.checks import methods, releases
from bot.sizing.eras import LAST_V0_BY_DEFAULT, LATEST

LAST_THAT_RUNS = "the last release that runs this card, this model and its quantization"
LAST_WITH_A_CHOICE = Version("0.11.0")

# The release that was current in a month, as far as it changes the accounting. Source: vLLM's release notes.
_CURRENT = (
    ("2025-11", Version("0.11.0")),
    ("2025-12", Version("0.12.0")),
    ("2026-01", Version("0.14.0")),
    ("2026-02", Version("0.15.0")),
    ("2026-03", Version("0.17.0")),
    ("2026-04", Version("0.19.0")),
    ("2026-05", Version("0.20.2")),
    ("2026-06", Version("0.23.0")),
    ("2026-07", Version("0.24.0")),
)


def likely_version(deployment: Deployment) -> tuple[Version, str]:
    """Return a version for a deployment that states none, and why.

    The latest, for whoever runs it now. But an engine that is named dates from when there were two: V0 until
    0.7 made it by default, and the choice (VLLM_USE_V1) was last known in 0.11.0. A newer model moves it on.
    One that no longer runs the card, the model or its quantization is none, nor one that words otherwise what was printed.
    """
    since, until = deployment.version_since, deployment.version_until
    if since is not None and until is not None and since > until:  # of several logs
        since = until = None
    if since is not None and since > LAST_WITH_A_CHOICE:
        deployment = deployment.with_(engine=None)  # there was no choice any more
    version, because = _likely(deployment)
    last = min(filter(None, (releases.last_release(deployment), methods.last_release(deployment))), default=version)
    if last < version:
        version, because = last, LAST_THAT_RUNS
    if since is not None and version < since:
        return since, f"the wording of the log is of {since} or later"
    if until is not None and version > until:
        return until, f"the wording of the log is of {until} or earlier"
    return version, because


def _likely(deployment: Deployment) -> tuple[Version, str]:
    if deployment.engine == "V0":
        return LAST_V0_BY_DEFAULT, "the last release whose default engine is V0"
    if deployment.engine is None:
        return LATEST, "the latest release; no version was stated"
    released = deployment.shape.released if deployment.shape else None
    if released is None or released[:7] < _CURRENT[0][0]:
        return LAST_WITH_A_CHOICE, "the last release that let one choose the engine, which was named"
    month = _next_month(released[:7])
    version = next((version for until, version in _CURRENT if month <= until), LATEST)
    return version, f"the engine was named; current a month after the model came out in {released[:7]}"


def _next_month(month: str) -> str:
    """Return the month after "2025-12", which is "2026-01"; anything unreadable as it is."""
    year, _, number = month.partition("-")
    if not (year.isdigit() and number.isdigit()):
        return month
    months = int(year) * 12 + int(number)
    return f"{months // 12:04d}-{months % 12 + 1:02d}"
