"""A pool as each pipeline stage sees it."""

from bot.sizing.kv_cache.pool import Pool


def test_a_stage_has_its_own_bytes():
    pool = Pool((), 24, 16, (), 40, (16, 24))

    assert [16, 24] == [pool.at(stage).bytes_per_block for stage in (0, 1)]
