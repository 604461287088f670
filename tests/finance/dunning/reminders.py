"""Reminders for tests."""

from datetime import date, timedelta
from typing import Any

from erp.finance.dunning import outlines
from tests.conftest import Office
from tests.finance.documents.invoices import invoice

LEVELS, RATES = "/finance/reminder-levels", "/finance/base-rates"
RUNS, LETTERS = "/finance/reminder-runs", "/finance/reminders"


def germany(office: Office, **reminders: Any) -> Office:
    """The same office in Germany, with the base rates of the figures (made up) and these terms of reminders."""
    settings = {"country": "DE", **({"reminders": reminders} if reminders else {})}
    office.ok("PATCH", f"/workspace/{office.workspace_id}", settings)
    for day, rate in (("2000-01-01", "1.27"), ("2026-07-01", "1.85")):
        office.ok("POST", RATES, {"validFrom": day, "rate": rate})
    return office


def levels(office: Office) -> list[dict[str, Any]]:
    shown: list[dict[str, Any]] = office.ok("GET", LEVELS)
    return shown


def firm(office: Office, **fields: Any) -> Office:
    """The same office with one level, reached after a day: it charges interest and the lump sum."""
    first, *others = levels(office)
    for level in others:
        office.ok("DELETE", f"{LEVELS}/{level['id']}")
    body = {"daysAfter": 1, "chargesInterest": True, "chargesLumpSum": True, **fields}
    office.ok("PATCH", f"{LEVELS}/{first['id']}", body)
    return office


def customer(office: Office, name: str = "Globex", **fields: Any) -> dict[str, Any]:
    shown: dict[str, Any] = office.ok("POST", "/finance/contacts", {"kind": "customer", "name": name, **fields})
    return shown


def owed(
    office: Office, amount: str, due: str, customer: dict[str, Any] | None = None, **fields: Any
) -> dict[str, Any]:
    """An invoice due on a day, without tax."""
    party = {} if customer is None else {"customerId": customer["id"]}
    price = {"description": "Consulting", "quantity": "1", "unitPrice": amount, "taxRateId": None}
    return invoice(office, price, **{"issueDate": "2026-01-02", "dueDate": due, **party, **fields})


def proposal(office: Office, day: str, **params: str) -> dict[str, Any]:
    shown: dict[str, Any] = office.ok("GET", f"{RUNS}/proposal", params={"date": day, **params})
    return shown


def proposed(office: Office, day: str, **params: str) -> dict[str, Any]:
    """The only letter of a day."""
    (letter,) = proposal(office, day, **params)["letters"]
    return letter  # type: ignore[no-any-return]


def make(office: Office, day: str, **fields: Any) -> dict[str, Any]:
    """The only letter that is due on a day, made."""
    letter = proposed(office, day)
    chosen = {"contactId": letter["contactId"], "currency": letter["currency"], **fields}
    (made,) = office.ok("POST", RUNS, {"date": day, "letters": [chosen]})["letters"]
    return made  # type: ignore[no-any-return]


def amounts(letter: dict[str, Any], *names: str) -> list[str]:
    """Amounts of a letter by name."""
    return [letter[name] for name in names]


def counts(office: Office) -> set[int]:
    """The numbers of letters on the days of half a year, each the same by the count of Home and by the letters."""
    found = set()
    with office.books():
        for at in range(0, 184, 2):
            letters, _ = outlines.of(day := date(2026, 2, 1) + timedelta(at))
            assert outlines.count(day) == (len(letters), len({each.contact_id for each in letters})), day
            found.add(len(letters))
    return found
