"""Present: one instance, or two predictions side by side, large and with its values hidden, for thinking first."""
