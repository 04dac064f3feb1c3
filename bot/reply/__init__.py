"""A diagnosis to a document, and one renderer a look."""
