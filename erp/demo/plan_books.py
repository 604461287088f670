"""The plan of the demonstration: customers, suppliers, sales and costs. Amounts are in cents."""

from typing import Literal

import msgspec


class Customer(msgspec.Struct, frozen=True):
    """A customer, who pays `pays_after` days after the date of an invoice."""

    name: str
    site: str
    street: str
    city: str
    postal_code: str
    pays_after: int
    country: str = "DE"
    currency: str = ""


CUSTOMERS = (
    Customer("Café Moritz", "cafe-moritz", "Moritzstraße 3", "Hamburg", "22765", 9),
    Customer("Zahnarztpraxis Nordlicht", "praxis-nordlicht", "Lange Reihe 51", "Hamburg", "20099", 13),
    Customer("Buchhandlung Lesezeit", "lesezeit", "Markt 8", "Lüneburg", "21335", 12),
    Customer("Kontor 21 Verwaltung", "kontor21", "Am Sandtorkai 21", "Hamburg", "20457", 14),
    Customer("Hotel Elbufer", "hotel-elbufer", "Elbchaussee 140", "Hamburg", "22763", 19),
    Customer("Tidal Coworking", "tidal-coworking", "Fischmarkt 2", "Hamburg", "22767", 10),
    Customer("Apotheke am Markt", "apotheke-stade", "Markt 1", "Stade", "21682", 12),
    Customer("Hansen & Söhne", "hansen-soehne", "Holstenstraße 90", "Hamburg", "22767", 13),
    Customer("Klinik Solveig", "klinik-solveig", "Waldweg 12", "Ahrensburg", "22926", 20),
    Customer("Studio Lumen", "studio-lumen", "Bahnhofstraße 44", "Bremen", "28195", 16),
    Customer("Familie Yıldız", "yildiz", "Eppendorfer Weg 77", "Hamburg", "20259", 6),
    Customer("Kanzlei Brandt", "kanzlei-brandt", "Neuer Wall 19", "Hamburg", "20354", 14),
    Customer("Yoga am Kanal", "yoga-am-kanal", "Isebekufer 5", "Hamburg", "20253", 11),
    Customer("Thornbury Hotels Ltd", "thornbury-hotels", "12 Quay Street", "Bristol", "BS1 4XX", 30, "GB", "GBP"),
)


class Supplier(msgspec.Struct, frozen=True):
    """A supplier, whose bills are paid `paid_after` days later."""

    name: str
    city: str
    iban: str
    paid_after: int


HOLZ, TRADES, LAMPS = "Hagel Holzwerk", "Elektro Kowalczyk", "Lichthaus Petrov"
SUPPLIERS = (
    Supplier(HOLZ, "Buxtehude", "DE89370400440532013000", 20),
    Supplier(TRADES, "Hamburg", "DE75512108001245126199", 14),
    Supplier(LAMPS, "Kiel", "DE02120300000000202051", 24),
)

ACCOUNTS = (
    ("4010", "Furniture and fittings", "income", "income"),
    ("5010", "Subcontractors", "expense", "cost_of_sales"),
    ("6320", "Software", "expense", "expense"),
    ("6810", "Interest", "expense", "other_expense"),
    ("6950", "Income taxes", "expense", "other_expense"),
)

OPENING = (
    ("1010", 9_184_000),
    ("1200", 640_000),
    ("1500", 5_250_000),
    ("1590", -1_730_000),
    ("2700", -3_400_000),
    ("3000", -2_500_000),
    ("3200", -7_444_000),
)
"""Opening balances: debits above zero."""


class Cost(msgspec.Struct, frozen=True):
    """A cost paid from the bank on a day of a month, every `every` months; `percent` is the rate of input tax."""

    what: str
    account: str
    amount: int
    day: int
    percent: int = 19
    every: int = 1
    varies: int = 0


COSTS = (
    Cost("Rent of studio and workshop", "6100", 340_000, 1),
    Cost("Electricity, gas and water", "6200", 46_000, 8, varies=25),
    Cost("Telephone and internet", "6200", 11_800, 12),
    Cost("Insurance", "6600", 31_500, 5, 0),
    Cost("Drawing and office software", "6320", 38_700, 3),
    Cost("Paper, tools and small things", "6300", 24_500, 17, varies=40),
    Cost("Fuel and parking of the van", "6400", 29_000, 20, varies=30),
    Cost("Train tickets", "6400", 21_000, 23, 7, varies=60),
    Cost("Tax adviser", "6500", 64_000, 14, every=3),
    Cost("Cleaning", "6900", 27_000, 28),
    Cost("Bank charges", "6800", 2_450, 30, 0),
)

SUBCONTRACTED, MATERIAL = 16, 27
"""The cost of subcontractors and of materials, in per cent of the price of a fit-out."""
BILLS = ((25, 30), (55, 45), (85, 25))
"""When that cost is billed, in per cent of the project's time, and how many per cent of it."""
MILESTONES = ((6, 30, "design and permits"), (55, 40, "start of building"), (100, 30, "handover"))
"""When a fit-out is invoiced, in per cent of its time, how many per cent of its price, and for what."""

FURNITURE = (
    ("Bench in ash, upholstered", 94_000),
    ("Shelf system, per metre", 38_500),
    ("Counter top in oak", 162_000),
    ("Meeting table for eight", 218_000),
    ("Wall lamp, turned beech", 17_900),
    ("Coat rack", 26_400),
)
FURNITURE_BUYERS = ("Familie Yıldız", "Kanzlei Brandt", "Yoga am Kanal", "Café Moritz", "Buchhandlung Lesezeit")
FURNITURE_COST = 52
"""The cost of the wood, in per cent of the price."""

DEPRECIATION, REPAYMENT, INTEREST, INCOME_TAX = 71_000, 75_000, 14_200, 280_000
MACHINE, MACHINE_MONTH = Cost("Panel saw for the workshop", "1500", 780_000, 10), 3
TAX_DAY, TIME_DAY, FURNITURE_DAYS = 10, 4, (9, 21)
"""The days of the month on which taxes are paid, the hours of last month are invoiced, and furniture is sold."""

State = Literal["paid", "part_paid", "open", "void", "draft"]


class Single(msgspec.Struct, frozen=True):
    """A recent invoice, written `ago` days ago, and its `state` since `then` days ago."""

    customer: str
    what: str
    amount: int
    ago: int
    state: State
    then: int = 0
    rate: str = ""
    rate_then: str = ""


SINGLES = (
    Single("Thornbury Hotels Ltd", "Reading corner for the lobby in Bristol", 684_000, 66, "paid", 31, "1.16", "1.174"),
    Single("Thornbury Hotels Ltd", "Design of six guest rooms", 420_000, 11, "open", rate="1.168"),
    Single("Kanzlei Brandt", "Library ladder and shelves", 579_000, 44, "part_paid", 15),
    Single("Yoga am Kanal", "Changing rooms: lockers", 196_600, 58, "open"),
    Single("Hotel Elbufer", "Reception desk: extra drawer", 48_000, 76, "void", 73),
    Single("Hotel Elbufer", "Reception desk: extra drawer", 43_000, 73, "paid", 52),
    Single("Familie Yıldız", "Kitchen island in oak", 412_500, 0, "draft"),
)
REFUND = ("Buchhandlung Lesezeit", "Scratched shelf, goodwill", 18_500, 97)
