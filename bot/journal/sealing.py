"""Sealing what must not be readable in a copied database: tokens always, pastes where the operator wants it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet

_MARK = "sealed:"  # before what is sealed, so that older text beside it is read as it is


class SealError(Exception):
    """A key is missing or wrong; the sentence says what to set."""


@dataclass(frozen=True)
class Seal:
    """One or more keys, the newest first: it seals, and all of them open."""

    keys: str  # Fernet keys, with commas between them

    def __post_init__(self) -> None:
        """Refuse what is no key before anything relies on it.

        Raises:
            SealError: It is none.
        """
        self._fernet  # noqa: B018 - reading it checks it

    @cached_property
    def _fernet(self) -> MultiFernet:
        from cryptography.fernet import Fernet, MultiFernet  # noqa: PLC0415  only where something is sealed

        try:
            return MultiFernet([Fernet(key.strip()) for key in self.keys.split(",") if key.strip()])
        except ValueError as error:
            raise SealError(
                "VLLM_TRIAGE_ENCRYPTION_KEY is no key: wanted 32 bytes in URL-safe base64, or several with commas "
                "between them, the newest first. `vllm-triage db new-key` prints one."
            ) from error

    def seal(self, text: str) -> str:
        """Return a text that only a holder of the key can read."""
        return _MARK + self._fernet.encrypt(text.encode()).decode()

    def open(self, text: str) -> str:
        """Return what was sealed; a text that never was is returned as it is.

        Raises:
            SealError: None of the keys fits.
        """
        if not is_sealed(text):
            return text
        from cryptography.fernet import InvalidToken  # noqa: PLC0415  as above

        try:
            return self._fernet.decrypt(text.removeprefix(_MARK).encode()).decode()
        except InvalidToken as error:
            raise SealError(
                "None of the keys in VLLM_TRIAGE_ENCRYPTION_KEY opens what is stored: put the key that sealed it after "
                "the newest one."
            ) from error


def is_sealed(text: str) -> bool:
    """Return whether a text is sealed."""
    return text.startswith(_MARK)


def open_text(seal: Seal | None, text: str) -> str:
    """Return a stored text as it was before it was sealed.

    Raises:
        SealError: It is sealed and there is no key, or none that fits.
    """
    if not is_sealed(text):
        return text
    if seal is None:
        raise SealError("The journal holds sealed text and VLLM_TRIAGE_ENCRYPTION_KEY is not set: set the key it has.")
    return seal.open(text)


def new_key() -> str:
    """Return a new key."""
    from cryptography.fernet import Fernet  # noqa: PLC0415  as above

    return Fernet.generate_key().decode()
