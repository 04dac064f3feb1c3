"""The week of a team: what broke, why, on what, what it cost, what to fix."""
