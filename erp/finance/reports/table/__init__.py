"""The tree that every report is, and its files: CSV, Excel and PDF."""
