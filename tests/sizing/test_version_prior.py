"""The version of a deployment that states none."""

import pytest
from packaging.version import Version

from bot.deployment import Deployment, Gpu
from bot.model_shape import Quantization
from bot.sizing.eras import LATEST
from bot.sizing.version_prior import likely_version


@pytest.mark.parametrize(
    ("engine", "released", "version"),
    [
        (None, "2025-04-27", "0.33.0"),
        ("V0", "2025-04-27", "0.7.3"),
        ("V1", None, "0.11.0"),
        ("V1", "2025-04-27", "0.11.0"),
        ("V1", "2025-12-24", "0.14.0"),
        ("V1", "2026-03-12", "0.19.0"),
        ("V1", "2026-08-25", "0.33.0"),
    ],
)
def test_an_engine_that_was_named_dates_the_version(llama_8b, engine, released, version):
    shape = llama_8b.model_copy(update={"released": released})

    assert str(likely_version(Deployment(shape=shape, engine=engine))[0]) == version


def test_an_unreadable_date_harms_nothing(llama_8b):
    shape = llama_8b.model_copy(update={"released": "summer"})

    assert "0.33.0" == str(likely_version(Deployment(shape=shape, engine="V1"))[0])


def test_the_wording_of_a_log_bounds_the_version_from_above():
    version, because = likely_version(Deployment(version_until="0.27.1"))

    assert (Version("0.27.1"), "the wording of the log is of 0.27.1 or earlier") == (version, because)


def test_the_wording_of_a_log_bounds_the_version_from_below():
    assert Version("0.9.1") == likely_version(Deployment(engine="V0", version_since="0.9.1"))[0]


def test_an_engine_says_nothing_where_the_wording_is_of_releases_with_one_engine():
    assert LATEST == likely_version(Deployment(engine="V1", version_since="0.28.0"))[0]


def test_bounds_that_exclude_each_other_bound_nothing():
    assert LATEST == likely_version(Deployment(version_since="0.28.0", version_until="0.10.2"))[0]


def test_a_version_that_no_longer_runs_the_card_is_not_assumed():
    volta = Gpu(name="Card", compute_capability=7.0)

    assert Version("0.19.1") == likely_version(Deployment(card=volta))[0]


def test_a_version_that_no_longer_loads_the_checkpoint_is_not_assumed(llama_8b):
    shape = llama_8b.model_copy(update={"quantization": Quantization(method="gguf")})
    version, because = likely_version(Deployment(shape=shape))

    assert Version("0.23.0") == version
    assert because.startswith("the last release that runs this card, this model and its quantization")
