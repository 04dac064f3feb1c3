"""What is taken off before anything is read: noise, wrapping, secrets."""
