import pytest

from bot.reading.monitors.amounts import mib, mib_of_any_unit, whole


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("75417MiB", 75417), ("75417 MiB", 75417), ("O MiB", 0), ("8l92MlB", 8192), ("12.345 MiB", 12345),
        ("12,345 MiB", 12345), ("16901...", None), ("75417", None), ("73.6 GiB", None), ("N/A", None), ("", None),
    ],
)  # fmt: skip
def test_an_amount_in_mib_is_written_as_such(text, amount):
    assert amount == mib(text)


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("12287 MB", 12287), ("1.5 GiB", 1536), ("1048576 KiB", 1024), ("0.5GB", 512), ("2 TiB", 2097152),
        ("1,024 MiB", 1024), ("??", None), ("12", None), ("9" * 400 + " GiB", None),
    ],
)  # fmt: skip
def test_units_of_other_tools_become_mib(text, amount):
    assert amount == mib_of_any_unit(text)


@pytest.mark.parametrize("text", ["²", "1e3", "--", "1.5", "9" * 30, None])
def test_what_is_no_whole_number_is_nothing(text):
    assert None is whole(text)
