"""Views and the list of transfers."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta

from erp.finance.books import accounts, voids
from erp.finance.payments.models import Status
from erp.finance.payments.transfers.bodies import TransferFilter
from erp.finance.payments.transfers.models import Transfer
from erp.kernel import caller, money
from erp.store import sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.paging import page, within
from erp.web.scalars import Money
from erp.web.schema import Page, RecordView, show


class TransferView(RecordView):
    """Money moved between own accounts.

    `amount` and `feeAmount` are in `currency`, the first account's; both have left it.
    """

    IN_BASE = ("exchange_difference",)

    created_by: str | None
    created_by_name: str | None
    number: str
    status: Status
    date: str
    from_account_id: str
    from_account_code: str
    from_account_name: str
    to_account_id: str
    to_account_code: str
    to_account_name: str
    amount: Money
    currency: str
    received_amount: Money
    received_currency: str
    fee_amount: Money | None
    exchange_difference: Annotated[Money, Meta(description="In the base currency, a gain above zero.")]
    reference: str | None
    note: str | None
    journal_entry_id: str
    journal_entry_number: str
    voided_at: str | None
    void_reason: str | None
    can: Annotated[list[Literal["void"]], Meta(description="Actions on the transfer open to you now.")]

    @classmethod
    def of(cls, transfer: Transfer) -> "TransferView":
        """Show a transfer."""
        return cls.of_many([transfer])[0]

    @classmethod
    def of_many(cls, transfers: Sequence[Transfer]) -> "list[TransferView]":
        """Show transfers; one query, however many they are."""
        ids = sql.array([transfer.id for transfer in transfers])
        named = {id: row for id, *row in WORKSPACE.rows(_NAMES_OF_ACCOUNTS, (ids,))}
        return [
            show(cls, transfer, **_derived(transfer), **dict(zip(_NAMED_FIELDS, named[transfer.id], strict=True)))
            for transfer in transfers
        ]


def search(query: TransferFilter) -> Page[TransferView]:
    select = Transfer.select()
    if query.status is not None:
        select = select.where(Transfer.status == query.status)
    if query.account_id is not None:
        account = accounts.refer(query.account_id, "accountId", postable=False)
        select = select.where((Transfer.from_account == account.id) | (Transfer.to_account == account.id))
    select = within(select, query, Transfer.date)
    return page(select, query, views=TransferView.of_many, sort=query.sort, sortable={"date": Transfer.date})


_NAMED_FIELDS = ("from_account_code", "from_account_name", "to_account_code", "to_account_name", "journal_entry_number")
_NAMES_OF_ACCOUNTS = """
SELECT t.id, source.code, source.name, target.code, target.name, entry.number
FROM transfer AS t JOIN account AS source ON source.id = t.from_account_id
JOIN account AS target ON target.id = t.to_account_id JOIN journal_entry AS entry ON entry.id = t.journal_entry_id
WHERE t.id IN (SELECT value FROM json_each(?))
"""


def _derived(transfer: Transfer) -> dict[str, Any]:
    fee = transfer.fee_amount
    return {
        "date": transfer.date.isoformat(),
        "amount": money.text(transfer.amount, transfer.currency),
        "received_amount": money.text(transfer.received_amount, transfer.received_currency),
        "fee_amount": None if fee is None else money.text(fee, transfer.currency),
        "exchange_difference": money.text(transfer.exchange_difference, workspace_settings.current().base_currency),
        "can": caller.allowed("finance.write", {"void": lambda: voids.check_voidable(transfer)}),
    }
