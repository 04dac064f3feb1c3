from bot.catalog.gpu_rows import cards, instances, squeeze, squeeze_whole


def test_makers_and_memory_do_not_tell_cards_apart():
    assert squeeze("NVIDIA GeForce RTX 4060 Ti 16GB") == squeeze("rtx 4060ti")


def test_memory_may_stay_in_a_name():
    assert "a10080gb" == squeeze_whole("A100 80GB")


def test_torch_never_sees_more_than_the_card_has():
    assert [] == [row.card.name for row in cards() if (row.card.torch_memory or 0) > (row.card.memory or 2**60)]


def test_every_slice_names_its_card():
    assert all(row.parent for row in cards() if row.mig)


def test_a_fraction_of_a_card_counts_as_one():
    assert 1 == min(machine.gpus for machine in instances().values())
