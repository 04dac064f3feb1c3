"""Commands of the knowledge, with this case in them."""

from __future__ import annotations

import pytest

from bot.catalog.problem import Fix
from bot.deployment import Deployment, read_version
from bot.diagnosis.fixes.steps import fill_in, fill_in_steps
from tests.diagnosis.makers import a_situation


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("0.4.2", "A=1 python -m vllm.entrypoints.openai.api_server --model org/m --x 1"),
        ("0.19.0", "A=1 vllm serve org/m --x 1"),
    ],
)
def test_a_step_starts_the_server_as_the_version_does(version: str, expected: str):
    case = a_situation(Deployment(model="org/m", vllm_version=read_version(version)))

    assert expected == fill_in("A=1 vllm serve MODEL --x 1", case)


def test_a_figure_in_a_command_has_no_marks():
    assert "vllm serve MODEL --max-model-len 30000" == fill_in(
        "vllm serve MODEL --max-model-len {max_model_len}", a_situation(max_model_len=30_000)
    )


def test_a_step_whose_figures_are_unknown_is_left_out_where_others_remain():
    fix = Fix.model_validate(
        {"id": "f", "title": "f", "steps": [{"run": "x {max_model_len}", "read": "-"}, {"run": "y", "read": "-"}]}
    )

    assert ["y"] == [run for run, _, _ in fill_in_steps(fix, a_situation())]
    assert ["x 8", "y"] == [run for run, _, _ in fill_in_steps(fix, a_situation(max_model_len=8))]
