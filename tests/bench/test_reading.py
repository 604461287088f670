"""How fast the books, lists and who one is are read: P6, P11, P22, P24, and open items."""

import pytest

from tests.bench.figures import Figures
from tests.bench.load import Load
from tests.bench.measuring import failures, hello_load, in_turns, p50, rate
from tests.bench.offices import BALANCE_SHEET, LIST, Books, Desk
from tests.bench.servers import Running
from tests.finance.bank.january import camt, entry


def _sheets(books: Books, day: str) -> Load:
    return Load(books.desk.server.port, [books.get(BALANCE_SHEET + day)])


@pytest.mark.bench("P6")
def test_a_balance_sheet_takes_no_longer_in_old_books(figures: Figures, young: Books, old: Books):
    at_10k, at_1m, inside_a_month = in_turns(
        _sheets(young, "2025-12-31"), _sheets(old, "2025-12-31"), _sheets(old, "2025-12-15")
    )
    assert failures(at_10k, at_1m, inside_a_month) == 0
    line = f"balance sheet {p50(at_1m):.2f} ms at 1M postings, {p50(at_10k):.2f} ms at 10k"
    inside = f"(a day inside a month at 1M: {p50(inside_a_month):.2f} ms)"
    figures.ratio("P6", p50(at_1m) / p50(at_10k), "≤", 1.5, f"{line} {inside}")


@pytest.mark.bench("P11")
def test_a_list_of_50_invoices_is_near_to_hello(figures: Figures, desk: Desk, hello: Running):
    office = desk.workspace("Lists")
    office.issue(200)
    lists, hellos = in_turns(Load(desk.server.port, [office.get(LIST)], 16), hello_load(hello, 16))
    assert failures(lists, hellos) == 0
    busy = max(outcome.client_share for outcome in hellos)
    line = f"{rate(lists):.0f} lists/s, {rate(hellos):.0f} hello/s at 16 connections (client at {busy:.0%} of a core)"
    figures.ratio("P11", rate(lists) / rate(hellos), "≥", 0.3, line)


@pytest.mark.bench("P22")
def test_a_balance_sheet_is_near_to_hello(figures: Figures, young: Books, hello: Running):
    sheets, hellos = in_turns(_sheets(young, "2025-12-31"), hello_load(hello))
    assert failures(sheets, hellos) == 0
    line = f"balance sheet {p50(sheets):.2f} ms, hello {p50(hellos):.2f} ms, one client"
    figures.ratio("P22", p50(sheets) / p50(hellos), "≤", 3, line)


@pytest.mark.bench("P24")
def test_who_is_signed_in_is_near_to_hello(figures: Figures, desk: Desk, hello: Running):
    session = Load(desk.server.port, [desk.request("GET", "/auth/session")])
    sessions, hellos = in_turns(session, hello_load(hello))
    assert failures(sessions, hellos) == 0
    line = f"session {p50(sessions):.2f} ms, hello {p50(hellos):.2f} ms, one client"
    figures.ratio("P24", p50(sessions) / p50(hellos), "≤", 2, line)


ITEMS = {"": 30, "&asOf=2024-06-30": 150, "&side=receivable&isOverdue=true": 30, "&q=Customer 17": 150}
"""How many milliseconds a page of 50 of the open items of 100,000 documents may take, by what is asked for."""


@pytest.mark.bench("items")
def test_open_items_of_100000_documents_are_there_at_once(figures: Figures, desk: Desk):
    office = desk.workspace("Items")
    office.seed_items(100_000)
    requests = [office.get(f"/finance/open-items?limit=50{what.replace(' ', '%20')}") for what in ITEMS]
    outcomes = in_turns(*(Load(desk.server.port, [request]) for request in requests))
    assert failures(*outcomes) == 0
    for (what, limit), outcome in zip(ITEMS.items(), outcomes, strict=True):
        figures.within("items", p50(outcome), limit, f"a page of 50 of 100,000 documents{what.replace('&', ', ')}")


SEARCHES = {"words of a task": "catalogue 9999", "a number": "INV-2000", "an amount": "5124.16", "no hit": "zzzz"}
"""What is typed into the search over everything."""


@pytest.mark.bench("search")
def test_everything_is_searched_while_one_types(figures: Figures, desk: Desk):
    office = desk.workspace("Searched")
    office.seed_documents(25_000)
    office.seed_work(projects=20, tasks=10_000, logs=1_000)
    requests = [office.get(f"/workspace/search?q={text.replace(' ', '%20')}") for text in SEARCHES.values()]
    outcomes = in_turns(*(Load(desk.server.port, [request]) for request in requests))
    assert failures(*outcomes) == 0
    for what, outcome in zip(SEARCHES, outcomes, strict=True):
        figures.within("search", p50(outcome), 100, f"{what}: a search of 25,000 documents and 10,000 tasks")


@pytest.mark.bench("bank")
def test_suggestions_for_200_bank_lines_are_there_at_once(figures: Figures, desk: Desk):
    office = desk.workspace("Matched")
    office.seed_items(2_000)
    (customer, *_) = desk.call("GET", "/finance/contacts?q=Customer%207", workspace_id=office.id)
    sold = {"description": "Work", "quantity": "1", "unitPrice": "100.00"}
    invoice = {"customerId": customer["id"], "issueDate": "2026-03-01", "lines": [sold]}
    numbers = [desk.call("POST", "/finance/invoices", invoice, office.id)["number"] for _ in range(200)]
    entries = [entry("100.00", f"{number} of Customer 7", ref=number) for number in numbers]
    body = {"accountId": "1010", "file": camt(*entries, opening="0.00", closing="20000.00")}
    desk.call("POST", "/finance/bank/statements/import", body, office.id)
    (outcome,) = in_turns(Load(desk.server.port, [office.get("/finance/bank/lines?limit=200")], seconds=0.5), rounds=3)
    assert failures(outcome) == 0
    figures.within("bank", p50(outcome), 100, "200 bank lines that name 400 open items of one customer")
