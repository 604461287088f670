"""How long a table of ten thousand records takes to come in from another program."""

import time

import pytest

from tests.bench.figures import Figures
from tests.bench.offices import Desk

ROWS = 10_000
LIMIT = 5000
"""How many milliseconds it may take."""
TABLES = {
    "/finance/contacts": ("name,kind,email", "Firm {n},customer,f{n}@example.com"),
    "/finance/products": ("name,unitPrice", "Thing {n},{n}.50"),
    "/finance/accounts": ("code,name,type,subtype", "{account},Account {n},expense,expense"),
    "/tasks": ("title", "Task {n}"),
    "/hr/employees": ("name,hireDate", "Person {n},2026-01-01"),
    "/finance/journals": ("entry,date,text,accountId,debit,credit", "{pair},2026-03-01,Rent,{side}"),
}
SIDES = ("6100,10.00,", "1010,,10.00")


@pytest.mark.bench("moving in")
@pytest.mark.parametrize("path", TABLES)
def test_ten_thousand_rows_are_tried_and_taken_over(figures: Figures, desk: Desk, path: str):
    books = desk.workspace(path)
    heading, row = TABLES[path]
    rows = [row.format(n=n, account=20_000 + n, pair=n // 2, side=SIDES[n % 2]) for n in range(ROWS)]
    table = "\n".join([heading, *rows])
    for is_dry, what in ((True, "tried"), (False, "taken over")):
        start = time.perf_counter()
        answer = desk.call("POST", f"{path}/import", {"csv": table, "dryRun": is_dry}, books.id)
        taken = 1000 * (time.perf_counter() - start)
        assert answer["rows"] == ROWS
        figures.within("moving in", taken, LIMIT, f"{ROWS} rows of {path[1:]} {what}")
