"""Checks of a file: the engine's own, its structure, the chain of events, the books, pay and leave."""
