"""The addresses behind figures."""

from collections.abc import Mapping
from urllib.parse import urlencode

from erp.kernel.wire import wire_name

ROOT = "/api/v1/finance"


def to(path: str, **params: object) -> str:
    """An address in the books, with the set parameters, by their Python names."""
    return _address(f"{ROOT}{path}", params)


def time_logs(**params: object) -> str:
    """The address of logged time, with the set parameters."""
    return _address("/api/v1/tasks/time-logs", params)


def _address(path: str, params: Mapping[str, object]) -> str:
    parameters = {wire_name(name): str(value) for name, value in params.items() if value is not None}
    return f"{path}{f'?{urlencode(parameters)}' if parameters else ''}"


def ledger(account_id: str, **params: object) -> str:
    return to(f"/accounts/{account_id}/ledger", **params)


_PATHS = {
    "invoice": "/invoices",
    "payment": "/payments",
    "journal_entry": "/journals",
    "offset": "/offsets",
    "transfer": "/transfers",
    "revaluation": "/revaluations",
    "depreciation_run": "/depreciation-runs",
    "asset": "/assets",
}


def document(type: str, id: str) -> str:
    """A document of the books, or a payroll run."""
    return f"/api/v1/hr/payroll/runs/{id}" if type == "payroll_run" else to(f"{_PATHS[type]}/{id}")
