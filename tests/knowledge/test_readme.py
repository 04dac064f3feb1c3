"""knowledge/README.md names what there is, and its example is a problem that loads."""

import re
from pathlib import Path
from typing import get_args

import yaml

from bot.catalog import problem as schema
from bot.catalog.load import Knowledge, read_problem
from bot.catalog.places import KNOWLEDGE
from bot.diagnosis.amounts.table import AMOUNTS
from bot.facts import FACTS
from bot.proof import prove

README = (KNOWLEDGE / "README.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return README.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def table(title: str) -> dict[str, str]:
    return dict(re.findall(r"^\| `([a-z0-9_]+)` \| (.*) \|$", section(title), re.MULTILINE))


def example() -> str:
    return section("A file, shortened").partition("```yaml\n")[2].partition("```")[0]


def test_the_amounts_listed_are_the_amounts_there_are():
    assert {name: amount.meaning for name, amount in AMOUNTS.items()} == table("Amounts")


def test_the_facts_listed_are_the_facts_there_are():
    said = {name: f"{kind.label}{' (printed)' if kind.is_logged else ''}; {kind.type}" for name, kind in FACTS.items()}

    assert said == table("Facts")


def test_every_operation_of_conditions_is_explained():
    operations = get_args(schema.Test.model_fields["op"].annotation)

    assert [] == [name for name in operations if f"`{name}`" not in section("Causes and conditions")]


def test_the_conditions_shown_name_what_exists():
    shown = section("Causes and conditions").partition("```yaml\n")[2].partition("```")[0]
    names = re.findall(r"- ([a-z_]+): \{", shown)

    assert [] == [name for name in names if name not in FACTS and name not in AMOUNTS]


def test_the_example_is_a_problem_that_proves_itself(tmp_path: Path, knowledge: Knowledge):
    (tmp_path / "oom-sampler-warmup.yaml").write_text(example(), encoding="utf-8")

    problem = read_problem(tmp_path / "oom-sampler-warmup.yaml")

    assert "many-sequences" == problem.samples[0].cause
    assert () == prove(problem, knowledge)


def test_the_neighbour_to_copy_exists():
    path = re.search(r"cp (problems/\S+) ", README)

    assert path
    assert (KNOWLEDGE / path[1]).is_file()


def test_the_example_is_yaml():
    assert isinstance(yaml.safe_load(example()), dict)
