"""What-if tables on a phone."""

from __future__ import annotations

from bot.deployment import Deployment
from bot.reply.block_tables import PHONE
from bot.reply.columns import rows as in_columns
from bot.reply.document import Bullets, Details, Document, Table
from bot.reply.narrow_sweep import compose_narrow_sweep
from bot.sizing.sweep import SweepRow
from bot.units import Bytes

FITS = SweepRow({"max_model_len": 8192}, True, Bytes.gib(12.5), 81_920, 10.0, 40_960)
REFUSED = SweepRow({"max_model_len": 99_999}, False, because="it was made for 40,960 tokens. Ask for fewer " + "x" * 90)


def tables(document: Document) -> list[Table]:
    details = next(part for part in document.parts if isinstance(part, Details))
    return [part for part in (*document.parts, *details.parts) if isinstance(part, Table)]


def test_it_shows_whether_it_fits_and_how_many_requests():
    table, *_ = tables(compose_narrow_sweep(Deployment(), [FITS, REFUSED]))

    assert ("context", "fits", "requests") == table.headers
    assert [("8,192", "yes", "10.0"), ("99,999", "no", "")] == list(table.rows)


def test_no_row_of_two_settings_wraps():
    settings = {"max_model_len": 1_048_576, "kv_cache_dtype": "auto"}
    row = SweepRow(settings, True, Bytes.gib(120), 9_999_999, 900, 1_048_576)

    assert PHONE >= max(
        len(line) for table in tables(compose_narrow_sweep(Deployment(), [row])) for line in in_columns(table)
    )


def test_the_other_figures_and_whole_reasons_are_details():
    *_, details = compose_narrow_sweep(Deployment(), [FITS, REFUSED]).parts
    memory, longest, why = details.parts

    assert [("8,192", "12.50", "81,920")] == list(memory.rows)
    assert [("8,192", "40,960")] == list(longest.rows)
    assert f"context 99,999: {REFUSED.because}" == "".join(span.text for span in why.items[0].spans)


def test_where_nothing_can_be_sized_reasons_are_all_there_is():
    *_, details = compose_narrow_sweep(Deployment(), [REFUSED]).parts

    assert [Bullets] == [type(part) for part in details.parts]


def test_models_and_cards_are_said_shortly():
    row = FITS._replace(settings={"model": "acme/Parrot-7B", "gpu": "NVIDIA L4"})
    table, *_ = tables(compose_narrow_sweep(Deployment(), [row]))

    assert ("Parrot-7B", "L4", "yes", "10.0") == table.rows[0]
