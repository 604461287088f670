"""Leave: types, applications, decisions, the leave ledger and its balances."""
