"""Where the knowledge lies."""

from pathlib import Path

import bot

KNOWLEDGE = Path(bot.__file__).parent.parent / "knowledge"
