"""What stands where a secret would, and tells that none was pasted: `<token>`, `$HF_TOKEN`, `hf_xxxx`, `YOUR_TOKEN_HERE`."""

from __future__ import annotations

import re

_OPENS = "<{([:/"  # where what stands for a secret has only begun
_SHAPE = re.compile(
    r"""(?:[A-Za-z0-9]{1,8}[_-]){0,3}(?:AKIA|ASIA|AIza(?:Sy)?|dapi|SG\.)?(?:    # what tokens begin with
        (?:[xX]{3}|[*•●·]{2}|\.{3}|…)[xX*•●·.…_-]*+                       # and is filled up
      | \$(?:[A-Z_][A-Z0-9_]*+\Z|[{(]|env:)                               # a shell's variable, or what a command says
      | \$\w{0,40}?(?:token|key|secret|pass|pw|auth)\w{0,40}+\Z
      | %(?:[A-Za-z_]\w*+%|s\Z|\()
      | [<{] | \[\[ | /dev/
      | [(\[]?(?i:redacted|masked|hidden|removed|omitted)[)\]]?\Z
      | (?i:none|null|nil|true|false|empty|changeme|dummy|placeholder|example)\Z
      | (?i:your|insert|replace)(?:[_\s-][A-Za-z]{1,20}){1,6}+\Z
      | (?:[A-Za-z]{1,20}[_\s-]){1,6}+(?i:here|needed|required)\Z
    )""",
    re.VERBOSE,
)


def is_placeholder(value: str) -> bool:
    """Return whether a value only says where a secret belongs; a command that holds it can be shown as it is.

    >>> is_placeholder("hf_xxxxxxxx"), is_placeholder("${HF_TOKEN}"), is_placeholder("xxxHunter2")
    (True, True, False)
    """
    found = _SHAPE.match(value)
    return found is not None and (found.end() == len(value) or value[found.end() - 1] in _OPENS)
