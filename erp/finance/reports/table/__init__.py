"""The shape of all reports, a tree, and its files: CSV, Excel and PDF."""
