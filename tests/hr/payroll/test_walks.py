"""Any order of time, leave, pay changes, runs, corrections and reversals: paid plus shown is what the facts earn."""

import random
from collections import Counter
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from tests.conftest import IS_THOROUGH
from tests.hr.payroll.payrolls import add_components, hourly, paid_employee, pay_from, salary
from tests.hr.payroll.test_differences import PENSION

START = date(2026, 11, 1)
NOVEMBER = [START + timedelta(days) for days in range(30)]
WORKDAYS = [day for day in NOVEMBER if day.weekday() < 5]
HALVES = (("2026-11-01", "2026-11-15"), ("2026-11-16", "2026-11-30"))
CLOCK = "2026-11-30T22:00:00Z"


class Walk:
    """An office, and a model of its facts: rates from a day on, hours and unpaid leave by day, in whole units."""

    def __init__(self, office: Any, seed: int) -> None:
        self.office, self.random = office, random.Random(seed)
        add_components(office, PENSION)
        self.ids = {
            "hours": paid_employee(office, "Hal", hourly("20.00"), user=office),
            "salary": paid_employee(office, "Sal", salary("2100.00")),
        }
        self.rates: dict[str, dict[date, int]] = {"hours": {START: 20}, "salary": {START: 100}}
        self.logs: dict[str, tuple[date, int]] = {}
        self.leaves: dict[str, date] = {}
        types = {each["code"]: each["id"] for each in office.ok("GET", "/hr/leave-types")}
        self.unpaid = types["unpaid"]
        self.task = office.ok("POST", "/tasks", {"title": "Baking"})["id"]
        self.done: Counter[str] = Counter()

    def step(self) -> None:
        name = self.random.choice(
            [
                "log",
                "log",
                "relog",
                "leave",
                "return_leave",
                "raise_pay",
                "run",
                "run",
                "correct",
                "move",
                "move",
                "move",
            ]
        )
        self.done[name] += bool(getattr(self, name)())

    def log(self) -> bool:
        day, hours = self.random.choice(WORKDAYS), self.random.randint(1, 3)
        if self.logged(day) > 20:
            return False
        made = self.office.ok("POST", f"/tasks/{self.task}/time-logs", {"date": day.isoformat(), "minutes": hours * 60})
        self.logs[made["id"]] = day, hours
        return True

    def relog(self) -> bool:
        if not self.logs:
            return False
        id, day = self.random.choice(list(self.logs)), self.random.choice(WORKDAYS)
        if self.random.random() < 0.3 or self.logged(day) > 20:
            self.office.ok("DELETE", f"/tasks/time-logs/{id}")
            del self.logs[id]
        else:
            self.office.ok("PATCH", f"/tasks/time-logs/{id}", {"date": day.isoformat(), "minutes": 120})
            self.logs[id] = day, 2
        return True

    def leave(self) -> bool:
        day = self.random.choice(WORKDAYS)
        body = {"employeeId": self.ids["salary"], "leaveTypeId": self.unpaid, "startDate": day.isoformat()}
        answer = self.office.call("POST", "/hr/leaves", body | {"endDate": day.isoformat()})
        if answer.status_code != 201:
            return False
        id = answer.json["data"]["id"]
        self.office.ok("POST", f"/hr/leaves/{id}/approve", {})
        self.leaves[id] = day
        return True

    def return_leave(self) -> bool:
        if not self.leaves:
            return False
        id = self.random.choice(list(self.leaves))
        self.office.ok("POST", f"/hr/leaves/{id}/cancel", {})
        del self.leaves[id]
        return True

    def raise_pay(self) -> bool:
        who, day = self.random.choice(list(self.ids)), self.random.choice(NOVEMBER)
        units = self.random.randint(1, 9) * 10
        pay = hourly(f"{units}.00") if who == "hours" else salary(f"{units * 21}.00")
        pay_from(self.office, self.ids[who], day.isoformat(), pay)
        self.rates[who][day] = units
        return True

    def run(self) -> bool:
        start, end = self.random.choice(HALVES)
        body = {"periodStart": start, "periodEnd": end, "includeDifferences": self.random.random() < 0.7}
        return bool(self.office.call("POST", "/hr/payroll/run", body).status_code == 201)

    def correct(self) -> bool:
        return bool(self.office.call("POST", "/hr/payroll/run", {"kind": "correction"}).status_code == 201)

    def move(self) -> bool:
        """Take a run to its next state, or back."""
        runs = self.office.ok("GET", "/hr/payroll/runs")
        made = self.random.choice(runs) if runs else None
        if made is None or not made["can"]:
            return False
        action = self.random.choice(made["can"])
        path = f"/hr/payroll/runs/{made['id']}"
        if action == "delete":
            return bool(self.office.call("DELETE", path).status_code < 300)
        body: dict[str, Any] = {"reason": "Walk"} if action in ("reverse", "undoPayment") else {}
        if action == "reverse" and made["status"] == "paid":
            body["moneyReturnedOn"] = "2026-11-30"
        route = "/pay/undo" if action == "undoPayment" else f"/{action}"
        return bool(self.office.call("POST", path + route, body).status_code < 300)

    def logged(self, day: date) -> int:
        return sum(hours for logged, hours in self.logs.values() if logged == day)

    def earned(self, who: str, day: date) -> int:
        """The pay of a day by the facts of the model."""
        units = self.logged(day) if who == "hours" else int(day in WORKDAYS and day not in self.leaves.values())
        return units * max(entry for entry in self.rates[who].items() if entry[0] <= day)[1]

    def check(self) -> None:
        runs = [
            self.office.ok("GET", f"/hr/payroll/runs/{run['id']}") for run in self.office.ok("GET", "/hr/payroll/runs")
        ]
        rows = self.office.ok("GET", "/hr/payroll/differences")
        for who, id in self.ids.items():
            gross, net, days = Decimal(0), Decimal(0), set[date]()
            for row in (row["difference"] for row in rows if row["employeeId"] == id):
                gross, net = gross + Decimal(row["gross"]), net + Decimal(row["net"])
            for run in (run for run in runs if run["status"] != "reversed"):
                for slip in (slip for slip in run["payslips"] if slip["employeeId"] == id):
                    counted = (slip["gross"], slip["net"]) if run["status"] != "draft" else _corrections(slip)
                    gross, net = gross + Decimal(counted[0]), net + Decimal(counted[1])
                    if run["status"] != "draft" and run["kind"] == "regular":
                        days |= set(_days(run))
            expected = Decimal(sum(self.earned(who, day) for day in days))
            assert (gross, net) == (expected, expected * Decimal("0.9")), who


def _days(run: dict[str, Any]) -> list[date]:
    return [day for day in NOVEMBER if run["periodStart"] <= day.isoformat() <= run["periodEnd"]]


def _corrections(slip: dict[str, Any]) -> tuple[Decimal, Decimal]:
    """Gross and net of the correction lines of a draft."""
    lines = [line for line in slip["lines"] if "originPayslipId" in line]
    gross = sum((Decimal(line["amount"]) for line in lines if line["kind"] == "earning"), Decimal(0))
    taken = sum((Decimal(line["amount"]) for line in lines if line["kind"] == "deduction"), Decimal(0))
    return gross, gross - taken


def walk(office: Any, seed: int, steps: int) -> Counter[str]:
    here = Walk(office, seed)
    for step in range(steps):
        here.step()
        if step % 5 == 4:
            here.check()
    here.check()
    return here.done


SEEDS, STEPS = (range(1, 21), 250) if IS_THOROUGH else (range(1, 4), 60)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", SEEDS)
def test_paid_and_shown_is_what_the_facts_earn(acme, clock_at, seed):
    clock_at(CLOCK)
    assert walk(acme, seed, STEPS)["move"] > 3
