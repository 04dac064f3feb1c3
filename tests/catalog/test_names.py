import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.catalog.names import renamed, spell, tokens_of


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("Qwen/Qwen3-8B", "qwen/qwen3-8b"),
        ("models--meta-llama--Llama-3.1-8B", "meta-llama/llama-3.1-8b"),
        (
            "/root/.cache/huggingface/hub/models--a--b-1--x/snapshots/0123456789abcdef0123456789abcdef01234567",
            "a/b-1--x",
        ),
        ("/data/llm/Qwen2.5-7B/", "llm/qwen2.5-7b"),
        ("https://huggingface.co/openai/gpt-oss-20b/tree/main", "openai/gpt-oss-20b"),
        ("meta-llama/Llama-3.1-8B@5206a32", "meta-llama/llama-3.1-8b"),
        ("/srv/weights/Anvil-8B/checkpoint-1200", "anvil-8b"),
        ("s3://bucket/models/Anvil-8B", "bucket/anvil-8b"),
        ("Anvil-8B-Q4_K_M-00001-of-00003.gguf", "anvil-8b-q4_k_m"),
        ("MiniMaxAI/MiniMax-M2 series", "minimaxai/minimax-m2"),
    ],
)
def test_paths_links_and_asides_fall_away(name, full):
    spelling = spell(name)

    assert spelling is not None
    assert full == spelling.full


@pytest.mark.parametrize("name", ["/mnt/models", "", "  ", "/models/model", "/", "model"])
def test_a_mount_point_names_no_model(name):
    assert None is spell(name)


def test_a_tag_is_cut_and_kept():
    spelling = spell("llama3.1:8b-instruct-q4_K_M")

    assert ("llama3.1", "8b-instruct-q4_K_M") == (spelling.base, spelling.tag)


@pytest.mark.parametrize("name", ["Llama-3_1-8B", "llama3.1 8B", "Meta-Llama-3.1-8B", "LLAMA-3.1_8b", "Llama3-1-8B"])
def test_spellings_of_one_model_have_the_same_words(name):
    assert ("llama", "3.1", "8b") == tokens_of(name)


def test_the_cache_of_modelscope_writes_a_dot_as_three_underscores():
    assert tokens_of("Qwen2.5-7B-Instruct") == tokens_of("Qwen2___5-7B-Instruct")


def test_a_point_release_is_not_run_together_with_the_size():
    assert tokens_of("Qwen2.5-7B") != tokens_of("Qwen2-57B")


def test_renamed_organisations_have_one_name():
    assert "zai-org" == renamed("THUDM") == renamed("ZhipuAI")


@given(st.text(max_size=80))
def test_any_text_can_be_taken_apart(text):
    spelling = spell(text)

    assert spelling is None or isinstance(tokens_of(spelling.base), tuple)


@pytest.mark.parametrize(
    ("name", "written"),
    [("gptoss 20b", "gpt-oss-20b"), ("exaone 4 32b", "EXAONE-4.0-32B"), ("granite 4 h small", "granite-4.0-h-small")],
)
def test_what_people_leave_out_of_a_name_changes_no_word(name, written):
    assert tokens_of(written) == tokens_of(name)
