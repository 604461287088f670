"""The general ledger: the postings of all accounts, each with its contra account and the balance after it."""
