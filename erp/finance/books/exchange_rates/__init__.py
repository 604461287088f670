"""Exchange rates by day: entered by hand, or from the files of the European Central Bank."""
