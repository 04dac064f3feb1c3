"""A model's own `config.json` as a shape."""
