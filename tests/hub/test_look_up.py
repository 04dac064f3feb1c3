"""An unknown model is read from the hub, and every refusal is one sentence."""

import json
import time

import pytest

from bot.hub import fetch
from bot.hub import look_up as looking
from bot.hub.look_up import look_up, recall, repository_of
from bot.model_shape import ModelShape
from bot.units import Bytes

from .conftest import CONFIG


def a_checkpoint(rows: dict[str, tuple[str, list[int], int]]) -> bytes:
    header, place = {}, 0
    for name, (dtype, shape, size) in rows.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [place, place + size]}
        place += size
    text = json.dumps({"__metadata__": {"format": "pt"}, **header}).encode()
    return len(text).to_bytes(8, "little") + text + b"\0" * 64


def test_a_shape_is_read_from_config_json(hub):
    hub.put("acme/parrot-1b", "config.json", CONFIG)

    shape = look_up("acme/parrot-1b")
    assert isinstance(shape, ModelShape)
    assert ("acme/parrot-1b", 16, 2048, 8) == (shape.name, shape.layers, shape.hidden, shape.kv_heads)


def test_the_index_tells_the_size_of_the_checkpoint(hub):
    hub.put("acme/parrot-1b", "config.json", CONFIG)
    index = {"metadata": {"total_size": 2_500_000_000, "total_parameters": 1_250_000_000}, "weight_map": {}}
    hub.put("acme/parrot-1b", "model.safetensors.index.json", index)

    shape = look_up("acme/parrot-1b")
    assert (Bytes(2_500_000_000), 1_250_000_000) == (shape.checkpoint_bytes, shape.parameters)


def test_without_an_index_the_header_of_the_only_file_tells_it(hub):
    hub.put("acme/parrot-1b", "config.json", CONFIG)
    rows = {"a": ("BF16", [4, 8], 64), "b": ("F32", [2], 8)}
    hub.put("acme/parrot-1b", "model.safetensors", a_checkpoint(rows))

    shape = look_up("acme/parrot-1b")
    assert (Bytes(72), 34) == (shape.checkpoint_bytes, shape.parameters)


def test_packed_weights_are_not_counted_as_parameters(hub):
    hub.put("acme/parrot-1b", "config.json", CONFIG)
    hub.put("acme/parrot-1b", "model.safetensors", a_checkpoint({"a": ("I32", [4, 8], 128)}))

    assert look_up("acme/parrot-1b").parameters is None


@pytest.mark.parametrize("content", [b"", b"\x05\0\0\0\0\0\0\0nope!", b"\xff" * 64])
def test_a_torn_header_costs_the_size_only(hub, content):
    hub.put("acme/parrot-1b", "config.json", CONFIG)
    hub.put("acme/parrot-1b", "model.safetensors", content)

    assert look_up("acme/parrot-1b").checkpoint_bytes is None


def test_the_second_file_of_modelopt_counts(hub):
    hub.put("acme/parrot-fp8", "config.json", CONFIG)
    hub.put("acme/parrot-fp8", "hf_quant_config.json", {"quantization": {"quant_algo": "FP8"}})

    assert "modelopt" == look_up("acme/parrot-fp8").quantization.method


def test_a_model_is_asked_for_once(hub):
    hub.put("acme/parrot-1b", "config.json", CONFIG)
    first = look_up("acme/parrot-1b")
    asked = len(hub.asked)

    assert first == look_up("acme/parrot-1b")
    assert asked == len(hub.asked)


