from bot.reading.read import read


def test_the_command_of_an_image_is_a_launch() -> None:
    evidence = read(
        'FROM vllm/vllm-openai:v0.6.3\nENV VLLM_USE_V1=0\nCMD ["--model", "acme/model-7b", "--tensor-parallel-size", "2"]'
    )

    assert (
        str(evidence.value("vllm_version")),
        evidence.value("engine"),
        evidence.value("model"),
        evidence.value("tensor_parallel"),
    ) == ("0.6.3", "V0", "acme/model-7b", 2)
