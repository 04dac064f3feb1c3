"""Strict YAML: text until typed, and the line at fault when something is wrong."""

from pathlib import Path

import pytest

from bot.catalog.load import KnowledgeError, load_knowledge, load_lazily, read_problem
from bot.deployment import read_version

GOOD = """\
title: A thing that happens
summary: It happens.
wordings:
  - id: it-happens
    pattern: it happens every day
    versions: {since: 0.10}
references:
  - title: somewhere
"""


def a_file(folder: Path, text: str = GOOD, name: str = "a-thing") -> Path:
    path = folder / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def refusal(folder: Path, text: str) -> KnowledgeError:
    with pytest.raises(KnowledgeError) as caught:
        read_problem(a_file(folder, text))
    return caught.value


def test_the_file_name_is_the_id(tmp_path: Path):
    assert "a-thing" == read_problem(a_file(tmp_path)).id


def test_another_id_than_the_file_name_is_refused(tmp_path: Path):
    error = refusal(tmp_path, "id: another\n" + GOOD)

    assert (1, "id") == (error.line, error.field)


def test_a_version_keeps_its_trailing_zero(tmp_path: Path):
    wording = read_problem(a_file(tmp_path)).wordings[0]

    assert read_version("0.10") == wording.versions.since


def test_words_that_yaml_takes_for_booleans_stay_words(tmp_path: Path):
    problem = read_problem(a_file(tmp_path, GOOD.replace("It happens.", "no")))

    assert ("no",) == problem.summary


def test_a_repeated_key_is_refused_where_it_stands_again(tmp_path: Path):
    error = refusal(tmp_path, GOOD + "title: Again\n")

    assert (9, "title") == (error.line, error.field)


def test_an_unknown_key_is_refused_with_the_known_ones(tmp_path: Path):
    error = refusal(tmp_path, GOOD.replace("    pattern:", "    regex: x\n    pattern:"))

    assert (5, "wordings.0.regex") == (error.line, error.field)
    assert "pattern" in error.sentence


def test_a_missing_key_is_named(tmp_path: Path):
    error = refusal(tmp_path, GOOD.replace("    pattern: it happens every day\n", ""))

    assert "wordings.0.pattern" == error.field


def test_a_wrong_value_is_shown(tmp_path: Path):
    error = refusal(tmp_path, GOOD + "specificity: much\n")

    assert (9, "specificity") == (error.line, error.field)
    assert "much" in error.sentence


@pytest.mark.parametrize("title", ['""', '"  "', "x" * 3_000])
def test_a_title_is_neither_empty_nor_a_page_long(tmp_path: Path, title: str):
    error = refusal(tmp_path, GOOD.replace("A thing that happens", title))

    assert "title" == error.field
    assert len(error.sentence) < 200


def test_a_key_without_a_value_is_refused(tmp_path: Path):
    error = refusal(tmp_path, GOOD + "role:\n")

    assert (9, "role") == (error.line, error.field)


def test_broken_yaml_names_its_line(tmp_path: Path):
    error = refusal(tmp_path, "title: a\nsummary: 'b\n")

    assert error.line > 1
    assert str(tmp_path) in str(error)


@pytest.mark.parametrize("text", ["", "- a\n", "just words\n", "? [a, b]\n: c\n"])
def test_what_is_no_mapping_is_refused(tmp_path: Path, text: str):
    assert refusal(tmp_path, text).sentence


def test_bytes_that_are_no_text_are_refused(tmp_path: Path):
    path = tmp_path / "a-thing.yaml"
    path.write_bytes(b"title: \xff\xfe\n")

    with pytest.raises(KnowledgeError, match="UTF-8"):
        read_problem(path)


def test_a_condition_reads_its_short_forms(tmp_path: Path):
    text = GOOD + (
        "causes:\n  - id: a\n    title: A\n    because: B\n    when:\n"
        "      - enforce_eager: true\n      - any: [{problem: other}, {weights: {above: 1 GiB}}]\n"
    )
    when = read_problem(a_file(tmp_path, text)).causes[0].when

    assert ("enforce_eager", "is", "true") == (when.all[0].test.name, when.all[0].test.op, when.all[0].test.value)
    assert "other" == when.all[1].any[0].problem


def test_a_fault_inside_a_condition_names_its_line(tmp_path: Path):
    text = GOOD + "causes:\n  - id: a\n    title: A\n    because: B\n    when:\n      - weights: {beyond: 1 GiB}\n"

    assert 14 == refusal(tmp_path, text).line


def test_two_files_of_one_name_are_refused(tmp_path: Path):
    for family in ("one", "two"):
        (tmp_path / "problems" / family).mkdir(parents=True)
        a_file(tmp_path / "problems" / family)

    with pytest.raises(KnowledgeError, match="another file"):
        load_knowledge(tmp_path)


def test_a_spelling_in_two_rows_of_flags_is_refused(tmp_path: Path):
    (tmp_path / "flags").mkdir()
    (tmp_path / "flags" / "a.yaml").write_text("- {name: --same}\n- {name: --other, aliases: [--same]}\n")

    with pytest.raises(KnowledgeError, match="two rows"):
        load_knowledge(tmp_path)


def test_the_whole_knowledge_loads():
    knowledge = load_knowledge()

    assert "kv-cache-no-memory" in knowledge.problems
    assert knowledge.flags.by_name("--max-model-len")


def test_knowledge_cannot_be_changed():
    with pytest.raises(TypeError):
        load_knowledge().problems["new"] = None


def a_folder(root: Path, **files: str) -> Path:
    (root / "problems").mkdir()
    for name, text in files.items():
        a_file(root / "problems", text, name)
    return root


def test_read_lazily_a_problem_is_the_same(tmp_path: Path):
    root = a_folder(tmp_path, thing=GOOD)

    assert dict(load_knowledge(root).problems) == dict(load_lazily(root).problems)


def test_read_lazily_a_broken_file_hurts_whoever_asks_for_it(tmp_path: Path):
    problems = load_lazily(a_folder(tmp_path, thing=GOOD, broken="title: x")).problems

    assert "thing" == problems["thing"].id
    assert "broken" in problems
    with pytest.raises(KnowledgeError):
        problems["broken"]


def test_read_at_once_a_broken_file_hurts_at_once(tmp_path: Path):
    with pytest.raises(KnowledgeError):
        load_knowledge(a_folder(tmp_path, thing=GOOD, broken="title: x"))


def test_read_lazily_an_unknown_problem_is_none(tmp_path: Path):
    assert load_lazily(a_folder(tmp_path, thing=GOOD)).problems.get("another") is None


def test_aliases_are_refused_however_often_they_stand_for_one_another(tmp_path: Path):
    rows = [
        f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    error = refusal(tmp_path, "\n".join(["a: &a [x]", *rows]))

    assert "alias" in error.sentence


def test_an_alias_inside_itself_is_refused(tmp_path: Path):
    assert "alias" in refusal(tmp_path, "title: &a [*a]\n").sentence
