"""Documents whose tax rates hardly fit the other party, by its particulars in the document."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from erp.finance.contacts import tax_rates
from erp.finance.contacts.tax_fit import OtherParty, misfit
from erp.finance.documents.models import PURCHASES
from erp.store import workspace_settings
from erp.store.router import WORKSPACE


def documents(days: Mapping[str, str]) -> list[Sequence[Any]]:
    """Issued documents of some days, the earliest first, in the columns of a search of the check-list."""
    home = workspace_settings.current().country
    if home is None:
        return []
    used = WORKSPACE.rows(_USED, days)
    rates, _ = tax_rates.look_up({rate_id: rate_id for *_, rate_id in used})
    unfit: dict[str, Sequence[Any]] = {}
    for *columns, kind, customer, rate_id in used:
        party = json.loads(customer or "{}")
        other = OtherParty.of(party.get("vat_id"), party.get("address"))
        if misfit(rates[rate_id], other, home, is_purchase=kind in PURCHASES):
            unfit[columns[1]] = columns
    return [*unfit.values()]


_USED = """
SELECT DISTINCT 'invoice', i.id, i.number, i.issue_date, i.contact_name, NULL, i.total, i.currency, i.kind, i.customer,
    l.tax_rate_id
FROM invoice AS i JOIN invoice_line AS l ON l.invoice_id = i.id
WHERE i.issue_date BETWEEN :since AND :through AND i.status NOT IN ('draft', 'void') AND l.tax_rate_id IS NOT NULL
ORDER BY i.issue_date, i.id
"""
