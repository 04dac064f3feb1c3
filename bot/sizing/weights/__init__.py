"""Weights per GPU, one file a kind of tensor."""
