"""Where the answers of the two engines differ, and may; and how two answers are compared."""

from typing import Any

DIFFERENT = {
    "/api/v1/system/info": "it says how large the files of the workspaces are",
    "/api/v1/workspace/export": "the archive holds the workspace as an SQLite file, which is copied from its file",
}
"""The reason why an answer differs, by path; an entry that is no longer needed fails the test."""

_UNANSWERED = {
    "the demonstration has none": (
        "auth/tokens/{id}",
        "workspace/logo",
        "workspace/webhooks/{id}",
        "workspace/webhooks/{id}/deliveries",
        "finance/dimension-values/{id}",
        "finance/exchange-rates/{id}",
        "finance/offsets/{id}",
        "finance/column-mappings/{id}",
        "finance/datev/stacks/{id}",
        "finance/datev/stacks/{id}/file",
        "finance/process-chapters/{id}",
        "finance/process-chapters/{id}/wordings",
        "finance/transfers/{id}",
        "hr/checklists/{id}",
        "hr/documents/{id}",
        "hr/attendance-corrections/{id}",
        "hr/expense-rates/{id}",
        "hr/kiosks/{id}",
        "hr/leave-adjustments/{id}",
        "hr/wage-types/{id}",
        "hr/payroll/wage-exports/{id}",
        "hr/payroll/wage-exports/{id}/file",
        "hr/employees/{id}/year-to-date/{year}",
        "system/backups/{name}",
    ),
    "no list that is asked names one": (
        "finance/allocations/{id}",
        "finance/open-items/{id}/allocation-day/{otherId}",
        "finance/bank/accounts/{id}",
        "hr/employees/{id}/compensations/{compensationId}",
        "hr/employees/{id}/cost-rates/{rateId}",
        "tasks/{id}/comments/{commentId}",
        "workspace/texts/{kind}/{language}",
        "workspace/people/{kind}/{id}/export",
    ),
    "the first records have none": (
        "finance/invoices/{id}/original",
        "finance/invoices/{id}/time-sheet",
        "hr/payroll/runs/{id}/bank-file",
    ),
    "it is kept in memory for some minutes after it was made": ("finance/invoices/preview/{id}",),
    "the secret is in no answer": (
        "tasks/calendar/{secret}",
        "hr/leaves/calendar/{secret}",
    ),
    "the office has not set DATEV up": (
        "finance/datev/bookings",
        "finance/datev/contacts",
    ),
    "the office has not set ELSTER up": ("finance/tax-returns/{id}/elster",),
    "only a kiosk may ask": ("kiosk/people",),
    "the server is not shared with the network": ("system/qr",),
}
UNANSWERED = {f"/api/v1/{path}": reason for reason, paths in _UNANSWERED.items() for path in paths}
"""The reason why nothing is answered, by path; an entry that is no longer needed fails the test."""


def difference(one: Any, other: Any, place: str = "") -> str | None:
    """The first difference between two answers, with its place in them."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        pairs = [(f"{place}.{name}", one[name], other[name]) for name in one]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [(f"{place}[{index}]", part, other[index]) for index, part in enumerate(one)]
    else:
        is_same = type(one) is type(other) and one == other
        return None if is_same else f"{place}: {str(one)[:200]!r} and {str(other)[:200]!r}"
    return next((found for deeper, part, rest in pairs if (found := difference(part, rest, deeper))), None)
