"""The worker: what is owed is answered, what was missed is read up."""
