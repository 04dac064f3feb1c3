from bot.reading.pairs import read_pairs


def test_values_end_at_their_own_comma_or_bracket() -> None:
    text = "model='x, y', dtype=torch.float16, limits={'image': [1, 2]}, size=3)"

    assert [("model", "'x, y'"), ("dtype", "torch.float16"), ("limits", "{'image': [1, 2]}"), ("size", "3")] == list(
        read_pairs(text)
    )


def test_a_value_that_is_cut_off_is_left_out() -> None:
    assert [("model", "'m'")] == list(read_pairs("'model': 'm', 'max_model_len': 13"))
