"""The books: chart of accounts, ledger, locked period, and the projects and tasks that postings name."""
