"""The Learn page: lessons of cards with questions, exercises, and a lesson of one's own."""
