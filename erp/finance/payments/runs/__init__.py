"""Payment runs: bills that are paid together, one transfer a supplier, with a file for the bank."""
