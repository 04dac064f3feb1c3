from __future__ import annotations

from typing import Any

from bot.deployment import Deployment
from bot.diagnosis.amounts.sizings import resize, size_case
from bot.diagnosis.situation import Situation
from bot.evidence import Evidence, Line
from bot.facts import Fact, Origin
from bot.sizing.terms import Measured


def a_fact(name: str, value: Any, line: int | None = None) -> dict[str, Fact]:
    return {name: Fact(name=name, value=value, origin=Origin.MEASURED, line=line)}


def test_what_was_read_outranks_what_the_catalogue_completed():
    situation = Situation(Evidence(facts=a_fact("gpu_count", 2)), Deployment(gpu_count=8))

    assert 2 == situation.stated("gpu_count")


def test_a_default_counts_as_a_fact_only_where_the_whole_command_is_known(served: Deployment):
    whole, torn = (size_case(Situation(Evidence(), each)) for each in (served, served.with_(command=None)))

    assert (256, None) == (whole.fact("max_num_seqs"), torn.fact("max_num_seqs"))


def test_of_a_changed_deployment_its_own_settings_count(served: Deployment):
    before = size_case(Situation(Evidence(facts=a_fact("max_model_len", 131_072)), served.with_(max_model_len=131_072)))

    assert 4096 == resize(before, served.with_(max_model_len=4096)).stated("max_model_len")


def test_what_the_log_printed_of_the_old_one_counts_no_more(served: Deployment):
    evidence = Evidence(facts=a_fact("kv_tokens", 50_000))
    before = size_case(Situation(evidence, served, measured=Measured(kv_tokens=50_000)))

    assert 50_000 == before.stated("kv_tokens")
    assert resize(before, served.with_(tensor_parallel=2)).stated("kv_tokens") is None


def test_lines_are_told_once_and_in_order():
    lines = (Line(number=1, text="a"), Line(number=2, text="b"))
    situation = Situation(Evidence(lines=lines), Deployment())

    assert ["a", "b"] == [line.text for line in situation.lines_at([2, None, 1, 2, 9])]


def test_the_lines_of_facts_are_where_they_were_read():
    evidence = Evidence(facts=a_fact("free", 1, line=2), lines=(Line(number=2, text="free"),))

    assert ["free"] == [line.text for line in Situation(evidence, Deployment()).lines_of(["free", "total"])]
