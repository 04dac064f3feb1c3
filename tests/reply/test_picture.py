"""The budget as a picture."""

from __future__ import annotations

import itertools
from xml.etree import ElementTree as ET

import pytest

from bot.consult import size
from bot.reply.picture import as_png, as_svg, draw

SVG = "{http://www.w3.org/2000/svg}"


def a_picture(text: str):
    return draw(size(text).diagnosis.budget)


@pytest.fixture
def fits():
    return a_picture("llama-3.1-8b on H100, vllm 0.19")


@pytest.fixture
def does_not_fit():
    return a_picture("llama-3.1-70b on L4, vllm 0.19")


def the_bar(picture):
    tallest = max(box.height for box in picture.boxes if box.width > 2)
    return [box for box in picture.boxes if box.height == tallest]


@pytest.mark.parametrize("name", ["fits", "does_not_fit"])
def test_the_bar_has_no_gap_and_stays_inside(name, request):
    picture = request.getfixturevalue(name)
    bar = the_bar(picture)

    assert all(abs(one.left + one.width - other.left) < 0.01 for one, other in itertools.pairwise(bar))
    assert bar[-1].left + bar[-1].width <= picture.width


def test_what_the_shares_are_of_is_said_once(fits):
    assert 1 == [word.text for word in fits.words].count("of the card")


def test_what_is_beyond_the_allowance_is_named(does_not_fit):
    assert "beyond the allowance" in {word.text for word in does_not_fit.words}


NARROW = "qwen3-14b on L40S --gpu-memory-utilization 0.5, vllm 0.19"


@pytest.mark.parametrize("text", ["llama-3.1-70b on L4, vllm 0.19", NARROW])
def test_the_allowance_is_marked_where_it_is_exceeded_and_what_lies_beyond_it(text):
    picture, budget = a_picture(text), size(text).diagnosis.budget
    bar = the_bar(picture)
    asked = sum(box.width for box in bar if box.colour != "#e8e8e8")
    (band,) = (box for box in picture.boxes if box.colour == "#b00020" and box.width != box.height)
    (mark, *_) = (box for box in picture.boxes if box.width == 2 and box.colour == "#1d1c1d")

    assert abs(mark.left + 1 - band.left) < 0.01
    assert abs(band.left + band.width - bar[0].left - asked) < 0.5
    assert (
        abs(band.width / asked - -budget.kv_available.in_gib / (budget.allowance - budget.kv_available).in_gib) < 0.01
    )


def test_where_the_card_ends_is_marked_where_more_is_asked_of_it(does_not_fit):
    assert any(word.text.startswith("card 22.05 GiB") for word in does_not_fit.words)
    assert not any(word.text.startswith("card") for word in a_picture(NARROW).words)


def test_what_is_left_of_the_card_is_not_called_outside_an_allowance_that_is_exceeded():
    texts = {word.text for word in a_picture(NARROW).words}

    assert "left on the card" in texts
    assert "outside the allowance" not in texts


def test_a_long_name_stays_inside(fits):
    shape = size("llama-3.1-8b on H100, vllm 0.19").diagnosis.budget
    long = shape._replace(deployment=shape.deployment.with_(model="acme/" + "parrot" * 16))

    assert max(len(word.text) for word in draw(long).words) <= 72


def test_whoever_reads_at_night_sees_dark_paper(fits):
    drawn = as_svg(fits)

    assert "@media (prefers-color-scheme: dark)" in drawn
    assert all(f'[fill="{colour}"]{{fill:' in drawn for colour in ("#1d1c1d", "#ffffff", "#e8e8e8", "#b00020"))


def test_what_fits_has_nothing_beyond_it(fits):
    texts = {word.text for word in fits.words}

    assert {"weights", "KV cache", "outside the allowance"} <= texts
    assert "beyond the allowance" not in texts


def test_an_svg_is_well_formed_and_says_every_word(fits):
    root = ET.fromstring(as_svg(fits))

    assert [word.text for word in fits.words] == [text.text for text in root.iter(f"{SVG}text")]


def test_names_are_escaped(fits):
    hostile = fits._replace(words=(fits.words[0]._replace(text="<script>&"),))

    assert "<script>&" == next(ET.fromstring(as_svg(hostile)).iter(f"{SVG}text")).text


def test_a_png_is_twice_as_large_for_sharp_screens(fits):
    raw = as_png(fits)

    assert b"\x89PNG\r\n\x1a\n" == raw[:8]
    assert 1520 == int.from_bytes(raw[16:20], "big")
