"""Reports: each figure of the books, added up from postings."""
