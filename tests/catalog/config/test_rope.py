from bot.catalog.config.rope import rope_of
from bot.catalog.config.text import Settings


def rope(**config):
    return rope_of(Settings(config), 128)


def test_old_and_new_names_of_scaling_are_one():
    old, new = (
        rope(rope_scaling={"type": "yarn", "factor": 4}),
        rope(rope_parameters={"rope_type": "yarn", "factor": 4}),
    )

    assert (old.kind, old.factor) == (new.kind, new.factor) == ("yarn", 4)


def test_sections_mark_multimodal_positions():
    assert "mrope" == rope(rope_scaling={"type": "default", "mrope_section": [16, 24, 24]}).kind


def test_a_base_of_their_own_gives_sliding_layers_a_table():
    assert rope(rope_local_base_freq=10000.0).has_local_table


def test_part_of_a_head_may_be_rotated():
    assert rope(partial_rotary_factor=0.5).rotary_share == rope(rotary_dim=64).rotary_share == 0.5


def test_learned_positions_need_no_table():
    assert "none" == rope(model_type="gpt2").kind


def test_an_index_rotates_apart_unless_told_otherwise():
    facts = {"index_head_dim": 128, "kv_lora_rank": 512}

    assert (True, False) == (rope(**facts).has_index_table, rope(**facts, indexer_rope_interleave=True).has_index_table)
