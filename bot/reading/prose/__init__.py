"""What people name in their sentences."""
