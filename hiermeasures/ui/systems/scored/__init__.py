"""The part of the Systems page where scored terms are evaluated, as CAFA does."""
