"""What an operator needs before the app runs: manifest, scopes, doctor."""
