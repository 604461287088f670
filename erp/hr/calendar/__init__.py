"""The days on which people work: the weekly pattern, employment and holidays."""
