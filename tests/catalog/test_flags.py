"""Flags are found however they are written, and only where they live."""

import pytest
from packaging.version import Version
from pydantic import ValidationError

from bot.catalog.flags import Flag, Flags

LENGTH = Flag(name="--max-model-len", fact="max_model_len", type="int", since="0.2.7")
PREFIX = Flag(
    name="--enable-prefix-caching", fact="prefix_caching", type="switch", negation="--no-enable-prefix-caching"
)
HYBRID = Flag(
    name="--disable-hybrid",
    fact="hybrid_kv_cache",
    type="switch",
    sets="false",
    negation="--no-disable-hybrid",
)
SWAP = Flag(name="--swap-space", fact="swap_space_gib", type="float", until="0.17.1")
PARALLEL = Flag(name="--tensor-parallel-size", fact="tensor_parallel", type="int", aliases=("-tp",))
TOKEN = Flag(name="HF_TOKEN")
TOKEN_FLAG = Flag(name="--hf-token")


@pytest.fixture
def flags() -> Flags:
    return Flags.of([LENGTH, PREFIX, HYBRID, SWAP, PARALLEL, TOKEN, TOKEN_FLAG])


@pytest.mark.parametrize(
    "spelling", ["--max-model-len", "--max_model_len", "max_model_len", "--max-model-len=4096", " --MAX-model-len "]
)
def test_a_flag_is_found_by_every_way_to_write_it(flags: Flags, spelling: str):
    assert LENGTH is flags.by_name(spelling)


def test_a_short_flag_is_found(flags: Flags):
    assert PARALLEL is flags.by_name("-tp")


def test_an_environment_variable_is_no_flag_of_the_same_letters(flags: Flags):
    assert (flags.by_name("HF_TOKEN"), flags.by_name("--hf-token")) == (TOKEN, TOKEN_FLAG)


def test_an_unknown_flag_is_nothing(flags: Flags):
    assert flags.by_name("--no-such-flag") is None


@pytest.mark.parametrize(
    ("written", "means"),
    [
        (("--enable-prefix-caching", None), ("prefix_caching", "true")),
        (("--no-enable-prefix-caching", None), ("prefix_caching", "false")),
        (("--enable-prefix-caching", "False"), ("prefix_caching", "False")),
        (("--disable-hybrid", None), ("hybrid_kv_cache", "false")),
        (("--no-disable-hybrid", None), ("hybrid_kv_cache", "true")),
        (("--max-model-len", "32k"), ("max_model_len", "32k")),
        (("HF_TOKEN", "x"), None),
    ],
)
def test_what_a_flag_means_for_its_fact(flags: Flags, written: tuple[str, str | None], means: object):
    assert means == flags.means(*written)


def test_a_fact_has_its_flag_in_the_versions_it_lives_in(flags: Flags):
    assert SWAP is flags.for_fact("swap_space_gib", Version("0.10.0"))
    assert flags.for_fact("swap_space_gib", Version("0.18.0")) is None


def test_a_flag_that_is_gone_is_not_offered_when_the_version_is_unknown(flags: Flags):
    assert flags.for_fact("swap_space_gib") is None
    assert LENGTH is flags.for_fact("max_model_len")


def test_a_shared_spelling_is_refused():
    with pytest.raises(ValueError, match="two rows"):
        Flags.of([LENGTH, Flag(name="--other", aliases=("--max-model-len",))])


def test_a_flag_cannot_end_before_it_begins():
    with pytest.raises(ValidationError, match=r"begins with 0\.11\.0, after its end"):
        Flag(name="--x", since="0.11.0", until="0.10.0")


def test_a_variable_sets_a_fact_in_the_versions_that_have_it():
    flags = Flags.of([Flag.model_validate({"name": "VLLM_X", "fact": "attention_backend", "until": "0.14.1"}), LENGTH])
    found = [flags.variable_for("attention_backend", Version(version)) for version in ("0.8.5", "0.16.0")]

    assert ["VLLM_X", None] == [each and each.name for each in found]
    assert flags.variable_for("max_model_len") is None
