"""Which engine and accounting a version has."""

import pytest
from packaging.version import Version

from bot.sizing.eras import engine_of, era_of, is_untagged, release_of


@pytest.mark.parametrize(
    ("version", "engine", "era"),
    [
        ("0.6.3.post1", None, "A"),
        ("0.6.4.post1", None, "B"),
        ("0.7.3", None, "C"),
        ("0.10.2", "V0", "C"),
        ("0.7.0", "V1", "D"),
        ("0.9.0.1", None, "D"),
        ("0.9.1", None, "E"),
        ("0.11.0", None, "F"),
        ("0.17.1", None, "F"),
        ("0.18.0", None, "G"),
        ("0.20.0", None, "H"),
        ("0.27.0", None, "I"),
        ("0.33.0", None, "I"),
    ],
)
def test_every_release_has_its_era(version, engine, era):
    assert era == era_of(release_of(Version(version)), engine).name


def test_a_build_between_releases_counts_as_the_release_it_leads_to():
    assert (0, 26, 1) == release_of(Version("0.26.1rc1.dev457+gc810e5ee9"))


def test_v1_is_the_only_engine_from_0_11_on_whatever_the_flag_says():
    assert "V1" == engine_of((0, 11), use_v1=False)


def test_a_flag_chooses_the_engine_before_0_11():
    assert "V0" == engine_of((0, 10, 2), use_v1=False)


@pytest.mark.parametrize(("release", "engine"), [((0, 6, 4), "V0"), ((0, 9, 0, 1), "V1")])
def test_some_versions_charge_what_neighbours_hold(release, engine):
    assert era_of(release, engine).charges_neighbours


@pytest.mark.parametrize("release", [(0, 9, 1), (0, 19, 0), (0, 33, 0)])
def test_later_versions_only_check_that_enough_is_free(release):
    assert (False, True) == (era_of(release).charges_neighbours, era_of(release).checks_free_memory)


@pytest.mark.parametrize("engine", ["V0", "V1"])
def test_a_release_beyond_all_others_counts_as_the_newest_does(engine):
    assert era_of((998,), engine) == era_of((10**400,), engine)


@pytest.mark.parametrize(
    ("version", "expected"),
    [("0.1.dev1+g1a2b3c4", True), ("0.1.7", False), ("0.1.dev1", False), ("0.20.1rc1.dev16+g7a1eb8ac2", False)],
)
def test_a_build_from_a_clone_without_tags_has_no_release(version, expected):
    assert is_untagged(Version(version)) is expected
