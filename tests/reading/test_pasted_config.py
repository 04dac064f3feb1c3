from bot.reading.read import read


def test_a_configuration_is_kept_for_the_catalogue() -> None:
    evidence = read(
        'here it is:\n{\n "architectures": ["AcmeForCausalLM"],\n "hidden_size": 4096,\n "num_hidden_layers": 32\n}\nthanks'
    )

    assert {"architectures": ["AcmeForCausalLM"], "hidden_size": 4096, "num_hidden_layers": 32} == evidence.config


def test_a_torn_configuration_gives_single_values_and_says_so() -> None:
    evidence = read('"hidden_size": 4096,\n "num_hidden_layers": 32,\n "num_attention_he')

    assert (evidence.config, len(evidence.unfinished)) == ({"hidden_size": 4096, "num_hidden_layers": 32}, 1)


def test_other_json_is_no_configuration() -> None:
    assert read('{"architectures": "x86", "num_hidden_layers": null}').config is None
