"""The Home tab, and who may change what there."""
