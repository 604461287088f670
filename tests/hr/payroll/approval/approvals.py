"""What tests of approved runs do again and again."""

from tests.hr.payroll.payrolls import act

OWED = {
    "2300": -245_000,
    "2310": -40_000,
    "2320": -15_000,
    "2330": -30_000,
    "6000": 300_000,
    "6010": 30_000,
}
PAID = {"1010": -245_000, **{code: amount for code, amount in OWED.items() if code != "2300"}}


def entry_of(office, made, name="accrualEntryId"):
    return office.ok("GET", f"/finance/journals/{made[name]}")


def lock(office, day):
    office.ok("POST", "/finance/periods/lock", {"throughDate": day, "reason": "Closed"})


def paid(office, made, **fields):
    act(office, made, "approve")
    return act(office, made, "pay", **fields)
