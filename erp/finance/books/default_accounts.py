"""The accounts that the program posts to by itself, each under a key such as `receivable`."""

from erp.store.router import WORKSPACE

STAND_INS = {
    **{f"{kind}_exchange_{side}": "exchange" for kind in ("realised", "unrealised") for side in ("gains", "losses")},
    "discounts_given": "sales",
    "discounts_received": "cost_of_sales",
    "doubtful_receivables": "receivable",
    "recovered_debts": "bad_debts",
    "small_difference_gains": "rounding",
    "small_difference_losses": "rounding",
    "low_value_expense": "depreciation",
    "reminder_charges": "sales",
    "default_interest": "sales",
    "pool_depreciation": "depreciation",
}
"""Keys that older workspaces lack, and the key whose account serves there until another one is chosen."""


def of(key: str) -> str:
    """The id of the account with a key."""
    return by_key()[key]


def by_key() -> dict[str, str]:
    """The ids of the accounts by their keys."""
    return WORKSPACE.memo("default_accounts", _read)


def _read() -> dict[str, str]:
    own: dict[str, str] = dict(WORKSPACE.rows("SELECT key, account_id FROM default_account"))
    return {key: own[other] for key, other in STAND_INS.items() if other in own} | own
