"""A value that never changes, of which all other values are made."""

from __future__ import annotations

from typing import Self

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A value that never changes and refuses fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, protected_namespaces=())

    def __copy__(self) -> Self:
        """Return a copy without what was worked out of the fields, which a copy may be made to replace."""
        copied = super().__copy__()
        for name in vars(copied).keys() - type(self).model_fields.keys():
            del vars(copied)[name]
        return copied
