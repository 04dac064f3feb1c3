from bot.sizing.weights.tensors import Matrix, Plain, Split, count, rounded_up


def test_kv_heads_are_copied_where_there_are_fewer_than_gpus():
    assert [8, 2, 1, 1] == [Split(ranks).kv_heads(8) for ranks in (1, 4, 8, 16)]


def test_biases_are_parameters():
    assert count((Matrix(("a",), 4, 3, bias=4), Matrix(("b",), 4, 3, experts=2, bias=4), Plain(5))) == 16 + 32 + 5


def test_a_multiple_stays_and_the_rest_reaches_the_next():
    assert [0, 64, 64, 128] == [rounded_up(size, 64) for size in (0, 1, 64, 65)]
