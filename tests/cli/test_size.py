"""`vllm-triage size` answers whatever it is told."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from bot.cli.main import program

CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 2048,
    "intermediate_size": 8192,
    "num_hidden_layers": 16,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 32000,
    "max_position_embeddings": 16384,
    "torch_dtype": "bfloat16",
}


def run(*arguments: str, stdin: str | None = None):
    done = CliRunner().invoke(program, ["size", *arguments], input=stdin, catch_exceptions=False)
    assert done.exit_code in {0, 3, 4}, done.output
    return done


def sized(text: str, *arguments: str) -> dict:
    return json.loads(run(text, "--json", *arguments).stdout)


def said(answer: dict) -> str:
    """All sentences that tell what is wrong."""
    refusals = [refusal["message"] for refusal in answer["refusals"]]
    return "\n".join([*refusals, *answer["unused"], *(question["text"] for question in answer["questions"])])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("qwen3-14b on 4xL40S --tensor-parallel-size 3", "(40) must be divisible by tensor parallel size (3)"),
        ("llama-3.1-8b on H100 --max-model-len 500k", "was made for 131,072 tokens"),
        ("llama-3.1-8b on T4 --kv-cache-dtype fp8", "FP8 KV cache is not supported on Tesla T4"),
        ("qwen3-14b on L40S --kv-cache-dtype fp9", "fp9 is none that vLLM has"),
        ("llama-3.1-8b on GTX 1080 Ti", "has compute capability 6.1; vLLM's builds need 7.0"),
        ("qwen3-14b on L40S --max-model-len 0", "max_model_len is 0; it must be at least 1"),
        ("qwen3-14b on L40S --max-num-seqs -4", "max_num_seqs is -4; it must be at least 1"),
        ("qwen3-14b on 0xL40S", "gpu_count is 0; it must be at least 1"),
        ("qwen3-14b on 1000000 L40S", "gpu_count is 1,000,000; no deployment has more than 65,536"),
        ("qwen3-14b on 1.5 L40S", "write a whole number of cards"),
        ("qwen3-14b on -3 L40S", "gpu_count is -3; it must be at least 1"),
        ("qwen3-14b on L40S --max-num-seqs 999999999999", "no deployment has more than 1,000,000"),
        ("qwen3-14b on L40S --max-model-len 1e12", "no deployment has more than 100,000,000"),
        ("qwen3-14b on L40S --max-model-len lots", "'lots' is no whole number; write it like 32768 or 32K"),
        ("qwen3-14b on L40S --max-modle-len 32k", "I read it as --max-model-len"),
        ("qwen3-14b on L40S frobnicate", "I made nothing of 'frobnicate'."),
        ("gibberish", "I made nothing of 'gibberish'."),
        ("llama-3.1-8b on FOO9000", "I do not know the GPU 'FOO9000'; name it as `nvidia-smi -L` does"),
        ("llama-3.1-8b on RTX 4900", "I do not know the GPU 'RTX 4900'; did you mean GeForce RTX 4090"),
        ("parrot-7b on L4", "I do not know the model 'parrot-7b'. Give me its config.json"),
        ("on 2xL4 with 8k context", "Which model do you serve?"),
        ("llama-3.1-8b", "Which GPU is it?"),
    ],
)
def test_bad_input_is_answered(text, sentence):
    assert sentence in said(sized(text))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("qwen3-14b on L40S", 0),
        ("llama-3.3-70b on L4", 3),
        ("qwen3-14b on 4xL40S --tensor-parallel-size 3", 3),
        ("qwen3-14b", 4),
        ("parrot-7b on L4", 4),
        ("qwen3-14b on L40S --tensor-parallel-size abc", 4),
        ("qwen3-14b on L40S --sweep max_model_len=8K,1M", 0),
        ("llama-3.3-70b on L4 --sweep max_model_len=8K,16K", 3),
        ("llama-3.3-70b --sweep max_model_len=8K,16K", 4),
    ],
)
@pytest.mark.parametrize("look", [(), ("--json",), ("--markdown",)])
def test_a_script_tells_by_the_exit_code_whether_it_fits(text, code, look):
    assert code == run(*text.split(" "), *look).exit_code


def test_a_script_whose_description_is_empty_does_not_go_on():
    assert 4 == run().exit_code


def test_what_a_question_says_is_said_once():
    assert 1 == " ".join(run("parrot-7b on L4").output.split()).count("I do not know the model 'parrot-7b'.")


@pytest.mark.parametrize("share", ["1e-300", "nan", "inf", "1e400", "-0", "0,5", "many", "x" * 100_000])
def test_a_share_that_cannot_be_is_one_sentence(share):
    done = CliRunner().invoke(program, ["size", "qwen3-14b on L40S", "--active-share", share], catch_exceptions=False)

    assert 2 == done.exit_code
    assert "give a share from 0.0001 to 1, such as 0.1 or 10%" in " ".join(done.stderr.split())
    assert len(done.stderr) < 400


def test_a_name_of_several_models_is_a_question_with_the_candidates():
    (question,) = sized("mixtral on H100")["questions"]

    assert "Which model is “mixtral”?" == question["text"]
    assert "mistralai/Mixtral-8x7B-Instruct-v0.1" in question["choices"]


@pytest.mark.parametrize("amount", ["80GB", "80 GiB", "80GiB"])
def test_memory_alone_is_binary_and_says_so(amount):
    answer = sized(f"llama-3.1-8b on a GPU with {amount}")

    assert 80 == answer["budget"]["total_gib"]
    assert "I took the card for one of 80 GiB" in said(answer)


def test_the_gigabytes_in_a_cards_name_choose_the_card():
    assert 39.49 == sized("llama-3.1-8b on A100 40GB")["budget"]["total_gib"]


def test_what_is_refused_is_not_offered_as_a_command():
    assert "Start it" not in run("qwen3-14b on 4xL40S --tensor-parallel-size 3").stdout


def test_what_was_understood_needs_no_remark():
    assert [] == sized("could you size qwen2.5 7b with 8k context on 2 L4s please, vllm 0.11")["unused"]


def test_an_instance_is_its_gpus():
    facts = sized("qwen3-14b on g6.12xlarge")["facts"]

    assert 4 == facts["gpu_count"]


def test_several_instances_are_all_their_gpus():
    assert 8 == sized("qwen3-14b on 2x g6.12xlarge")["facts"]["gpu_count"]


@pytest.mark.parametrize(
    "secret",
    [
        "HF_TOKEN=hf_{}",
        "hf_{}",
        "args: Namespace(api_key=['{}'])",
        "--api-key {}",
        "https://me:{}@hub.example",
        "hf_\x1b[0m{}",
    ],
)
def test_what_is_made_nothing_of_is_no_secret(secret):
    letters = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z"

    said = run("qwen3-8b on L4 " + secret.format(letters))

    assert letters not in said.stdout + said.stderr


def test_a_slice_is_sized_as_a_slice_and_never_joined():
    answer = sized("qwen3-8b on H100 MIG 1g.10gb")

    assert 9.75 == answer["budget"]["total_gib"]
    assert not [fix for fix in answer["fixes"] if fix["set"].keys() & {"tensor_parallel", "pipeline_parallel"}]


def test_slices_that_are_to_be_joined_are_sized_one_by_one_instead():
    answer = sized("qwen3-8b on H100 MIG 2g.20gb -tp 2")

    assert ["mig-device"] == [refusal["problem"] for refusal in answer["refusals"]]
    assert [1] == [fix["set"].get("tensor_parallel") for fix in answer["fixes"]][:1]


@pytest.mark.parametrize(
    "text", ["qwen3-14b", "qwen3-14b on A100", "vllm serve Qwen/Qwen3-14B --gpu-memory-utilization 0.8"]
)
def test_a_card_may_be_named_beside_the_description(text):
    answer = sized(text, "--gpu", "2xL40S")

    assert 2 == answer["facts"]["gpu_count"]
    assert 45 > answer["budget"]["total_gib"] > 44
    assert [] == answer["unused"]


def test_a_card_that_nobody_knows_is_named():
    assert "'parrot'" in said(sized("qwen3-14b", "--gpu", "parrot"))


def test_a_card_may_be_named_beside_a_config(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(CONFIG))

    assert sized("", "--config", str(path), "--gpu", "L4") == sized("on L4", "--config", str(path))


def test_a_config_file_is_a_model(tmp_path):
    path = tmp_path / "parrot-1b" / "config.json"
    path.parent.mkdir()
    path.write_text(json.dumps(CONFIG))

    answer = sized("on L4", "--config", str(path))
    assert 2 * 16 * 2 * 8 * 64 == answer["budget"]["kv_bytes_per_token"]
    assert "parrot-1b" == answer["facts"]["model"]
    assert "me/mine-1b" == sized("me/mine-1b on L4", "--config", str(path))["facts"]["model"]


def test_the_file_of_modelopt_beside_it_counts(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    plain = sized("on L4", "--config", str(tmp_path / "config.json"))["budget"]["weights_gib"]
    (tmp_path / "hf_quant_config.json").write_text('{"quantization": {"quant_algo": "FP8"}}')

    assert sized("on L4", "--config", str(tmp_path / "config.json"))["budget"]["weights_gib"] < 0.7 * plain


def test_a_pasted_config_is_a_model():
    answer = sized(f"on one L4\n{json.dumps(CONFIG, indent=1)}")

    assert 32768 == answer["budget"]["kv_bytes_per_token"]


def test_a_file_that_is_no_config_is_one_sentence(tmp_path):
    path = tmp_path / "config.json"
    path.write_text("[1, 2]")
    done = CliRunner().invoke(program, ["size", "on L4", "--config", str(path)])

    assert 1 == done.exit_code
    assert "holds no JSON object" in done.output


def test_a_config_of_something_else_is_one_sentence(tmp_path):
    path = tmp_path / "config.json"
    path.write_text('{"model_type": "vae", "scale": [1]}')

    assert "The config.json cannot be used" in said(sized("on L4", "--config", str(path)))


def test_lines_of_json_are_answered_line_by_line():
    lines = [
        {"id": 1, "facts": {"model": "meta-llama/Llama-3.1-8B", "gpu": "L4", "max_model_len": 4096}},
        {"id": 2, "text": "llama-3.1-8b on L4 with 4k context"},
        {"id": 3, "facts": {"gpu": "L4"}, "config": CONFIG},
    ]
    done = run("--jsonl", stdin="\n".join(map(json.dumps, lines)) + "\nnonsense\n")

    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [1, 2, 3, None] == [answer["id"] for answer in answers]
    assert answers[0]["budget"]["weights_gib"] == answers[1]["budget"]["weights_gib"]
    assert 32768 == answers[2]["budget"]["kv_bytes_per_token"]
    assert "line 4 is no JSON" in answers[3]["error"]


def test_a_line_without_facts_is_answered_and_odd_ones_are_named():
    lines = ['{"id": 1, "text": "llama-3.1-8b on L4", "facts": null}', '{"id": 2, "config": []}', "[" * 100_000]
    answers = [json.loads(line) for line in run("--jsonl", stdin="\n".join(lines)).stdout.splitlines()]

    assert [1, 2, None] == [answer["id"] for answer in answers]
    assert "error" not in answers[0]
    assert "nests too deep" in answers[2]["error"]


def test_a_config_that_is_no_object_is_named():
    (line,) = run("--jsonl", stdin='{"id": 2, "config": "config.json"}').stdout.splitlines()

    assert {"id": 2, "error": 'line 1: wanted an object in "config", such as a model\'s own config.json'} == json.loads(
        line
    )


def test_flags_of_vllm_need_no_quotes():
    apart = json.loads(run("llama-3.1-8b", "on", "L4", "--max-model-len", "32K", "--json").stdout)

    assert 32_768 == apart["facts"]["max_model_len"]


@pytest.mark.parametrize(("length", "tokens"), [("32k", 32_000), ("32K", 32_768), ("32Ki", 32_768)])
def test_a_length_reads_alike_as_a_flag_and_in_a_sweep(length: str, tokens: int):
    flag = sized(f"llama-3.1-8b on H100 --max-model-len {length}")["facts"]["max_model_len"]
    swept = json.loads(run("llama-3.1-8b on H100", "--sweep", f"max_model_len={length}", "--json").stdout)

    assert [tokens, tokens] == [flag, swept["rows"][0]["set"]["max_model_len"]]


def test_what_vllm_refuses_has_no_budget():
    shown = run("llama-3.1-8b on L4 --gpu-memory-utilization 1.5").stdout

    assert "above 0 and at most 1" in shown
    assert "allowance" not in shown


def test_a_model_of_two_words_starts_nothing():
    shown = run("phi-4 awq on 4090").stdout

    assert "weights" in shown
    assert "vllm serve" not in shown
