"""Evidence and knowledge to a diagnosis."""
