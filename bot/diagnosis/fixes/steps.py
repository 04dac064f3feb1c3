"""The commands of a fix or a diagnostic, with this case's model, figures and program in them."""

from __future__ import annotations

import re
import shlex
from typing import Any

from bot.catalog.problem import Fix
from bot.diagnosis.amounts.processes import other_process_pids, stale_process_pids
from bot.diagnosis.causes import PLACEHOLDER, say, show
from bot.diagnosis.conditions import value_of
from bot.diagnosis.fixes.fresh import serving
from bot.diagnosis.fixes.rerun import with_settings
from bot.diagnosis.situation import Situation
from bot.units import Bytes

# Where a command of the knowledge names the model: to serve, to read from the hub.
_MODEL = re.compile(r"(?:(?<=serve )|(?<=--model )|(?<=hf download )|(?<=huggingface\.co/))(?:ORG/)?MODEL\b")
_SERVE = re.compile(r"\bvllm serve (?=(?!-)\S)")
_PID = re.compile(r"\bPID\b")


def fill_in_steps(fix: Fix, situation: Situation) -> tuple[tuple[str, str, str | None], ...]:
    """Return the steps of a fix, ready to copy; one whose figures are unknown is left out where others remain."""
    filled = [(fill_in(step.run, situation), step) for step in fix.steps]
    known = [(run, step) for run, step in filled if run] or [(step.run, step) for step in fix.steps]
    return tuple((run, say(step.read, situation), step.risk) for run, step in known)


def fill_in(run: str, situation: Situation) -> str:
    """Return a command with its amounts, the model and the one PID in question; nothing when an amount is unknown."""
    said = with_settings(_with_figures(run, situation), situation.deployment)
    model = situation.deployment.model
    if model:
        said = _MODEL.sub(lambda _: shlex.quote(model), said)
    said = _SERVE.sub(_program(situation), said)
    pids = stale_process_pids(situation) or other_process_pids(situation) or ()
    return _PID.sub(str(pids[0]), said) if len(pids) == 1 else said


def _with_figures(run: str, situation: Situation) -> str:
    """Return a command with its amounts as a command line has them: 8192 and not 8,192."""
    values = {name: value_of(name, situation).value for name in PLACEHOLDER.findall(run)}
    plain = {name: str(value) if _is_count(value) else show(value) for name, value in values.items()}
    return "" if "" in plain.values() else PLACEHOLDER.sub(lambda found: plain[found[1]], run)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, (bool, Bytes))


def _program(situation: Situation) -> str:
    """Return what starts a server in this version, up to its model."""
    return " ".join(serving("", situation.deployment.vllm_version))
