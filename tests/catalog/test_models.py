import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.catalog.index import index
from bot.catalog.models import find_model, is_whole_name


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("meta-llama/llama-3.1-8b-instruct", "meta-llama/Llama-3.1-8B-Instruct"),
        ("meta-llama/Meta-Llama-3.1-8B-Instruct", "meta-llama/Llama-3.1-8B-Instruct"),
        ("LLM-Research/Meta-Llama-3.1-8B-Instruct", "meta-llama/Llama-3.1-8B-Instruct"),
        ("ZhipuAI/GLM-4.5", "zai-org/GLM-4.5"),
        ("/models/Qwen2.5-7B", "Qwen/Qwen2.5-7B"),
        ("Qwen2___5-7B-Instruct", "Qwen/Qwen2.5-7B-Instruct"),
        ("Llama-3 70B", "meta-llama/Meta-Llama-3-70B"),
        ("qwen3 30b a3b fp8", "Qwen/Qwen3-30B-A3B-FP8"),
        ("deepseek v3", "deepseek-ai/DeepSeek-V3"),
        ("Mixtral 8x7B", "mistralai/Mixtral-8x7B-Instruct-v0.1"),
        ("gpt oss 20b", "openai/gpt-oss-20b"),
        ("llama3.1:8b-instruct-q4_K_M", "meta-llama/Llama-3.1-8B-Instruct"),
        ("moonshotai/Kimi-Dev-72B", "moonshotai/Kimi-Dev-72B"),
        ("llama31-8b-instruct", "meta-llama/Llama-3.1-8B-Instruct"),
        ("mistral-small-3.1", "mistralai/Mistral-Small-3.1-24B-Instruct-2503"),
        ("google/gemma-3-27b-it + acme/speculator", "google/gemma-3-27b-it"),
    ],
)
def test_one_model_has_many_names(name, model):
    assert model == find_model(name).shape.name


def test_an_unknown_checkpoint_takes_shape_from_its_base_and_weights_from_its_name():
    match = find_model("acme/Llama-3.1-8B-Instruct-W8A8")

    assert ("suffix", 32, 8) == (match.how, match.shape.layers, match.shape.quantization.bits)


def test_a_size_behind_the_colon_belongs_to_the_name():
    assert "deepseek-ai/DeepSeek-R1-Distill-Llama-70B" == find_model("deepseek-r1:70b").shape.name
    assert "Qwen/Qwen3-8B" == find_model("qwen3:8b").shape.name


def test_a_gguf_type_behind_the_colon_outweighs_the_row():
    assert "Q4_K_M" == find_model("unsloth/Qwen3-8B-GGUF:Q4_K_M").shape.quantization.algorithm


def test_a_distilled_model_is_what_it_was_distilled_into():
    assert "qwen3" == find_model("deepseek-ai/DeepSeek-R1-0528-Qwen3-8B").shape.model_type


@pytest.mark.parametrize("name", ["gemma", "mistral 7b", "llama", "kimi k2"])
def test_words_that_fit_unlike_models_are_a_question(name):
    match = find_model(name)

    assert (None, "several") == (match.shape, match.how)
    assert 2 <= len(match.candidates) <= 8


def test_a_tuned_model_that_nobody_lists_is_a_question_about_its_base():
    match = find_model("acme/Llama-3.1-8B-Instruct-anvil")

    assert None is match.shape
    assert "meta-llama/Llama-3.1-8B-Instruct" == match.candidates[0]


@pytest.mark.parametrize("name", ["/mnt/models", "", "hello world", "server", "7b", "my-finetune"])
def test_stray_words_name_nothing(name):
    assert (None, ()) == (find_model(name).shape, find_model(name).candidates)


@settings(deadline=None)  # the first call reads the names
@given(st.text(max_size=60))
def test_any_text_gets_an_answer(text):
    assert find_model(text).how


@pytest.mark.parametrize(
    ("words", "checkpoint"),
    [
        ("Qwen2.5 72B AWQ", "Qwen/Qwen2.5-72B-Instruct-AWQ"),
        ("mixtral 8x7b awq", "TheBloke/Mixtral-8x7B-Instruct-v0.1-AWQ"),
        ("qwen3 32b fp8", "Qwen/Qwen3-32B-FP8"),
    ],
)
def test_words_that_tell_of_the_weights_name_a_checkpoint(words: str, checkpoint: str):
    assert checkpoint == find_model(words).shape.name


HASH = "0123456789abcdef0123456789abcdef01234567"


def stored(shape):
    """What sizes a model: its layers and how their weights are stored."""
    weights = shape.quantization and shape.quantization.model_copy(update={"is_known": True})
    return shape.hidden, shape.runs, weights


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(index().heads), st.booleans())
def test_every_name_with_its_organisation_is_that_model_wherever_it_lies(head, is_lower):
    name = head.id.lower() if is_lower else head.id
    cached = f"models--{name.replace('/', '--', 1)}"
    forms = (name, f"{name}@main", f"https://huggingface.co/{name}/tree/main", f"/mnt/llm/{name}", cached)

    for form in (*forms, f"/root/.cache/huggingface/hub/{cached}/snapshots/{HASH}"):
        assert (head.id, form) == (find_model(form).shape.name, form)


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(index().heads), st.sampled_from([str, str.lower, str.upper]))
def test_every_base_name_is_one_of_its_models_or_a_question_between_them(head, spelt):
    namesakes = index().by_base[head.base]
    base = spelt(head.id.rpartition("/")[2])

    for form in (base, f"/models/{base}", f"./{base}", f"s3://bucket/{base}", f"acme/{base}"):
        match = find_model(form)
        assert is_whole_name(form)
        if match.shape:
            assert stored(match.shape) in [stored(find_model(other.id).shape) for other in namesakes]
        else:
            assert {other.id for other in namesakes} >= set(match.candidates) > set()


@settings(deadline=None, max_examples=200)
@given(st.sampled_from(index().heads), st.sampled_from(["_", "--"]))
def test_mirrors_and_folders_join_the_organisation_to_the_name(head, sign):
    organisation, _, base = head.id.partition("/")

    assert find_model(f"acme/{organisation}{sign}{base}").shape.layers == find_model(head.id).shape.layers


def test_repositories_of_one_name_that_store_other_weights_are_told():
    match = find_model("Qwen3.6-35B-A3B-NVFP4")

    assert "nvidia/Qwen3.6-35B-A3B-NVFP4" == match.shape.name
    assert "RedHatAI/Qwen3.6-35B-A3B-NVFP4" in match.candidates


def test_repositories_of_one_name_of_which_none_is_the_usual_are_a_question():
    match = find_model("Qwen3.6-27B-NVFP4")

    assert (None, "several") == (match.shape, match.how)


def test_a_rarely_loaded_namesake_is_not_worth_a_word():
    assert ("openai/gpt-oss-20b", ()) == (find_model("gpt-oss-20b").shape.name, find_model("gpt-oss-20b").candidates)


def test_an_ending_that_says_unquantized_outweighs_the_base_models_weights():
    assert None is find_model("acme/gpt-oss-120b-BF16").shape.quantization


@pytest.mark.parametrize("name", ["Qwen3-8B-Instrct", "Qwen3-8B-exl2", "acme-qwen3-8b-anvil"])
def test_a_name_joined_to_what_nobody_knows_is_no_whole_name(name):
    assert not is_whole_name(name)
    assert None is find_model(name).shape
