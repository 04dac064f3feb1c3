"""People's own words: what they ask, tell and complain of."""
