"""Lists as files for spreadsheets: Excel, CSV with its mark, and the columns that are chosen."""

import gc
import zipfile
from datetime import date, datetime
from io import BytesIO
from typing import Any

from python_calamine import CalamineWorkbook

from erp.finance.payments.transfers.views import TransferView
from erp.web import xlsx_list
from tests.conftest import Office
from tests.finance.documents.invoices import invoice, line

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def cells(content: bytes) -> list[list[Any]]:
    return CalamineWorkbook.from_filelike(BytesIO(content)).get_sheet_by_index(0).to_python()


def test_a_list_is_an_excel_file_with_dates_numbers_and_text_that_is_no_formula(acme: Office, monkeypatch) -> None:
    for name in ("=1+1", "Möller"):
        customer = acme.ok("POST", "/finance/contacts", {"kind": "customer", "name": name})["id"]
        invoice(acme, line("1234.50"), customerId=customer, issueDate="2026-02-03", dueDate="2026-03-05")
    number = acme.ok("GET", "/finance/invoices")[0]["number"]
    columns = "number,issueDate,customerName,total,isOverdue,daysOverdue,createdAt"
    params = {"format": "xlsx", "columns": columns, "sort": "customerName", "limit": "1"}
    answer = acme.call("GET", "/finance/invoices", params=params)
    assert (answer.headers["Content-Type"], answer.headers["Content-Disposition"]) == (
        XLSX,
        'attachment; filename="list.xlsx"',
    )
    head, first, second = cells(answer.content)
    assert head == columns.split(",")
    assert first[1:5] == [date(2026, 2, 3), "=1+1", 1234.5, True]
    assert (second[0], second[2]) == (number, "Möller")
    assert isinstance(first[6], datetime)
    with zipfile.ZipFile(BytesIO(answer.content)) as file:
        assert "<f>" not in file.read("xl/worksheets/sheet1.xml").decode()
        assert "#,##0.00 &quot;EUR&quot;" in file.read("xl/styles.xml").decode()
    same = acme.call("GET", "/finance/invoices", params={"columns": "number"}, headers={"Accept": XLSX})
    assert cells(same.content)[0] == ["number"]
    assert len(cells(acme.call("GET", "/finance/accounts", params={"format": "xlsx"}).content)) > 20
    grouped = acme.call("GET", "/finance/invoices", params={"format": "xlsx", "groupBy": "status"})
    assert cells(grouped.content)[1][3:5] == [2.0, 2469.0]
    monkeypatch.setattr(xlsx_list, "MOST_ROWS", 1)
    acme.refused("GET", "/finance/invoices", params={"format": "xlsx"}, status=400, code="bad_parameter")
    gc.collect()  # complains of a file that a refusal has left open


def test_a_table_has_the_columns_that_are_chosen_and_a_mark_of_its_encoding(acme: Office) -> None:
    city = {"address": {"city": "Köln"}}
    acme.ok("POST", "/finance/contacts", {"kind": "customer", "name": "Möller", **city})
    answer = acme.call("GET", "/finance/contacts", params={"format": "csv", "columns": "address.city,name"})
    assert answer.content == '\ufeffaddress.city,name\r\n"Köln","Möller"\r\n'.encode()
    head = acme.call("GET", "/finance/contacts", params={"format": "csv", "columns": ["name", "address"]}).text
    assert head.startswith("name,address.")
    for params in ({"format": "csv", "columns": "name,odd"}, {"columns": "name"}):
        error = acme.refused("GET", "/finance/contacts", params=params, status=400, code="bad_parameter")
        assert error["message"].startswith("columns: ")


def styles(content: bytes) -> str:
    with zipfile.ZipFile(BytesIO(content)) as file:
        return file.read("xl/styles.xml").decode()


def test_an_amount_has_the_format_of_its_own_currency(acme: Office) -> None:
    invoice(acme, "100.00", currency="USD", exchangeRate="0.92")
    items = {"format": "xlsx", "columns": "open,openBase"}
    shown = acme.call("GET", "/finance/open-items", params=items).content
    assert cells(shown)[1] == [100.0, 92.0]
    assert [f"&quot;{currency}&quot;" in styles(shown) for currency in ("USD", "EUR")] == [True, True]
    file = BytesIO()
    xlsx_list.write(TransferView, ["receivedAmount"], [{**RECEIVED, "currency": "EUR"}], file)
    assert [f"&quot;{currency}&quot;" in styles(file.getvalue()) for currency in ("USD", "EUR")] == [True, False]


RECEIVED = {"receivedAmount": "5.00", "receivedCurrency": "USD"}


def test_a_list_without_pages_has_the_columns_that_are_chosen(acme: Office) -> None:
    chosen = acme.call("GET", "/finance/accounts", params={"format": "csv", "columns": "name,code"})
    assert chosen.text.removeprefix("\ufeff").startswith("name,code\r\n")
    acme.refused("GET", "/finance/accounts", params={"columns": "code"}, status=400, code="bad_parameter")
    assert len(cells(acme.call("GET", "/finance/reports/series", params={"format": "xlsx"}).content)) == 13
