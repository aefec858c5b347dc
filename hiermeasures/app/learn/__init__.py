"""The Learn page: lessons of cards with questions, exercises, and My lesson."""
