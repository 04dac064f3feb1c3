import pytest

from bot.catalog.models import find_model
from bot.sizing.weights.rope_table import rope_tables


def rows(name):
    return [table.elements for table in rope_tables(find_model(name).shape)]


@pytest.mark.parametrize(
    ("name", "tables"),
    [
        ("meta-llama/Llama-3.1-8B", [131072 * 128]),
        ("google/gemma-3-4b-it", [131072 * 8 * 256, 131072 * 256]),
        ("Qwen/Qwen3-VL-2B-Instruct", [4 * 262144 * 128]),
        ("deepseek-ai/DeepSeek-V3", [4096 * 40 * 64]),
        ("google/gemma-4-26B-A4B-it", [262144 * 512, 262144 * 256]),
        ("microsoft/Phi-3.5-mini-instruct", [(4096 + 131072) * 96]),
        ("deepseek-ai/DeepSeek-V3.2", [4096 * 40 * 64, 4096 * 40 * 64]),
        ("XiaomiMiMo/MiMo-V2-Flash", [262144 * 64, 262144 * 64]),
        ("openai-community/gpt2", []),
        ("tiiuae/falcon-mamba-7b", []),
    ],
)
def test_scaling_decides_how_many_rows_there_are(name, tables):
    assert rows(name) == tables
