"""Where in a config.json the language model stands, and by which of its many names each setting goes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# A multimodal model keeps its language model in a section of its own; an omni model nests twice.
_SECTIONS = ("thinker_config", "text_config", "llm_config", "language_config", "language_model_config", "text_model")


class UnreadableConfigError(ValueError):
    """A config.json lacks what every model has; `names` are the settings that were looked for."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        super().__init__(f"the config has none of {', '.join(names)}; paste the model's whole config.json")


class Settings:
    """The language model's part of a config.json, with the outer part behind it."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.outer = config
        self.inner: Mapping[str, Any] = config
        while section := next((s for s in _SECTIONS if isinstance(self.inner.get(s), Mapping)), None):
            self.inner = self.inner[section]

    def get(self, *names: str, default: Any = None) -> Any:
        """Return the first setting of these names that is not null."""
        for name in names:
            value = self.inner.get(name)
            if value is None:
                value = self.outer.get(name)
            if value is not None:
                return value
        return default

    def number(self, *names: str) -> int | None:
        """Return the first of these settings that is a whole number."""
        for name in names:
            value = self.get(name)
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                continue
            return int(value)
        return None

    def need(self, *names: str) -> int:
        """Return a whole number that every model states.

        Raises:
            UnreadableConfigError: None of the settings is there.
        """
        found = self.number(*names)
        if found is None:
            raise UnreadableConfigError(names)
        return found

    def words(self, name: str) -> list[Any] | None:
        """Return a setting that is a list, if it is one."""
        value = self.get(name)
        return list(value) if isinstance(value, (list, tuple)) else None

    def section(self, name: str) -> Mapping[str, Any]:
        """Return a section of the settings; an empty one where there is none."""
        value = self.get(name)
        return value if isinstance(value, Mapping) else {}

    @property
    def model_type(self) -> str:
        """The language model's type, without the suffix of a multimodal wrapper."""
        own = self.inner.get("model_type") or self.outer.get("model_type") or ""
        return str(own).removesuffix("_text")

    @property
    def architecture(self) -> str | None:
        """The class that vLLM builds."""
        names = self.outer.get("architectures") or self.inner.get("architectures") or ()
        return str(names[0]) if names else None
