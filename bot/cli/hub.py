"""The hub, for models that the catalogue does not know: all others are answered without what speaks to it."""

from __future__ import annotations

from bot.model_shape import ModelShape


def look_up(name: str) -> ModelShape | str | None:
    """Return the shape of a model on the hub, a sentence why it cannot be read, or None where `name` is no hub name."""
    from bot.hub import look_up as hub

    return hub.look_up(name)
