"""The plan of the demonstration: the company, its people, their pay and their leave. Amounts are in cents.

Months are numbered as in `days`: 0 is a year ago, 12 the current one, 13 the next.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from erp.kernel.roles import Role

PASSWORD = "welcome-to-the-demo"
DOMAIN = "alderfinch.example"
ZONE = "Europe/Berlin"

COMPANY = {
    "name": "Alder & Finch",
    "legalName": "Alder & Finch GmbH",
    "vatId": "DE123456788",
    "taxNumber": "22/000/00000",
    "country": "DE",
    "timeZone": ZONE,
    "address": {"line1": "Speicherstieg 7", "city": "Hamburg", "postalCode": "20457", "country": "DE"},
}
IBAN = "DE32990100991000477391"
LEAVE_DAYS = "28"

FULL_WEEK = {"mon": 480, "tue": 480, "wed": 480, "thu": 480, "fri": 480}
MORNINGS = {"mon": 240, "tue": 240, "wed": 240, "thu": 240, "fri": 240}
THREE_DAYS = {"mon": 480, "tue": 480, "wed": 480}


class Person(msgspec.Struct, frozen=True):
    """An employee, or a person from outside who only reads the books and has no pay.

    `hired` is the month of the hire date, below 0 before the books begin; `left` is the last month of the employment.
    `punches`: whether they use the time clock. `on_projects`: the minutes that they log each day.
    """

    name: str
    role: Role
    job: str
    department: str = ""
    manager: str = ""
    pay: int = 0
    by_the_hour: bool = False
    hired: int = 0
    left: int | None = None
    raise_to: tuple[int, int] | None = None
    week: Mapping[str, int] = msgspec.field(default_factory=lambda: FULL_WEEK)
    iban: str = ""
    punches: bool = False
    on_projects: int = 0

    @property
    def first(self) -> str:
        """The first name."""
        return self.name.split()[0]

    @property
    def email(self) -> str:
        """The address to sign in with."""
        return f"{self.first.lower().replace('ï', 'i')}@{DOMAIN}"

    @property
    def is_employed(self) -> bool:
        """Whether they are on the payroll."""
        return self.pay > 0


STAFF: tuple[Person, ...] = (
    Person(
        "Ines Falkenberg",
        "owner",
        "Managing director",
        "Management",
        pay=720_000,
        hired=-62,
        iban="DE04990100991000484782",
        on_projects=90,
    ),
    Person(
        "Tomasz Wieczorek",
        "admin",
        "Operations manager",
        "Office",
        "Ines",
        pay=440_000,
        hired=-50,
        iban="DE73990100991000492173",
        on_projects=60,
    ),
    Person(
        "Amara Okonkwo",
        "accountant",
        "Bookkeeper",
        "Office",
        "Tomasz",
        pay=270_000,
        hired=-41,
        iban="DE45990100991000499564",
        week=THREE_DAYS,
    ),
    Person(
        "Leïla Benhaddou",
        "hr",
        "People and payroll",
        "Office",
        "Ines",
        pay=215_000,
        hired=-29,
        iban="DE17990100991000506955",
        week=MORNINGS,
    ),
    Person(
        "Jonas Petersen",
        "manager",
        "Head of projects",
        "Studio",
        "Ines",
        pay=540_000,
        hired=-55,
        iban="DE86990100991000514346",
        punches=True,
        on_projects=345,
    ),
    Person(
        "Mei Takahashi",
        "member",
        "Interior designer",
        "Studio",
        "Jonas",
        pay=410_000,
        raise_to=(6, 435_000),
        hired=-23,
        iban="DE58990100991000521737",
        punches=True,
        on_projects=435,
    ),
    Person(
        "Rui Carvalho",
        "member",
        "Joiner",
        "Workshop",
        "Jonas",
        pay=25_80,
        by_the_hour=True,
        hired=-18,
        iban="DE30990100991000529128",
        punches=True,
        on_projects=450,
    ),
    Person(
        "Priya Raman",
        "member",
        "Junior designer",
        "Studio",
        "Mei",
        pay=330_000,
        hired=6,
        iban="DE02990100991000536519",
        punches=True,
        on_projects=435,
    ),
    Person(
        "Oskar Lindgren",
        "member",
        "Draughtsman",
        "Studio",
        "Jonas",
        pay=370_000,
        hired=-33,
        left=4,
        iban="DE71990100991000543910",
        punches=True,
        on_projects=435,
    ),
    Person("Hanna Sobol", "viewer", "External tax adviser"),
)
HIRED_ON = 15
"""The day of the month on which employees start."""

WAGE_TAX = {
    "code": "wage-tax",
    "name": "Wage tax",
    "kind": "deduction",
    "calculation": "brackets",
    "bracketPeriod": "year",
    "brackets": [
        {"upTo": "12000.00", "rate": "0"},
        {"upTo": "30000.00", "rate": "19"},
        {"upTo": "60000.00", "rate": "28"},
        {"rate": "40"},
    ],
    "appliesToAll": True,
    "source": "Made up for the demonstration",
}
SOCIAL = {
    "code": "social-insurance",
    "name": "Social insurance",
    "kind": "deduction",
    "calculation": "percent_of_gross",
    "percent": "20.4",
    "isPreTax": True,
    "appliesToAll": True,
    "source": "Made up for the demonstration",
}
SOCIAL_EMPLOYER = {
    "code": "social-insurance-employer",
    "name": "Social insurance, employer's part",
    "kind": "employer_contribution",
    "calculation": "percent_of_gross",
    "percent": "20.8",
    "appliesToAll": True,
    "source": "Made up for the demonstration",
}
TRAVEL_CARD = {
    "code": "travel-card",
    "name": "Travel card",
    "kind": "earning",
    "calculation": "fixed",
    "amount": "49.00",
    "isTaxable": False,
    "isProrated": True,
    "expenseAccountId": "6400",
}
COMPONENTS = (WAGE_TAX, SOCIAL, SOCIAL_EMPLOYER, TRAVEL_CARD)
TRAVEL_CARD_HOLDERS = ("Mei", "Priya", "Amara")

Outcome = Literal["approved", "pending", "rejected", "cancelled"]


class Leave(msgspec.Struct, frozen=True):
    """Leave that starts on a Monday of a month (1 is the first), decided by `by`."""

    who: str
    month: int
    monday: int
    days: int
    by: str = "Leïla"
    kind: str = "annual"
    outcome: Outcome = "approved"
    reason: str = ""
    note: str = ""
    from_noon: bool = False


LEAVE: tuple[Leave, ...] = (
    Leave("Rui", 0, 2, 5),
    Leave("Ines", 1, 2, 5, by="Ines"),
    Leave("Oskar", 1, 3, 5),
    Leave("Jonas", 2, 3, 5),
    Leave("Tomasz", 3, 1, 5),
    Leave("Oskar", 3, 2, 2, kind="unpaid", reason="Moving house"),
    Leave("Mei", 4, 2, 12, by="Jonas", reason="Family in Osaka"),
    Leave("Rui", 5, 3, 2, kind="sick"),
    Leave("Amara", 5, 2, 3),
    Leave("Leïla", 6, 1, 5, by="Ines"),
    Leave("Rui", 7, 1, 5, by="Jonas"),
    Leave("Ines", 7, 3, 12, by="Ines"),
    Leave("Jonas", 8, 1, 12),
    Leave("Tomasz", 9, 2, 5),
    Leave("Mei", 9, 3, 3, kind="sick"),
    Leave("Priya", 10, 2, 5, by="Jonas"),
    Leave("Tomasz", 10, 1, 2, kind="sick"),
    Leave("Mei", 11, 1, 2, by="Jonas", from_noon=True),
    Leave("Jonas", 13, 3, 5, reason="Sailing"),
    Leave("Mei", 13, 2, 5, outcome="pending", reason="A long weekend that got out of hand"),
    Leave("Priya", 14, 1, 5, outcome="pending", reason="My sister's wedding"),
    Leave(
        "Rui",
        13,
        2,
        5,
        by="Jonas",
        outcome="rejected",
        reason="Fishing",
        note="We install at the Tidal that week; could it be the one after?",
    ),
    Leave("Tomasz", 14, 2, 5, outcome="cancelled"),
)
