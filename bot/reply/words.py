"""How figures are said: tokens, requests, cards and versions."""

from __future__ import annotations

from bot.deployment import Deployment


def tokens(count: float) -> str:
    """Say a number of tokens with thousands marks.

    >>> tokens(131072)
    '131,072'
    """
    return f"{round(count):,}"


def requests(concurrency: float) -> str:
    """Say how many requests fit at the same time; what is less than one never reads as one.

    >>> requests(0.258), requests(1.0), requests(1.5), requests(14.77), requests(0.9996)
    ('0.26 requests', '1 request', '1.5 requests', '14.8 requests', '0.99 requests')
    """
    rounded = round(concurrency, 2 if concurrency < 10 else 1)
    shown = 0.99 if concurrency < 1 <= rounded else rounded
    return f"{shown:,.4g} {'request' if shown == 1 else 'requests'}" if shown < 1000 else f"{shown:,.0f} requests"


def per_token(amount: float) -> str:
    """Say KV bytes per token.

    >>> per_token(131072), per_token(900)
    ('128 KiB', '900 B')
    """
    return f"{amount / 1024:,.4g} KiB" if amount >= 1024 else f"{amount:.0f} B"


def cards(deployment: Deployment) -> str | None:
    """Say which GPUs, or None when the paste does not tell; at least as many as the layout takes.

    >>> cards(Deployment(gpu="NVIDIA L4", gpu_count=2)), cards(Deployment(gpu="L4", tensor_parallel=4))
    ('2 × L4', '4 × L4')
    """
    name = deployment.card.name if deployment.card else deployment.gpu
    if not name:
        return None
    count = deployment.gpus_taken if deployment.gpu_count is None else deployment.gpu_count
    return f"{count} × {short_card(name)}"


def short_card(name: str) -> str:
    """Say a card without its maker.

    >>> short_card("NVIDIA GeForce RTX 4090")
    'RTX 4090'
    """
    return name.removeprefix("NVIDIA ").removeprefix("GeForce ")


def short_model(name: str) -> str:
    """Say a model without its organisation or folder.

    >>> short_model("org/Llama-3.1-8B"), short_model("/models/llama/")
    ('Llama-3.1-8B', 'llama')
    """
    return name.rstrip("/").rsplit("/", 1)[-1]


def inner(title: str) -> str:
    """Return a title as the middle of a sentence; abbreviations and names of facts stay.

    >>> inner("Serve fewer requests"), inner("CUDA graphs, captured"), inner("A smaller model"), inner("LoRA slots")
    ('serve fewer requests', 'CUDA graphs, captured', 'a smaller model', 'LoRA slots')
    """
    word = title.split(" ", maxsplit=1)[0].rstrip(",;:")
    is_name = len(word) > 1 and not word[1:].islower()
    return title if is_name else title[:1].lower() + title[1:]


def ended(sentence: str) -> str:
    """Return a sentence with a stop at its end; what ends in code or in a sign of its own has none to add.

    >>> ended("It fits"), ended("Does it fit?")
    ('It fits.', 'Does it fit?')
    """
    return sentence if sentence.endswith((".", "…", "!", "?", "`")) else f"{sentence}."


def alone(title: str) -> str:
    """Return a title as it stands where nothing comes before it: it is no other way any more.

    >>> alone("Or fix the KV cache by hand"), alone("Order more cards")
    ('Fix the KV cache by hand', 'Order more cards')
    """
    rest = title.removeprefix("Or ")
    return title if rest == title else rest[:1].upper() + rest[1:]


def setting(deployment: Deployment) -> str:
    """Say in one line what runs on what.

    >>> setting(Deployment(model="org/Llama-3.1-8B", gpu="NVIDIA L4", vllm_version="0.11.0"))
    'vLLM 0.11.0 · Llama-3.1-8B on 1 × L4'
    """
    version = f"vLLM {deployment.vllm_version}" if deployment.vllm_version else None
    what = " on ".join(part for part in (deployment.model and short_model(deployment.model), cards(deployment)) if part)
    return " · ".join(part for part in (version, what) if part)