def test_the_token_goes_with_the_question(hub, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_parrot")
    hub.put("acme/parrot-1b", "config.json", CONFIG)
    look_up("acme/parrot-1b")

    assert {"Bearer hf_parrot"} == set(hub.tokens)


def test_what_is_kept_serves_without_the_hub(hub, monkeypatch):
    hub.put("acme/parrot-1b", "config.json", CONFIG)
    look_up("acme/parrot-1b")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")

    assert isinstance(look_up("acme/parrot-1b"), ModelShape)


def test_what_was_kept_is_recalled_and_nothing_is_asked(hub):
    hub.put("acme/parrot-1b", "config.json", CONFIG)
    assert recall("acme/parrot-1b") is None
    assert [] == hub.asked

    assert look_up("acme/parrot-1b") == recall("acme/parrot-1b")


def test_offline_nothing_is_asked(hub, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")

    assert "HF_HUB_OFFLINE" in look_up("acme/parrot-1b")
    assert [] == hub.asked


def test_a_gated_model_says_what_to_do(hub):
    hub.refusals["acme/parrot-1b"] = (403, "GatedRepo")

    assert "accept its licence there and set HF_TOKEN" in look_up("acme/parrot-1b")


def test_a_mirror_without_codes_is_read_by_its_status(hub):
    hub.refusals["acme/parrot-1b"] = (403, "")
    hub.refusals["acme/other"] = (404, "")

    assert "is gated on" in look_up("acme/parrot-1b")
    assert "no config.json in it" in look_up("acme/other")


def test_a_model_that_is_not_there_says_so(hub):
    assert "has no model acme/parrot-1b" in look_up("acme/parrot-1b")


def test_a_repository_without_a_config_says_so(hub):
    hub.put("acme/parrot-1b", "parrot.gguf", b"GGUF")

    assert "no config.json in it" in look_up("acme/parrot-1b")


def test_a_config_that_is_no_json_says_so(hub):
    hub.put("acme/parrot-1b", "config.json", b"nope")

    assert "is no JSON" in look_up("acme/parrot-1b")


def test_a_config_of_something_else_says_so(hub):
    hub.put("acme/parrot-1b", "config.json", {"model_type": "vae"})

    assert "does not tell what sizing needs" in look_up("acme/parrot-1b")


def test_a_slow_hub_is_given_up_and_not_asked_again(hub, monkeypatch):
    monkeypatch.setattr("bot.hub.look_up.SECONDS", 0.1)
    hub.put("acme/parrot-1b", "config.json", CONFIG)
    hub.delay = 0.3

    assert "did not answer within" in look_up("acme/parrot-1b")
    assert "did not answer within" in look_up("acme/another")
    assert [] == [path for path in hub.asked if "another" in path]


def test_a_hub_in_trouble_is_not_asked_again(hub):
    hub.refusals["acme/parrot-1b"] = (503, "")

    assert "answered with status 503" in look_up("acme/parrot-1b")
    assert "answered with status 503 when I asked it for acme/parrot-1b" in look_up("acme/another")


def test_too_many_questions_on_one_model_keep_nobody_from_the_next(hub):
    hub.refusals["acme/parrot-1b"] = (429, "")
    hub.put("acme/another", "config.json", CONFIG)

    assert "answered with status 429 for acme/parrot-1b" in look_up("acme/parrot-1b")
    assert isinstance(look_up("acme/another"), ModelShape)


def test_a_hub_that_asks_to_be_left_alone_is_for_as_long(hub, monkeypatch):
    hub.refusals["acme/parrot-1b"] = (429, "")
    hub.pause = "20"
    hub.put("acme/another", "config.json", CONFIG)
    look_up("acme/parrot-1b")

    assert "status 429 when I asked it for acme/parrot-1b" in look_up("acme/another")
    begun = time.monotonic()
    monkeypatch.setattr("bot.hub.look_up.time.monotonic", lambda: begun + 21)
    assert isinstance(look_up("acme/another"), ModelShape)


def test_no_hub_at_all_is_one_sentence(hub, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")

    assert "127.0.0.1:9 could not be reached" in look_up("acme/parrot-1b")


def test_an_endless_file_is_cut(hub, monkeypatch):
    monkeypatch.setattr(fetch, "MOST_BYTES", 1000)
    hub.put("acme/parrot-1b", "config.json", b" " * 200_000)

    assert "is no JSON" in look_up("acme/parrot-1b")


@pytest.mark.parametrize("name", ["/data/parrot/v1", "./parrot/v1", "~/models/parrot", "parrot", "", "a/b/../c" * 60])
def test_a_path_is_no_name_of_the_hub(name):
    assert repository_of(name) is None


@pytest.mark.parametrize(
    "name", ["acmé/parrot-7b", "acme/parrot--7b", "acme/parrot..7b", "acme/parrot-7b-", "acme/parrot-7b.git"]
)
def test_what_the_hubs_own_library_refuses_is_asked_of_nobody(name):
    assert not isinstance(look_up(name), ModelShape)


def test_a_path_in_the_hubs_cache_names_its_model():
    path = "/root/.cache/huggingface/hub/models--acme--parrot-1b/snapshots/9c925d64d72725edaf899c6cb9c377fd0709d9c5"

    assert "acme/parrot-1b" == repository_of(path)


def test_refusals_are_remembered_of_so_many_models_at_most(hub, monkeypatch):
    monkeypatch.setattr(looking, "_MOST_REFUSALS", 3)
    for number in range(5):
        look_up(f"acme/parrot-{number}b")

    assert 2 == len(looking._refusals)
