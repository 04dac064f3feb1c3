from hypothesis import given
from hypothesis import strategies as st

from bot.evidence import Evidence, GpuReading, gather, merge
from bot.facts import Fact, Origin
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


def test_a_list_of_names_does_not_hide_memory_that_was_read() -> None:
    table = Evidence(gpus=(GpuReading(index=0, memory_used_mib=5, memory_total_mib=10),))
    names = Evidence(gpus=(GpuReading(index=0, name="NVIDIA L4"),))

    assert table.gpus == merge(table, names).gpus


def test_nothing_merges_to_nothing() -> None:
    assert Evidence() == merge()
