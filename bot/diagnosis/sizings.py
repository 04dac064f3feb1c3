"""What sizing says about a case, as values: what it lacks is a list of facts, never an exception."""

from __future__ import annotations

from dataclasses import replace

from bot.deployment import Deployment
from bot.diagnosis.situation import Situation
from bot.sizing.terms import Budget, Measured


def measure(situation: Situation) -> Measured:
    """Return the figures that the paste measured."""
    return situation.measured


def longest_context(situation: Situation, deployment: Deployment) -> int | None:
    """Return the longest context that a deployment holds."""
    return None


def most_sequences(situation: Situation, deployment: Deployment) -> int | None:
    """Return the most sequences of max_model_len that fit at once."""
    return None


def fewest_gpus(situation: Situation, deployment: Deployment) -> int | None:
    """Return the smallest tensor parallel size that fits and divides."""
    return None


def lowest_utilization(situation: Situation, deployment: Deployment) -> float | None:
    """Return the lowest utilization that holds one request."""
    return None


def default_sequences(deployment: Deployment) -> int | None:
    """Return max_num_seqs as vLLM sets it when nobody does."""
    return None


def size_case(situation: Situation) -> Situation:
    """Return the situation with its budget, or with the facts that sizing lacks."""
    return replace(situation, budget=None)


def size_again(deployment: Deployment, measured: Measured) -> Budget | None:
    """Return the budget of a changed deployment; None when it cannot be sized."""
    return None
