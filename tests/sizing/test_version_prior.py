"""The version of a deployment that states none."""

import pytest

from bot.deployment import Deployment
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

    assert str(likely_version(Deployment(shape=shape, engine="V1"))[0]) == "0.33.0"
