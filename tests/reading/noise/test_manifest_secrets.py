"""What a manifest of the kind Secret holds."""

from __future__ import annotations

import pytest

from bot.reading.noise.scrub import scrub

HEAD = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: hub\n"
# Each holds "letmein", which must go.
MANIFESTS = (
    f"{HEAD}type: Opaque\nstringData:\n  hub: letmein\n  other: 'letmein2'", f"{HEAD}data:\n  hub: letmein==\n", "apiVersion: v1\ndata:\n  hub: letmein==\nkind: Secret\nmetadata:\n  name: hub\n", "stringData:\n  hub: letmein\n",
    f"kubectl apply -f - <<EOF\n{HEAD}data:\n  hub: letmein==\nEOF", f"{HEAD}stringData:\n  config.json: |\n    letmein\n  a: b\n", '{"apiVersion": "v1", "data": {"hub": "letmein=="}, "kind": "Secret"}', '{\n  "data": {\n    "hub": "letmein=="\n  },\n  "kind": "Secret"\n}',
    "items:\n- apiVersion: v1\n  data:\n    hub: letmein==\n  kind: Secret\n",
)  # fmt: skip
KEPT = (
    "kind: ConfigMap\ndata:\n  model: Qwen/Qwen3-8B\n---\nkind: Secret\nmetadata:\n  name: hub\n", "kind: Pod\nenv:\n- name: HF_TOKEN\n  valueFrom:\n    secretKeyRef:\n      name: hub\n      key: hub\n", "Secret data:\n  none", f"{HEAD}stringData:\n  hub: <your token>\n",
    "kind: Secret\nmy-data:\n  model: m\n", f"{HEAD}---\nkind: ConfigMap\ndata:\n  model: Qwen/Qwen3-8B\n", f"{HEAD}---\ndata:\n  model: Qwen/Qwen3-8B\n---\n{HEAD}",
)  # fmt: skip


@pytest.mark.parametrize("text", MANIFESTS)
def test_every_value_of_a_secret_goes(text: str) -> None:
    once = scrub(text)

    assert ("letmein" in once, text.count("\n"), scrub(once)) == (False, once.count("\n"), once)


@pytest.mark.parametrize("text", KEPT)
def test_what_other_manifests_hold_stays(text: str) -> None:
    assert text == scrub(text)


def test_what_stands_beside_the_values_of_a_secret_stays() -> None:
    assert "- data:\n    hub: <secret>\n  kind: Secret\n  type: Opaque" == scrub(
        "- data:\n    hub: bGV0\n  kind: Secret\n  type: Opaque"
    )
