"""A deployment and what else the evidence tells of it."""

from __future__ import annotations

import pytest
from packaging.version import Version

from bot.deployment import Deployment
from bot.diagnosis.completion import (
    hides_flags,
    lists_its_flags,
    release_in,
    say_cut_list,
    say_release,
    visible_devices,
    with_evidence,
)
from bot.reading.read import read
from tests.diagnosis.makers import evidence_of


def test_a_captured_fact_completes_the_deployment():
    assert 5 == with_evidence(Deployment(), evidence_of(max_model_len=5)).max_model_len


def test_a_stated_field_stays():
    assert 7 == with_evidence(Deployment(max_model_len=7), evidence_of(max_model_len=5)).max_model_len


@pytest.mark.parametrize(
    ("devices", "count"), [("0", 1), ("0,1,3", 3), ("GPU-1a,GPU-2b", 2), ("", None), ("-1", None), ("all", None)]
)
def test_named_devices_are_the_gpus_there_are(devices: str, count: int | None):
    deployment = Deployment(environment=(("CUDA_VISIBLE_DEVICES", devices),))

    assert count == visible_devices(deployment)
    assert count == with_evidence(deployment, evidence_of()).gpu_count


def test_a_stated_count_goes_before_the_devices():
    deployment = Deployment(gpu_count=4, environment=(("CUDA_VISIBLE_DEVICES", "0"),))

    assert 4 == with_evidence(deployment, evidence_of()).gpu_count


@pytest.mark.parametrize(
    ("since", "until", "release"),
    [
        ("0.9.2", "0.9.2", "0.9.2"),
        ("0.8.5", "0.8.5.post1", "0.8.5"),
        ("0.8.3", "0.8.4", None),
        ("0.9.1", None, None),
        (None, "0.7.3", None),
    ],
)
def test_lines_that_leave_one_release_tell_the_version(since: str | None, until: str | None, release: str | None):
    bounds = {"version_since": since and Version(since), "version_until": until and Version(until)}
    evidence = evidence_of(**{name: version for name, version in bounds.items() if version})

    assert (release and Version(release)) == release_in(evidence)
    assert (release and Version(release)) == with_evidence(Deployment(), evidence).vllm_version
    assert bool(release) == bool([*say_release(evidence)])


def test_a_version_that_somebody_tells_goes_before_its_lines():
    told = Version("0.14.0rc2")
    evidence = evidence_of(vllm_version=told, version_since=Version("0.15.0"), version_until=Version("0.15.0"))

    assert (None, []) == (release_in(evidence), [*say_release(evidence)])
    assert told == with_evidence(Deployment(), evidence).vllm_version


def test_a_command_and_a_whole_list_show_every_flag():
    listed = read("INFO 05-01 10:00:00 [utils.py:1] non-default args: {'model': 'acme/m-7b', 'max_num_seqs': 8}")

    assert lists_its_flags(Deployment(), listed)
    assert lists_its_flags(Deployment(launcher="serve"), evidence_of())
    assert not lists_its_flags(Deployment(), evidence_of())


WHOLE = "INFO 05-01 10:00:00 [utils.py:1] non-default args: {'model': 'acme/m-7b', 'max_num_seqs': 8}"
CUT = WHOLE.removesuffix("8}")


@pytest.mark.parametrize(("text", "hides"), [(CUT, True), (f"{CUT}\n{WHOLE}", False), (WHOLE, False), ("hello", False)])
def test_a_list_that_breaks_off_hides_flags_unless_another_shows_them(text: str, hides: bool):
    evidence = read(f"hello\n{text}")

    assert hides == hides_flags(Deployment(), evidence)
    assert not hides_flags(Deployment(launcher="serve"), evidence)
    assert hides == ("The list of arguments in line 2 breaks off" in " ".join(say_cut_list(Deployment(), evidence)))
