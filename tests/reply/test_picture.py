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


def test_what_is_beyond_the_allowance_is_named(does_not_fit):
    assert "beyond the allowance" in {word.text for word in does_not_fit.words}


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
