from bot.deployment import Manifest
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


def test_an_instruction_of_several_lines_is_one() -> None:
    found = read('ENTRYPOINT ["vllm", "serve", \\\n  "acme/m-8b", \\\n  "--max-num-seqs", "8"]')

    assert ("acme/m-8b", 8, Manifest("array", "ENTRYPOINT", is_whole=True)) == tuple(
        map(found.value, ("model", "max_num_seqs", "manifest"))
    )


def test_a_command_without_its_program_is_the_image_s() -> None:
    assert Manifest("array", "CMD") == read('CMD ["--model", "acme/m-8b"]').value("manifest")
