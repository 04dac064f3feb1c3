"""One word for equal cases."""

from __future__ import annotations

from bot.diagnosis.wordings.fingerprint import fingerprint_of, normalise, telling_failure
from bot.evidence import Evidence, Failure
from tests.diagnosis.conftest import NO_CACHE, TOO_SMALL


def of(message: str, kind: str = "torch.cuda.SomeError") -> str | None:
    return fingerprint_of(None, None, Evidence(failures=(Failure(kind=kind, message=message, line=1),)))


def test_a_known_case_is_its_problem_and_cause():
    assert "cache-too-small/neighbour" == fingerprint_of(TOO_SMALL, TOO_SMALL.causes[1], Evidence())
    assert "no-cache" == fingerprint_of(NO_CACHE, None, Evidence())


def test_figures_paths_and_ids_make_no_difference():
    one = of("bad block 17 of 3.5 GiB in /a/b.py at 0x7f00 on cuda:3 for 'layers.1'")
    other = of("bad block 9 of 1 MiB in /c/d/e.py at 0xdead on cuda:0 for 'layers.22'")

    assert one == other
    assert one is not None
    assert one.startswith("unknown/SomeError-")


def test_other_errors_differ():
    assert of("bad block") != of("bad page")
    assert of("bad block", "KeyError") != of("bad block", "ValueError")


def test_without_an_error_there_is_nothing_to_name():
    assert fingerprint_of(None, None, Evidence()) is None


def test_the_root_counts_not_its_wrapper():
    wrapper, root = Failure(message="see above", line=1, is_wrapper=True), Failure(message="root", line=2)

    assert root is telling_failure((wrapper, root))
    assert wrapper is telling_failure((wrapper,))


def test_a_normal_form_stays_what_it_is():
    once = normalise("tried 1.96 GiB in /opt/x.py at 0xff for 'a'")

    assert once == normalise(once)
