from __future__ import annotations

import pytest
from pydantic import ValidationError

from bot.deployment import Deployment, read_version


def test_a_deployment_starts_with_everything_unknown():
    assert "max_model_len" in Deployment().unknown


def test_a_patch_makes_a_new_deployment_and_leaves_the_old_one():
    before = Deployment(model="org/m", max_model_len=131_072)

    after = before.with_(max_model_len=32_768)

    assert (131_072, 32_768, "org/m") == (before.max_model_len, after.max_model_len, after.model)


def test_a_patch_and_its_reverse_give_the_same_deployment():
    before = Deployment(model="org/m", tensor_parallel=1)

    assert before == before.with_(tensor_parallel=4).with_(tensor_parallel=1)


def test_a_field_nobody_knows_is_refused():
    with pytest.raises(ValidationError, match="max_len"):
        Deployment().with_(max_len=1)


def test_versions_compare_as_releases_do():
    assert read_version("v0.8.5.post1") > read_version("0.8.5")
    assert read_version("0.10.2") > read_version("0.9.1")


def test_a_version_that_is_none_says_how_to_write_one():
    with pytest.raises(ValueError, match=r"write it like 0\.11\.0"):
        read_version("latest")
