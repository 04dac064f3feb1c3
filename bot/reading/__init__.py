"""Text to evidence, one reader a kind of text."""
