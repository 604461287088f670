"""VAT payable entries: the tax of a return moves from the tax accounts to VAT payable."""

from collections import Counter
from collections.abc import Iterable
from datetime import date

from erp.finance.books import accounts, default_accounts, ledger, periods
from erp.finance.books.ledger import Leg
from erp.finance.reports.period import Span
from erp.finance.reports.tax import computing, figures, filing, queries
from erp.finance.reports.tax.bodies import Settlement, SettlementUndo
from erp.finance.reports.tax.computing import Computed
from erp.finance.reports.tax.counting.facts import Fact
from erp.finance.reports.tax.models import TaxReturn
from erp.kernel.complaints import refuse_any
from erp.kernel.errors import Invalid, InvalidTransition
from erp.kernel.language import Noun, says
from erp.store import events, workspace_settings
from erp.store.router import WORKSPACE


class Outdated(InvalidTransition):
    """The figures have changed since the VAT return was filed. File a corrected return, then post its VAT payable."""


def settle(id: str, body: Settlement) -> TaxReturn:
    """Post the VAT payable of a filed return.

    Cents that the form cuts are rounding differences; by net tax rates, the rest of the tax is a gain.

    Raises:
        InvalidTransition: it has been settled, a later correction has been filed, or nothing is to be moved.
        Outdated: the figures have changed since.
        Invalid: the account does not serve.
        PeriodLocked: the day is in the locked period.
    """
    tax_return = TaxReturn.find_to_change(id)
    check_settleable(tax_return)
    computed = _computed(tax_return)
    if computed.figures.payable != tax_return.payable:
        raise Outdated
    periods.check_not_ahead(body.date, "date", allow_future=body.allow_future)
    legs = _legs(tax_return, computed, _account(body))
    if len(legs) < 2:
        raise InvalidTransition(says("The VAT payable of this return is 0.00, so nothing can be posted."))
    text = f"Settlement of the tax from {tax_return.date_from} to {tax_return.date_to}"
    entry = ledger.post(
        _day(body, tax_return),
        text,
        legs,
        kind="tax_settlement",
        source=("tax_return", id),
        reference=tax_return.reference,
    )
    tax_return.change(journal_entry_id=entry.id)
    events.write("tax_return.settled", "tax_return", id, filing.event_data(tax_return), entries=[entry])
    return tax_return


def undo(id: str, body: SettlementUndo) -> TaxReturn:
    """Reverse a VAT payable entry.

    Raises:
        InvalidTransition: it has not been settled, or a correction of it has.
        DatedTooEarly: the day is before the settlement's.
        PeriodLocked: the day is in the locked period.
    """
    tax_return = TaxReturn.find_to_change(id)
    check_undoable(tax_return)
    day = body.date or max(workspace_settings.today(), _posted_on(tax_return))
    entry = ledger.reverse(str(tax_return.journal_entry_id), day, "Undoing of a settlement of tax")
    tax_return.change(journal_entry_id=None)
    events.write("tax_return.unsettled", "tax_return", id, filing.event_data(tax_return), entries=[entry])
    return tax_return


def check_settleable(tax_return: TaxReturn) -> None:
    """Refuse to post a return twice, or one that has been corrected."""
    if tax_return.journal_entry_id is not None:
        raise InvalidTransition(says("The VAT payable of this return has been posted."))
    if any(other.correction > tax_return.correction for other in _of_days(tax_return)):
        raise InvalidTransition(says("The VAT return has been corrected. Post the VAT payable of the last correction."))


def check_undoable(tax_return: TaxReturn) -> None:
    """Refuse to reverse a missing entry, or one that a posted correction builds on."""
    if tax_return.journal_entry_id is None:
        raise InvalidTransition(says("The VAT payable of this return has not been posted."))
    if any(other.correction > tax_return.correction and other.journal_entry_id for other in _of_days(tax_return)):
        raise InvalidTransition(says("The VAT payable of a corrected return is posted. Reverse it first."))


def _computed(tax_return: TaxReturn) -> Computed:
    form = queries.form_of(tax_return.form, tax_return.date_to)
    return computing.compute(form, Span(tax_return.date_from, tax_return.date_to))


def _legs(tax_return: TaxReturn, computed: Computed, account_id: str) -> list[Leg]:
    """The return's part of each account, less the parts moved by earlier returns of the days, and the VAT payable."""
    owed = _owed(computed.counting.counted(), computed)
    payable = tax_return.payable
    for other in _of_days(tax_return):
        if other.journal_entry_id is not None:
            moved = dict(WORKSPACE.rows(_MOVED, (other.journal_entry_id,)))
            owed.subtract({id: amount for id, amount in moved.items() if id in owed})
            payable -= other.payable
    rest = payable - sum(owed.values())
    legs: Counter[str] = Counter(owed)
    legs[account_id] -= payable
    legs[_difference(computed)] += rest
    return [Leg(id, amount) for id, amount in sorted(legs.items()) if amount]


def _owed(facts: Iterable[Fact], computed: Computed) -> Counter[str]:
    """The return's part of the accounts of tax: above zero for tax owed."""
    owed: Counter[str] = Counter()
    rates = computed.counting.rates
    for fact in facts:
        if not figures.has_tax_in_box(computed.form, fact, rates):
            continue
        rate = rates[fact.rate_id]
        owed[rate.output_account_id] += fact.tax
        owed[rate.input_account_id] -= fact.input
    return owed


def _account(body: Settlement) -> str:
    if body.account_id is None:
        own = default_accounts.by_key()
        return own.get("tax_settlement") or own["tax"]
    refs, refused = accounts.look_up({"accountId": body.account_id})
    refuse_any(refused, Noun("account"))
    account = refs["accountId"]
    if account.needs_contact:
        message = says("Account {code} needs a contact. Choose a tax account.", code=account.code)
        raise Invalid.one("accountId", "unfit_account", message)
    return account.id


def _difference(computed: Computed) -> str:
    """The account of what the return leaves of the tax: rounding, or the gain of net tax rates."""
    own = default_accounts.by_key()
    return own.get("net_tax_gain") or own["sales"] if computed.form.method == "net_rate" else own["rounding"]


def _day(body: Settlement, tax_return: TaxReturn) -> date:
    """The day of the entry: by default the last of the return, or today if that is locked."""
    lock_date, last = workspace_settings.current().lock_date, tax_return.date_to
    if body.date is not None:
        return body.date
    day: date = last if lock_date is None or lock_date < last else workspace_settings.today()
    return day


def _posted_on(tax_return: TaxReturn) -> date:
    ((day,),) = WORKSPACE.rows("SELECT date FROM journal_entry WHERE id = ?", (tax_return.journal_entry_id,))
    return date.fromisoformat(day)


def _of_days(tax_return: TaxReturn) -> list[TaxReturn]:
    """All returns of the same days."""
    days = str(tax_return.date_from), str(tax_return.date_to)
    return TaxReturn.fetch(
        "SELECT * FROM tax_return WHERE form = ? AND date_from = ? AND date_to = ?", tax_return.form, *days
    )


_OF_DAYS = "SELECT * FROM tax_return WHERE form = ? AND date_from = ? AND date_to = ?"
_MOVED = "SELECT account_id, sum(amount) FROM posting WHERE entry_id = ? GROUP BY account_id"
