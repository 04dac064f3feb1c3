"""A problem file that does not bear out its claims is told so, field by field."""

from types import MappingProxyType
from typing import Any

import pytest

from bot.catalog.flags import Flag, Flags
from bot.catalog.load import Knowledge
from bot.catalog.problem import Problem
from bot.proof import Complaint, prove

GOOD: dict[str, Any] = {
    "id": "kv-blocks",
    "title": "Nothing is left",
    "summary": "Nothing is left for {model}.",
    "stage": "startup",
    "wordings": [{"id": "no-blocks", "pattern": "No available memory for the cache blocks"}],
    "causes": [
        {
            "id": "eager",
            "title": "Eager",
            "when": [{"enforce_eager": True}],
            "because": "It is eager.",
            "fixes": ["shorter"],
        },
    ],
    "fixes": [{"id": "shorter", "title": "Shorter", "set": {"max_model_len": "longest_context"}}],
    "references": [{"title": "somewhere"}],
    "samples": [
        {
            "wording": "no-blocks",
            "cause": "eager",
            "text": "vllm serve m --enforce-eager\nValueError: No available memory for the cache blocks.",
        },
    ],
    "counter_samples": [
        {"text": "nothing of it", "why_not": "Chatter."},
        {"text": "nor of this", "why_not": "Chatter."},
    ],
}


def complaints(**changed: Any) -> tuple[Complaint, ...]:
    problem = Problem.model_validate({**GOOD, **changed})
    flags = Flags.of([Flag(name="--enforce-eager", fact="enforce_eager", type="switch")])
    return prove(problem, Knowledge(MappingProxyType({problem.id: problem}), flags))


def cause(**changed: Any) -> list[dict[str, Any]]:
    return [{**GOOD["causes"][0], **changed}]


def fix(**changed: Any) -> list[dict[str, Any]]:
    return [{**GOOD["fixes"][0], **changed}]


def wording(**changed: Any) -> list[dict[str, Any]]:
    return [{**GOOD["wordings"][0], **changed}]


def test_a_file_that_bears_out_its_claims_has_no_complaint():
    assert () == complaints()


@pytest.mark.parametrize(
    ("changed", "field", "clause"),
    [
        ({"summary": "{no_such_thing}"}, "summary", "no_such_thing"),
        ({"questions": ["weather"]}, "questions", "weather"),
        ({"wordings": wording(pattern="(?P<weather>No available) memory for the cache")}, "wordings", "weather"),
        ({"wordings": wording(pattern="No .*memory for the cache blocks")}, "wordings", "without bound"),
        ({"wordings": wording(pattern=r"\bNo \w{9} ")}, "wordings", "promises"),
        ({"wordings": wording(pattern=r"No available \w+ for the cache")}, "wordings", "dots and dashes"),
        ({"wordings": [*GOOD["wordings"], *wording(id="other")]}, "wordings.other", "no sample"),
        ({"wordings": [*GOOD["wordings"], *GOOD["wordings"]]}, "wordings", "twice"),
        ({"causes": [*cause(), *cause(id="more")]}, "causes.more", "no sample"),
        ({"fixes": [*fix(), *fix(id="idle")]}, "fixes.idle", "no cause"),
        ({"counter_samples": GOOD["counter_samples"][:1]}, "counter_samples", "at least 2"),
        ({"references": []}, "references", "nowhere"),
    ],
)
def test_each_fault_is_named_with_its_field(changed: dict[str, Any], field: str, clause: str):
    found = complaints(**changed)

    assert [text for text in map(str, found) if text.startswith(field) and clause in text]


def test_a_sample_that_its_wording_does_not_match_is_named():
    found = complaints(samples=[{**GOOD["samples"][0], "text": "something else"}])

    assert any("is not matched by no-blocks" in complaint.sentence for complaint in found)


def test_a_cause_that_does_not_stand_in_its_sample_is_named_with_what_it_waits_for():
    text = "ValueError: No available memory for the cache blocks."
    found = complaints(samples=[{**GOOD["samples"][0], "text": text}])

    assert any("waits for enforce_eager" in complaint.sentence for complaint in found)


def test_a_look_alike_that_matches_is_named():
    alike = {"text": "ValueError: No available memory for the cache blocks.", "why_not": "It does."}
    found = complaints(counter_samples=[*GOOD["counter_samples"], alike])

    assert Complaint("counter_samples[2]", "matches this problem") in found


def test_a_look_alike_that_should_be_another_problem_is_named():
    found = complaints(counter_samples=[*GOOD["counter_samples"], {"text": "x", "why_not": "y", "instead": "other"}])

    assert any("should be other" in complaint.sentence for complaint in found)
