"""Share links: one document, by one secret, until a day."""
