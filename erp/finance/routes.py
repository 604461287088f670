"""The books: accounts, contacts, tax rates, products, invoices, payments, journal entries, periods and reports."""

from erp.finance.billing import time_billing
from erp.finance.billing.recurring import api as recurring_api
from erp.finance.books import accounts_api
from erp.finance.books.exchange_rates import api as exchange_rates_api
from erp.finance.closing import lock, opening
from erp.finance.closing.revaluation import api as revaluations_api
from erp.finance.contacts import api as contacts_api
from erp.finance.contacts import tax_rates_api
from erp.finance.documents import api as invoices_api
from erp.finance.documents.deductions import api as deductions_api
from erp.finance.items import api as items_api
from erp.finance.items.offsets import api as offsets_api
from erp.finance.journals import api as journals_api
from erp.finance.payments import api as payments_api
from erp.finance.payments.runs import api as runs_api
from erp.finance.payments.transfers import api as transfers_api
from erp.finance.products import api as products_api
from erp.finance.reports import account_ledger, balance_sheet, series, statements, trial_balance

ROUTES: dict[str, object] = {
    "/finance/accounts": accounts_api.Collection(),
    "/finance/accounts/{id}": accounts_api.Item(),
    "/finance/accounts/{id}/archive": accounts_api.Archive(),
    "/finance/accounts/{id}/unarchive": accounts_api.Unarchive(),
    "/finance/contacts": contacts_api.Collection(),
    "/finance/contacts/{id}": contacts_api.Item(),
    "/finance/contacts/{id}/archive": contacts_api.Archive(),
    "/finance/contacts/{id}/unarchive": contacts_api.Unarchive(),
    "/finance/contacts/{id}/statement": statements.Resource(),
    "/finance/tax-rates": tax_rates_api.Collection(),
    "/finance/tax-rates/{id}": tax_rates_api.Item(),
    "/finance/tax-rates/{id}/archive": tax_rates_api.Archive(),
    "/finance/tax-rates/{id}/unarchive": tax_rates_api.Unarchive(),
    "/finance/exchange-rates": exchange_rates_api.Collection(),
    "/finance/exchange-rates/import": exchange_rates_api.Import(),
    "/finance/exchange-rates/{id}": exchange_rates_api.Item(),
    "/finance/accounts/{id}/ledger": account_ledger.Resource(),
    "/finance/products": products_api.Collection(),
    "/finance/products/{id}": products_api.Item(),
    "/finance/products/{id}/archive": products_api.Archive(),
    "/finance/products/{id}/unarchive": products_api.Unarchive(),
    "/finance/invoices": invoices_api.Collection(),
    "/finance/invoices/issue": invoices_api.BatchIssue(),
    "/finance/invoices/preview": invoices_api.Preview(),
    "/finance/invoices/from-time-logs": time_billing.Resource(),
    "/finance/invoices/{id}": invoices_api.Item(),
    "/finance/invoices/{id}/issue": invoices_api.Issue(),
    "/finance/invoices/{id}/approve": invoices_api.Approve(),
    "/finance/invoices/{id}/void": invoices_api.Void(),
    "/finance/invoices/{id}/credit": invoices_api.Credit(),
    "/finance/invoices/{id}/write-off": invoices_api.WriteOff(),
    "/finance/invoices/{id}/write-off/undo": invoices_api.WriteOffUndo(),
    "/finance/invoices/{id}/duplicate": invoices_api.Duplicate(),
    "/finance/journals": journals_api.Collection(),
    "/finance/journals/{id}": journals_api.Item(),
    "/finance/journals/{id}/reverse": journals_api.Reverse(),
    "/finance/open-items": items_api.OpenItems(),
    "/finance/open-items/{id}": deductions_api.Item(),
    "/finance/open-items/{id}/write-off": deductions_api.WriteOff(),
    "/finance/open-items/{id}/write-off/undo": deductions_api.WriteOffUndo(),
    "/finance/allocations": items_api.Collection(),
    "/finance/allocations/{id}": items_api.Item(),
    "/finance/allocations/{id}/release": items_api.Release(),
    "/finance/offsets": offsets_api.Collection(),
    "/finance/offsets/{id}": offsets_api.Item(),
    "/finance/offsets/{id}/void": offsets_api.Void(),
    "/finance/opening-balances": opening.Collection(),
    "/finance/recurring": recurring_api.Collection(),
    "/finance/recurring/{id}": recurring_api.Item(),
    "/finance/recurring/{id}/pause": recurring_api.Pause(),
    "/finance/recurring/{id}/resume": recurring_api.Resume(),
    "/finance/recurring/{id}/run": recurring_api.Run(),
    "/finance/recurring/{id}/occurrences": recurring_api.Occurrences(),
    "/finance/revaluations": revaluations_api.Collection(),
    "/finance/revaluations/{id}": revaluations_api.Item(),
    "/finance/revaluations/{id}/void": revaluations_api.Void(),
    "/finance/periods": lock.Collection(),
    "/finance/periods/lock": lock.Lock(),
    "/finance/periods/unlock": lock.Unlock(),
    "/finance/reports/balance-sheet": balance_sheet.Resource(),
    "/finance/reports/trial-balance": trial_balance.Resource(),
    "/finance/reports/series": series.Resource(),
    "/finance/payments": payments_api.Collection(),
    "/finance/payments/batch": payments_api.Batch(),
    "/finance/payments/{id}": payments_api.Item(),
    "/finance/payments/{id}/void": payments_api.Void(),
    "/finance/payments/{id}/allocations": payments_api.Allocations(),
    "/finance/payments/{id}/allocations/{allocation_id}/release": payments_api.Release(),
    "/finance/transfers": transfers_api.Collection(),
    "/finance/transfers/{id}": transfers_api.Item(),
    "/finance/transfers/{id}/void": transfers_api.Void(),
    "/finance/bills/due": runs_api.DueBills(),
    "/finance/payment-runs": runs_api.Collection(),
    "/finance/payment-runs/proposal": runs_api.Proposal(),
    "/finance/payment-runs/{id}": runs_api.Item(),
    "/finance/payment-runs/{id}/file": runs_api.Download(),
    "/finance/payment-runs/{id}/void": runs_api.Void(),
}
