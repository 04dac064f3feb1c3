"""Fixtures that every room shares."""
