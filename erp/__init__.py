"""erp: the books, work and people of a small office, in one program it owns."""

__version__ = "0.1.0"
