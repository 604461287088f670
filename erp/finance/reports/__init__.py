"""Reports: figures computed from postings."""
