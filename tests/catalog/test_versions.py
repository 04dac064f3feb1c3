from __future__ import annotations

import pytest
from packaging.version import Version
from pydantic import ValidationError

from bot.catalog.versions import Versions


@pytest.mark.parametrize(
    ("version", "included"), [("0.8.4", False), ("0.8.5", True), ("0.10.0", True), ("0.10.1", False)]
)
def test_both_ends_of_a_range_are_included(version: str, included: bool):
    assert included is Versions(since="0.8.5", until="0.10.0").include(Version(version))


def test_an_unknown_version_is_in_an_open_range_and_unsure_in_another():
    assert (True, None) == (Versions().include(None), Versions(since="0.8.5").include(None))


def test_a_range_cannot_end_before_it_begins():
    with pytest.raises(ValidationError, match=r"begins with 0\.9, after its end 0\.8"):
        Versions(since="0.9", until="0.8")


def test_two_ranges_of_versions_share_what_is_in_both():
    early, late, middle = (
        Versions.model_validate(each)
        for each in ({"until": "0.10.2"}, {"since": "0.20.0"}, {"since": "0.8.0", "until": "0.30.0"})
    )

    assert Versions.model_validate({"since": "0.8.0", "until": "0.10.2"}) == early.shared_with(middle)
    assert Versions.model_validate({"since": "0.20.0", "until": "0.30.0"}) == middle.shared_with(late)
    assert early.shared_with(late) is None
