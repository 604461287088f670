"""The books: accounts, contacts, tax rates, invoices, payments, journal entries, periods and reports."""

from erp.finance.billing import time_billing
from erp.finance.books import accounts_api
from erp.finance.closing import lock as periods
from erp.finance.contacts import api as contact_views
from erp.finance.contacts import tax_rates_api
from erp.finance.documents import api as invoices
from erp.finance.journals import journals
from erp.finance.payments import api as payments
from erp.finance.reports import account_ledger, balance_sheet, statements, trial_balance

ROUTES: dict[str, object] = {
    "/finance/accounts": accounts_api.Collection(),
    "/finance/accounts/{id}": accounts_api.Item(),
    "/finance/accounts/{id}/archive": accounts_api.Archive(),
    "/finance/accounts/{id}/unarchive": accounts_api.Unarchive(),
    "/finance/contacts": contact_views.Collection(),
    "/finance/contacts/{id}": contact_views.Item(),
    "/finance/contacts/{id}/archive": contact_views.Archive(),
    "/finance/contacts/{id}/unarchive": contact_views.Unarchive(),
    "/finance/contacts/{id}/statement": statements.Statement(),
    "/finance/tax-rates": tax_rates_api.Collection(),
    "/finance/tax-rates/{id}": tax_rates_api.Item(),
    "/finance/tax-rates/{id}/archive": tax_rates_api.Archive(),
    "/finance/tax-rates/{id}/unarchive": tax_rates_api.Unarchive(),
    "/finance/accounts/{id}/ledger": account_ledger.Resource(),
    "/finance/invoices": invoices.Collection(),
    "/finance/invoices/preview": invoices.Preview(),
    "/finance/invoices/from-time-logs": time_billing.Resource(),
    "/finance/invoices/{id}": invoices.Item(),
    "/finance/invoices/{id}/issue": invoices.Issue(),
    "/finance/invoices/{id}/void": invoices.Void(),
    "/finance/journals": journals.Collection(),
    "/finance/journals/{id}": journals.Item(),
    "/finance/journals/{id}/reverse": journals.ReverseAction(),
    "/finance/periods": periods.Collection(),
    "/finance/periods/lock": periods.LockAction(),
    "/finance/periods/unlock": periods.UnlockAction(),
    "/finance/reports/balance-sheet": balance_sheet.Resource(),
    "/finance/reports/trial-balance": trial_balance.Resource(),
    "/finance/payments": payments.Collection(),
    "/finance/payments/{id}": payments.Item(),
    "/finance/payments/{id}/void": payments.Void(),
    "/finance/payments/{id}/allocations": payments.Allocations(),
    "/finance/payments/{id}/allocations/{allocation_id}/release": payments.Release(),
}
