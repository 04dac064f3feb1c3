"""Amounts of memory: whole bytes, read and printed in binary units only."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from pydantic_core import core_schema

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler

_AMOUNT = re.compile(r"\s*([-+]?\d+(?:[.,]\d+)?)\s*([KMGT])?(i)?(B|bytes?)?\s*\Z", re.IGNORECASE)
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}


class Bytes(int):
    """A whole number of bytes; `Bytes // Bytes` counts, `Bytes / Bytes` is a ratio.

    >>> Bytes.gib(2) // Bytes.mib(512)
    4
    >>> str(Bytes.gib(1.5))
    '1.50 GiB'
    """

    __slots__ = ()

    @classmethod
    def gib(cls, amount: float) -> Bytes:
        """Return `amount` × 2^30 bytes."""
        return cls(round(amount * 2**30))

    @classmethod
    def mib(cls, amount: float) -> Bytes:
        """Return `amount` × 2^20 bytes."""
        return cls(round(amount * 2**20))

    @classmethod
    def parse(cls, text: str, *, decimal_prefix: str = "refuse") -> Bytes:
        """Read "16.00 GiB" or "512 MiB"; say what "GB" means with `decimal_prefix`.

        Args:
            text: A number and a unit; a bare number is bytes.
            decimal_prefix: "refuse", "binary" (vLLM's old "GB" is GiB) or "decimal" (10⁹, datasheets).

        Raises:
            ValueError: No amount, or a "GB" whose meaning was not given.
        """
        found = _AMOUNT.match(text)
        if not found:
            raise ValueError(f"{text!r} is no amount of memory; write it like '16 GiB' or '512 MiB'")
        number, prefix, binary, _ = found.groups()
        power = _POWERS[(prefix or "").upper()]
        if power and not binary and decimal_prefix == "refuse":
            raise ValueError(f"{text!r} may mean 10^{3 * power} or 2^{10 * power} bytes; write {prefix.upper()}iB")
        base = 1000 if power and not binary and decimal_prefix == "decimal" else 1024
        amount = float(number.replace(",", ".")) * base**power
        if not math.isfinite(amount):
            raise ValueError(f"{text[:20]!r}… is more memory than there is")
        return cls(round(amount))

    @property
    def in_gib(self) -> float:
        """The amount in GiB."""
        return int(self) / 2**30

    @property
    def in_mib(self) -> float:
        """The amount in MiB."""
        return int(self) / 2**20

    def __add__(self, other: int) -> Bytes:
        return Bytes(int.__add__(self, other))

    __radd__ = __add__

    def __sub__(self, other: int) -> Bytes:
        return Bytes(int.__sub__(self, other))

    def __neg__(self) -> Bytes:
        return Bytes(int.__neg__(self))

    def __abs__(self) -> Bytes:
        return Bytes(int.__abs__(self))

    def __mul__(self, factor: float) -> Bytes:
        return Bytes(int(int(self) * factor))

    __rmul__ = __mul__

    def __str__(self) -> str:
        return f"{self.in_gib:,.2f} GiB" if abs(self) >= 2**27 else f"{self.in_mib:,.1f} MiB"

    def __repr__(self) -> str:
        return f"Bytes({int(self)})"

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(
            _validate, serialization=core_schema.plain_serializer_function_ser_schema(int)
        )


def _validate(value: object) -> Bytes:
    if isinstance(value, Bytes):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise ValueError(f"{value!r} is no amount of memory; write it like '16 GiB'")
    return Bytes(value) if isinstance(value, int) else Bytes.parse(value)
