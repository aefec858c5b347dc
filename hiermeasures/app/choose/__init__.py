"""The Choose page: from answers about a task to a protocol card."""
