"""Private keys in blocks of lines."""

from __future__ import annotations

import pytest

from bot.reading.noise.scrub import scrub

LINE = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7letmein01234"
BLOCKS = {
    "whole": f"-----BEGIN PRIVATE KEY-----\n{LINE}\n{LINE}\n-----END PRIVATE KEY-----",
    "with headers": f"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AB\n\n{LINE}\n-----END RSA PRIVATE KEY-----",
    "of a keyring": f"-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{LINE}\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----",
    "indented": f"tls.key: |\n    -----BEGIN EC PRIVATE KEY-----\n    {LINE}\n    -----END EC PRIVATE KEY-----",
    "in one line": f'"-----BEGIN PRIVATE KEY-----\\n{LINE}\\n-----END PRIVATE KEY-----\\n"',
    "without its end": f"-----BEGIN PRIVATE KEY-----\n{LINE}\n{LINE}",
    "without its beginning": f"{LINE}\n{LINE}\nabc=\n-----END RSA PRIVATE KEY-----",
    "of another program": f"PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 2\n{LINE}\n{LINE}\nx",
}


@pytest.mark.parametrize("kind", BLOCKS)
def test_a_key_goes_and_the_lines_around_it_stay(kind: str) -> None:
    scrubbed = scrub(f"before it\n{BLOCKS[kind]}\nINFO 01-01 10:00:00 [core.py:1] behind it")

    assert ("before it", False, "INFO 01-01 10:00:00 [core.py:1] behind it", BLOCKS[kind].count("\n") + 2) == (
        scrubbed.split("\n")[0],
        LINE in scrubbed,
        scrubbed.split("\n")[-1],
        scrubbed.count("\n"),
    )
