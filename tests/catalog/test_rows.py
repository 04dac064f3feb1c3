import pytest

from bot.catalog.index import index
from bot.catalog.rows import read_row

ROW = {"id": "a/b", "layers": 7, "hidden": 64, "vocab": 100, "heads": 4, "kv_heads": 2, "head_dim": 16}


def test_all_layers_are_alike_unless_a_pattern_says_otherwise():
    run = read_row(ROW).runs[0]

    assert (7, "full", 2) == (run.count, run.layer.kind, run.layer.kv_heads)


def test_a_pattern_repeats_until_the_layers_are_reached():
    shape = read_row({**ROW, "pattern": ["2 sliding", "full"], "kinds": {"sliding": {"window": 8}}})

    assert [(2, 8), (1, None), (2, 8), (1, None), (1, 8)] == [(run.count, run.layer.window) for run in shape.runs]


def test_a_kind_may_have_heads_of_its_own():
    shape = read_row({**ROW, "pattern": ["full.2"], "kinds": {"full.2": {"kv_heads": 1}}})

    assert 1 == shape.runs[0].layer.kv_heads


def test_a_layer_that_is_none_is_named():
    with pytest.raises(ValueError, match="5  sliding"):
        read_row({**ROW, "pattern": ["5  sliding"]})


def test_every_row_reads_and_has_a_name_of_its_own():
    heads = index().heads

    assert 2000 < len(heads) == len({head.id for head in heads})
