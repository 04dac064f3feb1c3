"""How figures are said: tokens, requests, cards and versions."""

from __future__ import annotations

from bot.deployment import Deployment
from bot.units import Bytes


def tokens(count: float) -> str:
    """Say a number of tokens with thousands marks.

    >>> tokens(131072)
    '131,072'
    """
    return f"{round(count):,}"


def short_tokens(count: int) -> str:
    """Say a context length as people do.

    >>> short_tokens(32768), short_tokens(5632), short_tokens(1500)
    ('32k', '5.5k', '1,500')
    """
    if count >= 1024 and count % 512 == 0:
        return f"{count / 1024:g}k"
    return f"{count:,}"


def requests(concurrency: float) -> str:
    """Say how many requests fit at the same time; what is less than one never reads as one.

    >>> requests(0.258), requests(1.0), requests(1.5), requests(14.77), requests(0.9996)
    ('0.26 requests', '1 request', '1.5 requests', '14.8 requests', '0.99 requests')
    """
    rounded = round(concurrency, 2 if concurrency < 10 else 1)
    shown = 0.99 if concurrency < 1 <= rounded else rounded
    return f"{shown:,.4g} {'request' if shown == 1 else 'requests'}" if shown < 1000 else f"{shown:,.0f} requests"


def gib(amount: Bytes) -> str:
    """Say an amount in GiB without the unit, for columns.

    >>> gib(Bytes.gib(4.126)), gib(Bytes.gib(-6.26))
    ('4.13', '−6.26')
    """
    return f"{'−' if amount < 0 else ''}{abs(amount.in_gib):,.2f}"


def per_token(amount: float) -> str:
    """Say KV bytes per token.

    >>> per_token(131072), per_token(900)
    ('128 KiB', '900 B')
    """
    return f"{amount / 1024:,.4g} KiB" if amount >= 1024 else f"{amount:.0f} B"


def cards(deployment: Deployment) -> str | None:
    """Say which GPUs, or None when the paste does not tell.

    >>> cards(Deployment(gpu="NVIDIA L4", gpu_count=2))
    '2 × L4'
    """
    name = deployment.card.name if deployment.card else deployment.gpu
    if not name:
        return None
    short = name.removeprefix("NVIDIA ").removeprefix("GeForce ")
    return f"{deployment.gpu_count or 1} × {short}"


def model_name(deployment: Deployment) -> str | None:
    """Say the model without its organisation."""
    return deployment.model.rstrip("/").rsplit("/", 1)[-1] if deployment.model else None


def setting(deployment: Deployment) -> str:
    """Say in one line what runs on what.

    >>> setting(Deployment(model="org/Llama-3.1-8B", gpu="NVIDIA L4", vllm_version="0.11.0"))
    'vLLM 0.11.0 · Llama-3.1-8B on 1 × L4'
    """
    version = f"vLLM {deployment.vllm_version}" if deployment.vllm_version else None
    what = " on ".join(part for part in (model_name(deployment), cards(deployment)) if part)
    return " · ".join(part for part in (version, what) if part)
