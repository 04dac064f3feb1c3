"""Fixes applied, sized again, and said as commands."""
