"""Fixed assets for tests."""

from typing import Any

from tests.conftest import Office

ASSETS = "/finance/assets"
RUNS = "/finance/depreciation-runs"


def new_asset(cost: str = "1500.00", **fields: Any) -> dict[str, Any]:
    """The body of an asset of 36 months from January."""
    return {
        "name": "Laptop",
        "accountId": "1500",
        "cost": cost,
        "acquiredOn": "2026-01-12",
        "inUseOn": "2026-01-15",
        "lifeMonths": 36,
        **fields,
    }


def draft(office: Office, cost: str = "1500.00", **fields: Any) -> dict[str, Any]:
    """A new asset, not in use yet."""
    shown: dict[str, Any] = office.ok("POST", ASSETS, new_asset(cost, **fields))
    return shown


def asset(office: Office, cost: str = "1500.00", **fields: Any) -> dict[str, Any]:
    """A new asset in use; the arguments are those of `new_asset`."""
    shown: dict[str, Any] = office.ok("POST", f"{ASSETS}/{draft(office, cost, **fields)['id']}/activate")
    return shown


def show(office: Office, asset: dict[str, Any]) -> dict[str, Any]:
    """An asset as it is now, with its schedule."""
    shown: dict[str, Any] = office.ok("GET", f"{ASSETS}/{asset['id']}")
    return shown


def run(office: Office, month: str, **fields: Any) -> dict[str, Any]:
    """A depreciation run."""
    shown: dict[str, Any] = office.ok("POST", RUNS, {"month": month, **fields})
    return shown


def dispose(office: Office, asset: dict[str, Any], day: str, **fields: Any) -> dict[str, Any]:
    """An asset that has been disposed of."""
    body = {"date": day, "kind": "scrapped", "reason": "It broke", **fields}
    shown: dict[str, Any] = office.ok("POST", f"{ASSETS}/{asset['id']}/dispose", body)
    return shown


def amounts(run: dict[str, Any]) -> dict[str, str]:
    """The depreciation of a run by the number of the asset."""
    return {line["assetNumber"]: line["amount"] for line in run["lines"]}
