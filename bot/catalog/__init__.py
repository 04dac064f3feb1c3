"""The knowledge base as types, and the readers of its files."""
