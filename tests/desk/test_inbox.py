"""Files of the inbox become bills, or are given to a record."""

from tests.desk.files import PATH, attach, check, content, files, pdf, stored
from tests.events import events_of
from tests.finance.contacts.contacts import customer, supplier
from tests.finance.output.papers import consultancy, download, r1
from tests.finance.payments.payments import payment


def test_a_file_of_the_inbox_becomes_a_bill(acme):
    meyer = supplier(acme)
    kept = attach(acme, pdf(), "Meyer 4711.pdf")
    assert (kept["can"], kept["resourceName"]) == (["bill", "delete", "file"], None)
    error = acme.refused("POST", f"{PATH}/{kept['id']}/bill", {}, status=422, code="unreadable")
    assert error["message"] == "The PDF contains no e-invoice. Enter the bill manually."
    body = {"supplierId": meyer["id"], "amount": "119.00", "supplierNumber": "4711", "issueDate": "2026-01-05"}
    drafted = acme.ok("POST", f"{PATH}/{kept['id']}/bill", body)
    assert (drafted["status"], drafted["kind"], drafted["total"], drafted["supplierNumber"]) == (
        "draft",
        "purchase_invoice",
        "119.00",
        "4711",
    )
    assert [row["id"] for row in files(acme, ("invoice", drafted["id"]))] == [kept["id"]]
    assert files(acme, isFiled=False) == []
    error = acme.refused("POST", f"{PATH}/{kept['id']}/bill", body, status=409, code="not_in_inbox")
    assert error["message"] == "This file belongs to 4711 already."
    assert check(acme) == []


def test_a_bill_of_the_inbox_is_no_larger_than_the_books_can_hold(acme):
    kept = attach(acme, pdf(), "Meyer 4711.pdf")
    body = {"supplierId": supplier(acme)["id"], "amount": "1000000000000"}
    error = acme.refused("POST", f"{PATH}/{kept['id']}/bill", body, status=422)
    assert [(each["field"], each["code"]) for each in error["details"]] == [("amount", "out_of_range")]
    assert acme.ok("POST", f"{PATH}/{kept['id']}/bill", body | {"amount": "999999999999"})["total"] == "999999999999.00"


def test_an_e_invoice_of_the_inbox_becomes_a_bill_with_its_lines(acme):
    sold = r1(consultancy(acme))
    xml = download(acme, sold["id"], "xml")
    kept = attach(acme, xml, "R1.xml")
    drafted = acme.ok("POST", f"{PATH}/{kept['id']}/bill", {})
    assert (drafted["total"], drafted["supplierNumber"]) == (sold["total"], sold["number"])
    assert [row["description"] for row in drafted["lines"]] == ["Beratung", "Handbuch"]
    assert [row["id"] for row in files(acme, ("invoice", drafted["id"]))] == [kept["id"]]
    assert drafted["hasOriginal"]
    acme.ok("DELETE", f"/finance/invoices/{drafted['id']}")
    assert [row["id"] for row in files(acme, isFiled=False)] == [kept["id"]]
    again = acme.ok("POST", f"{PATH}/{kept['id']}/bill", {})
    assert again["hasOriginal"]
    acme.ok("POST", "/finance/invoices/delete-drafts", {"ids": [again["id"]]})
    assert [row["id"] for row in files(acme, isFiled=False)] == [kept["id"]]
    acme.ok("DELETE", f"{PATH}/{kept['id']}")
    assert stored(acme)[0] == 1, "the e-invoice of R1 itself stays"
    assert check(acme) == []


def test_the_original_of_an_e_invoice_is_among_the_files_of_its_bill(acme):
    sold = r1(consultancy(acme))
    xml = download(acme, sold["id"], "xml")
    drafted = acme.ok("POST", "/finance/invoices/from-e-invoice", {"file": xml.decode(), "name": "R1.xml"})
    (row,) = files(acme, ("invoice", drafted["id"]))
    assert (row["name"], row["mediaType"], content(acme, row["id"])) == ("R1.xml", "application/xml", xml)


def test_a_file_of_the_inbox_is_given_to_a_record(acme):
    kept = attach(acme, pdf(), "receipt.pdf")
    made = payment(acme, "5.00", contactId=customer(acme, "Initech")["id"], date="2026-01-05")
    of = ("payment", made["id"])
    filed = acme.ok("POST", f"{PATH}/{kept['id']}/file", {"resourceType": of[0], "resourceId": of[1]})
    assert (filed["resourceId"], filed["can"]) == (of[1], [])
    assert events_of(acme, of[1])[-1] == "attachment.filed"
    acme.refused(
        "POST",
        f"{PATH}/{kept['id']}/file",
        {"resourceType": of[0], "resourceId": of[1]},
        status=409,
        code="not_in_inbox",
    )
    assert check(acme) == []
