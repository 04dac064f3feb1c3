import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.deployment import Deployment, Speculation
from bot.evidence import FACTS as FACT_KINDS
from bot.evidence import Evidence, Fact, GpuReading, Origin, fact_value, gather, merge
from bot.units import Bytes

VALUES = {"max_model_len": st.integers(1, 9), "weights": st.integers(1, 9).map(Bytes.gib), "kv_available": st.integers(-3, 9).map(Bytes.gib),
          "model": st.sampled_from(["acme/a", "acme/b"])}  # fmt: skip
FACTS = st.sampled_from(sorted(VALUES)).flatmap(
    lambda name: st.builds(Fact, name=st.just(name), value=VALUES[name], origin=st.sampled_from(Origin))
)
EVIDENCES = st.lists(FACTS, max_size=5).map(gather)


def _fact(name: str, value: object, origin: Origin = Origin.PASTED) -> Evidence:
    return gather([Fact(name=name, value=value, origin=origin)])


@given(EVIDENCES)
def test_merging_with_itself_changes_nothing(evidence: Evidence) -> None:
    assert evidence == merge(evidence, evidence)


@given(EVIDENCES, EVIDENCES, EVIDENCES)
def test_merging_is_associative_up_to_conflicts(one: Evidence, two: Evidence, three: Evidence) -> None:
    assert merge(merge(one, two), three).facts == merge(one, merge(two, three)).facts


@given(EVIDENCES, EVIDENCES)
def test_the_higher_origin_wins(one: Evidence, two: Evidence) -> None:
    merged = merge(one, two)

    assert all(
        merged.facts[name].origin == max(side.facts[name].origin for side in (one, two) if name in side.facts)
        for name in merged.facts
    )


def test_later_beats_earlier() -> None:
    assert 4 == merge(_fact("tensor_parallel", 2), _fact("tensor_parallel", 4)).value("tensor_parallel")


def test_a_contradiction_is_kept_and_tells_both_sides() -> None:
    (conflict,) = merge(_fact("max_model_len", 8192), _fact("max_model_len", 4096, Origin.MEASURED)).conflicts

    assert (4096, 8192) == (conflict.kept.value, conflict.other.value)


def test_an_answer_contradicts_nobody() -> None:
    assert () == merge(_fact("max_model_len", 8192), _fact("max_model_len", 4096, Origin.ANSWERED)).conflicts


def test_a_path_and_the_name_in_it_do_not_contradict() -> None:
    assert () == merge(_fact("model", "/models/acme-8b"), _fact("model", "acme/acme-8b")).conflicts


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("model", "acme/parrot-7b", "acme/parrot-14b"),
        ("model", "mistral 7b", "llama 7b"),
        ("gpu", "A10", "A100"),
        ("kv_cache_dtype", "fp8_e4m3", "bfloat16"),
    ],
)
def test_two_names_of_different_things_contradict(name: str, one: str, other: str) -> None:
    (conflict,) = merge(_fact(name, one), _fact(name, other)).conflicts

    assert (other, one) == (conflict.kept.value, conflict.other.value)


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("model", "llama 3.1 8b", "meta-llama/Llama-3.1-8B-Instruct"),
        ("gpu", "4090", "RTX4090"),
        ("gpu", "H100 SXM", "NVIDIA H100 80GB HBM3"),
    ],
)
def test_two_names_of_one_thing_do_not_contradict(name: str, one: str, other: str) -> None:
    assert () == merge(_fact(name, one), _fact(name, other)).conflicts


def test_two_who_publish_a_model_of_one_name_do_not_contradict() -> None:
    assert () == merge(_fact("model", "acme/acme-8b"), _fact("model", "other/acme-8b")).conflicts


def test_a_list_of_names_does_not_hide_memory_that_was_read() -> None:
    table = Evidence(gpus=(GpuReading(index=0, memory_used_mib=5, memory_total_mib=10),))
    names = Evidence(gpus=(GpuReading(index=0, name="NVIDIA L4"),))

    assert table.gpus == merge(table, names).gpus


def test_nothing_merges_to_nothing() -> None:
    assert Evidence() == merge()


@pytest.mark.parametrize("raw", [{"B": 2, "A": "1"}, [("A", "1"), ["B", "2"]], "A=1 B=2"])
def test_variables_are_read_however_they_are_given(raw):
    assert (("A", "1"), ("B", "2")) == fact_value("environment", raw)


@pytest.mark.parametrize(
    ("name", "raw"), [("environment", 5), ("environment", ["A"]), ("multimodal_limits", "two"), ("speculation", "fast")]
)
def test_what_is_no_such_value_is_a_sentence(name, raw):
    with pytest.raises(ValueError, match="write"):
        fact_value(name, raw)


@pytest.mark.parametrize(
    "raw",
    [
        {"method": "mtp", "tokens": 3},
        '{"method": "mtp", "tokens": 3}',
        '{"method": "mtp", "num_speculative_tokens": 3}',
    ],
)
def test_speculation_reads_as_a_mapping_as_json_and_as_vllms_flag(raw):
    assert Speculation(method="mtp", tokens=3) == fact_value("speculation", raw)


@pytest.mark.parametrize("raw", ["mtp:3", "[" * 100_000, "{}[", 3])
def test_what_is_no_speculation_says_how_it_is_written(raw):
    with pytest.raises(ValueError, match="write it like"):
        fact_value("speculation", raw)


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("gpu_memory_utilization", 1e308),
        ("max_model_len", 10**400),
        ("gpu_memory", -(10**400)),
        ("gpu_memory", "9" * 400 + " GiB"),
        ("kv_available", 10**400),
    ],
)
def test_what_would_overflow_is_no_value(name, raw):
    with pytest.raises(ValueError, match=r"larger than|more memory than"):
        fact_value(name, raw)


def test_one_of_a_few_words_is_taken_in_any_case_and_no_other_word_is():
    assert "V0" == fact_value("engine", "v0")
    with pytest.raises(ValueError, match="'V2' is none of V0, V1"):
        fact_value("engine", "V2")


@pytest.mark.parametrize("name", [name for name, kind in FACT_KINDS.items() if kind.choices])
def test_every_choice_of_a_fact_is_one_of_the_deployment(name):
    for choice in FACT_KINDS[name].choices:
        assert choice == getattr(Deployment.model_validate({name: choice}), name)
