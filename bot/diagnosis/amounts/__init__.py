"""Named amounts that conditions, fixes and sentences of the knowledge may speak of."""
