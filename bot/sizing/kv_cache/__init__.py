"""The KV cache: what a layer keeps, how layers are grouped, what a request needs, what a pool holds."""
