"""One process on one computer: it listens, serves, stops, and writes its log."""
