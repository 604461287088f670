"""Assets with dimensions: depreciation and disposals inherit them."""

import pytest

from tests.finance.assets.assets import asset, dispose, run
from tests.finance.books.dimensions import analysed, dimension
from tests.finance.documents.invoices import bill, line


@pytest.fixture(autouse=True)
def _in_july(clock_at):
    clock_at("2026-07-10T09:00:00Z")


def test_a_run_posts_a_line_for_each_value(acme):
    dimension(acme, "100", "200")
    first = asset(acme, dimensions={"cc": "100"})
    asset(acme, dimensions={"cc": "200"})
    assert first["dimensions"] == {"cc": "100"}
    made = run(acme, "2026-01")
    assert analysed(acme, made["journalEntryId"]) == [("6700", {"cc": "100"}), ("6700", {"cc": "200"}), ("1590", {})]
    acme.ok("PATCH", f"/finance/assets/{first['id']}", {"dimensions": None})
    assert analysed(acme, run(acme, "2026-02")["journalEntryId"])[0] == ("6700", {})
    acme.ok("PATCH", f"/finance/assets/{first['id']}", {"dimensions": {"cc": "200"}})
    gone = dispose(acme, first, "2026-02-28")
    assert ("cc", "200") in [pair for _, codes in analysed(acme, gone["disposalEntryId"]) for pair in codes.items()]


def test_an_asset_takes_the_values_of_the_line_it_was_bought_with(acme):
    dimension(acme, "100")
    bought = bill(acme, line("900.00", accountId="1500", dimensions={"cc": "100"}), issueDate="2026-01-12")
    assert analysed(acme, bought["journalEntryId"])[0][1] == {}
    source = {"invoiceId": bought["id"], "lineId": bought["lines"][0]["id"]}
    made = acme.ok("POST", "/finance/assets", {"fromLine": source, "lifeMonths": 36})
    assert made["dimensions"] == {"cc": "100"}
