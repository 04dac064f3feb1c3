"""The weekly digest on its way into a channel."""
