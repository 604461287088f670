"""The books: chart, ledger, periods, and what postings refer to; everything else builds on them."""
