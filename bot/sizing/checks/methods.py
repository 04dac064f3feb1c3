"""Quantization methods: the releases and cards that have them, and the checkpoints that they load."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from packaging.version import Version

from bot.deployment import Deployment, Gpu
from bot.model_shape import Quantization
from bot.sizing.eras import Release, release_of
from bot.sizing.terms import Refusal


class Method(NamedTuple):
    """The least compute capability a method takes, newest release first; the first and last release that have it."""

    least: tuple[tuple[Release, float], ...] = ()
    since: Version | None = None
    until: Version | None = None


def _method(least: float, since: str = "", until: str = "", **lower: float) -> Method:
    """Return a method; `from_0_14=7.5` is the least capability from that release on."""
    changes = [(tuple(map(int, name.split("_")[1:])), value) for name, value in lower.items()]
    steps = (*reversed(changes), ((0,), least))
    return Method(steps, Version(since) if since else None, Version(until) if until else None)


# Source: QUANTIZATION_METHODS and get_min_capability of each config and scheme, read in 90 releases from 0.1.7 to 0.33.0.
METHODS = {
    "aqlm": _method(7.0, "0.4.1", "0.10.0", from_0_4_3=6.0),
    "auto-round": _method(6.0, "0.9.0"),
    "awq": _method(7.5),
    "awq_marlin": _method(8.0, "0.5.3", from_0_14=7.5),
    "bitblas": _method(7.0, "0.8.5", "0.15.1"),
    "bitsandbytes": _method(7.0, "0.5.0", "0.27.1"),
    "compressed-tensors": _method(7.0, "0.4.3"),
    "compressed-tensors int-quantized": _method(7.5, "0.5.0"),
    "compressed-tensors float-quantized": _method(8.9, "0.5.3", from_0_5_4=8.0, from_0_16=7.5),
    "compressed-tensors pack-quantized": _method(8.0, "0.5.1", from_0_12=7.5),
    "compressed-tensors nvfp4": _method(8.0, "0.9.0", from_0_16=7.5),
    "deepspeedfp": _method(6.0, "0.4.3", "0.14.1"),
    "experts_int8": _method(8.0, "0.5.5"),
    "fbgemm_fp8": _method(8.0, "0.5.3"),
    "fp8": _method(9.0, "0.4.1", from_0_4_2=8.9, from_0_5_1=8.0, from_0_14=7.5),
    "fp_quant": _method(10.0, "0.11.1"),
    "gguf": _method(6.0, "0.5.5", "0.23.0"),
    "gptq": _method(6.0, "0.2.6"),
    "gptq_bitblas": _method(7.0, "0.8.5", "0.15.1", from_0_9=8.0),
    "gptq_marlin": _method(8.0, "0.4.2", from_0_14=7.5),
    "gptq_marlin_24": _method(8.0, "0.4.3", "0.15.1"),
    "hqq": _method(8.0, "0.6.5", "0.14.1"),
    "marlin": _method(8.0, "0.3.3", "0.10.1.1"),
    "modelopt": _method(8.9, "0.6.1", from_0_27=8.0),
    "modelopt_mixed": _method(8.9, "0.17.0", from_0_24=7.5),
    "mxfp4": _method(8.0, "0.10.1"),
    "mxfp8": _method(10.0, "0.16.0", from_0_20=8.0),
    "nvfp4": _method(10.0, "0.8.0", from_0_9=8.0, from_0_14=7.5),
    "petit_nvfp4": _method(9.0, "0.10.2", "0.19.1"),
    "qqq": _method(8.0, "0.5.4", "0.10.1.1"),
    "quark": _method(7.0, "0.7.0"),
    "rtn": _method(8.0, "0.9.2", "0.14.1"),
    "squeezellm": _method(7.0, until="0.6.0"),
    "torchao": _method(7.5, "0.8.4"),
}  # fmt: skip

# Refused behind this release but with --allow-deprecated-quantization. Source: DEPRECATED_QUANTIZATION_METHODS.
_DEPRECATED = frozenset({"fbgemm_fp8", "fp_quant"})
_LAST_UNASKED = Version("0.14.1")

# Methods that load only a checkpoint stored so: they read its quantization config. Source: get_config_filenames.
_STORED = frozenset({
    "aqlm", "auto-round", "awq", "awq_marlin", "auto_awq", "auto_gptq", "compressed-tensors", "gptq", "gptq_bitblas", "gptq_marlin",
    "gptq_marlin_24", "marlin", "modelopt", "modelopt_fp4", "modelopt_mixed", "qqq", "quark", "squeezellm",
})  # fmt: skip

# How the flag may call what a checkpoint calls otherwise. Source: override_quantization_method of each config.
_SPELLINGS = {
    "awq": frozenset({"awq", "awq_marlin", "auto_awq", "cpu_awq", "humming", "inc", "ipex", "moe_wna16"}),
    "gptq": frozenset({
        "auto_gptq", "bitblas", "cpu_gptq", "gptq", "gptq_bitblas", "gptq_marlin", "gptq_marlin_24", "humming", "inc", "ipex", "marlin",
        "moe_wna16",
    }),
    "bitsandbytes": frozenset({"bitsandbytes"}),
    "compressed-tensors": frozenset({"compressed-tensors", "compressed_tensors", "humming"}),
    "fp8": frozenset({"fp8", "humming", "inc"}),
    "mxfp4": frozenset({"mxfp4", "gpt_oss_mxfp4", "humming", "quark"}),
}  # fmt: skip


def refuse(deployment: Deployment) -> Iterator[Refusal]:
    """Yield what version and card cannot do, as far as they are known, and a flag that the checkpoint contradicts."""
    name = method_of(deployment)
    version = deployment.vllm_version
    release = release_of(version) if version else None
    if name is not None and version is not None and (message := _absent(name, version, deployment)):
        yield Refusal(name="quantization", message=message, problem="quant-format-mismatch")
    elif name is not None and deployment.card is not None and (message := _beyond(name, deployment.card, release)):
        yield Refusal(name="quantization", message=message, problem="quant-unsupported-on-gpu")
    if message := _mismatch(deployment):
        yield Refusal(name="quantization", message=message, problem="quant-format-mismatch")


def last_release(deployment: Deployment) -> Version | None:
    """Return the last release that takes the method unasked, None where the latest does or nothing is quantized."""
    name = method_of(deployment) or ""
    if name in _DEPRECATED and not _allows_deprecated(deployment):
        return _LAST_UNASKED
    found = METHODS.get(name)
    return found.until if found else None


def method_of(deployment: Deployment) -> str | None:
    """Return the method as METHODS calls it: as the flag says, or as the checkpoint is stored.

    Of compressed-tensors and ModelOpt it is the scheme that decides.
    """
    held = deployment.shape.quantization if deployment.shape else None
    scheme = _scheme(held) if held else None
    return scheme or (deployment.quantization or (held.method if held else "")).lower() or None


def _scheme(held: Quantization) -> str | None:
    algorithm = (held.algorithm or "").lower()
    if held.method == "compressed-tensors":
        return next((name for name in (f"{held.method} {algorithm}", held.method) if name in METHODS), None)
    for name in ("nvfp4", "mxfp8"):
        if name in algorithm:
            return name
    return "modelopt_mixed" if held.method == "modelopt" and algorithm == "mixed_precision" else None


def _absent(name: str, version: Version, deployment: Deployment) -> str:
    """Return why a version does not have the method; nothing where it has."""
    found, release, plain = METHODS.get(name), release_of(version), name.partition(" ")[0]
    if found is None:
        return ""
    if found.since is not None and release < release_of(found.since):
        return f"vLLM {version} has no {name} yet; it came with {found.since}"
    if found.until is not None and release > release_of(found.until):
        return (
            f"vLLM {version} has no {plain} any more, {found.until} was the last with it; take another checkpoint of the "
            "model, or that release"
        )
    if plain in _DEPRECATED and release > release_of(_LAST_UNASKED) and not _allows_deprecated(deployment):
        return f"The quantization method {plain} is deprecated; vLLM {version} wants --allow-deprecated-quantization"
    return ""


def _allows_deprecated(deployment: Deployment) -> bool:
    return any(word.startswith("--allow-deprecated-quantization") for word in deployment.other_arguments)


def _beyond(name: str, card: Gpu, release: Release | None) -> str:
    """Return why the card cannot do the method; nothing where it can."""
    found, capability = METHODS.get(name), card.compute_capability
    if found is None or capability is None or card.vendor != "nvidia":
        return ""
    least = next((least for since, least in found.least if release is None or release >= since), 0.0)
    if capability >= least:
        return ""
    return (
        f"The quantization method {name.partition(' ')[0]} is not supported for the current GPU. Minimum capability: "
        f"{round(least * 10)}. Current capability: {round(capability * 10)} ({card.name})"
    )


def _mismatch(deployment: Deployment) -> str:
    """Return how the flag contradicts the checkpoint, where that is known for certain and not only by a name like it."""
    asked, shape = (deployment.quantization or "").lower(), deployment.shape
    if not asked or shape is None or (deployment.model or shape.name).lower() != shape.name.lower():
        return ""
    held = shape.quantization
    if held is None and asked in _STORED:
        return (
            f"{shape.name} is stored in 16 bits, and {asked} loads only checkpoints that are stored so (vLLM: Cannot find "
            f"the config file for {asked}); name such a checkpoint, or take fp8, which quantizes while loading"
        )
    if held is None or not held.is_known or asked in _SPELLINGS.get(held.method, {asked}):
        return ""
    return (
        f"Quantization method specified in the model config ({held.method}) does not match the quantization method "
        f"specified in the `quantization` argument ({asked})."
    )
