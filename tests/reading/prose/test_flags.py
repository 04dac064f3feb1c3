from __future__ import annotations

import pytest

from bot.reading.prose.flags import find_flags
from bot.units import Bytes


@pytest.mark.parametrize(
    ("sentence", "facts", "rest"),
    [
        (
            "on L4 with --enforce-eager and --quantization awq",
            {"enforce_eager": True, "quantization": "awq"},
            "on L4 with and",
        ),
        ("--max-num-seqs 1k on L4", {"max_num_seqs": 1000}, "on L4"),
        ("I set --max-model-len to 8192", {}, "I set --max-model-len to 8192"),
        ("head -n 2 and -p 80, lm_eval --model x/y-1", {}, "head -n 2 and -p 80, lm_eval --model x/y-1"),
        ("m -O0 -tp 2", {"optimization_level": 0, "tensor_parallel": 2, "other_arguments": ("-O0",)}, "m"),
        ("m --kv-cache-memory-bytes 12G, please", {"kv_cache_memory": Bytes.gib(12)}, "m please"),
        ("m on L4 -ep", {"expert_parallel": True}, "m on L4"),
        ("m -O3", {"optimization_level": 3, "other_arguments": ("-O3",)}, "m"),
        (
            """m --hf-overrides '{"a": {"b": 1}}' on L4""",
            {"other_arguments": ("--hf-overrides", '{"a": {"b": 1}}')},
            "m on L4",
        ),
        ("""m --attention-config {"backend": "FLASHINFER"}""", None, "m"),
        ("m -cc.mode=0", {"compilation_mode": 0}, "m"),
        ("without flags, a well-known model", {}, "without flags, a well-known model"),
    ],
)
def test_flags_are_read_with_their_values_and_the_rest_is_a_sentence(
    sentence: str, facts: dict[str, object] | None, rest: str
):
    found = find_flags(sentence)

    assert rest == found.rest.strip()
    assert facts is None or facts == dict(found.facts)
