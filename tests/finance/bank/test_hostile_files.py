"""Files that are no statement, or that of another account, are refused by name, and nothing of them is kept."""

import base64
import io
import zipfile

import pytest

from erp.finance.bank import rules
from erp.finance.bank.formats import camt053
from tests.finance.bank.january import MT940, camt, confirm, entry, lines, refused, state, statement, text, undo
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import invoice
from tests.refusals import complaints

OURS, OTHER = "DE89370400440532013000", "DE02120300000000202051"


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    clock_at("2026-03-31T18:00:00Z")


def zipped(**files: bytes) -> str:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in files.items():
            file.writestr(f"{name}.xml", content)
    return base64.b64encode(archive.getvalue()).decode()


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><Document>&b;</Document>'


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (BOMB, "document type declaration"),
        (zipped(bomb=BOMB.encode()), "document type declaration"),
        (camt(entry("5.00"))[:-40], "cannot be read"),
        ("<html><body>Log in</body></html>", "no camt.053"),
        (text(MT940).partition(":62F:")[0], "cut off"),
        (zipped()[:-8] + "AAAAAAAA", "zip file"),
        ("nonsense", "not a readable bank statement"),
    ],
)
def test_what_cannot_be_read_is_refused(acme, file, said):
    error = refused(acme, file, "1010")
    assert error["code"] == "not_a_statement"
    assert said in error["message"]
    assert lines(acme, "1010") == []


def test_a_zip_file_that_grows_is_refused(acme):
    parts = {f"part{n}": camt().encode() + b" " * (4 << 20) for n in range(7)}
    error = refused(acme, zipped(**parts), "1010")
    assert complaints(error) == {"file": "too_large"}
    assert "more than 25 MiB" in error["details"][0]["message"]


LINE = ":61:2601050105CR1,00NTRFNONREF\n:86:Rent\n"
ENTRY = "<Ntry><Amt>1</Amt><CdtDbtInd>CRDT</CdtDbtInd><ValDt><Dt>2026-03-05</Dt></ValDt></Ntry>"


def sta(lines: str, sum_of: int = 0) -> bytes:
    """A statement as MT940."""
    opening, closing = ":20:S\n:25:1/2\n:28C:1\n:60F:C260101EUR0,00\n", f":62F:C260131EUR{sum_of},00\n-"
    return f"{opening}{lines}{closing}".encode()


def refused_as_it_is(office, content: bytes):
    """The error of a file that is the body of its request, as large ones are."""
    path, params = "/finance/bank/statements/import", {"accountId": "1010"}
    headers = {"Content-Type": "application/octet-stream"}
    return office.refused("POST", path, raw=content, params=params, headers=headers, status=422)


def with_others(elements: int) -> bytes:
    """A statement with elements that are not looked at."""
    return camt().replace("</Stmt>", "<x/>" * elements + "</Stmt>").encode()


def nested(elements: int) -> bytes:
    return b"<a>" + b"<b/>" * (elements - 1) + b"</a>"


TOO_LARGE = {
    "more lines than 50,000": (lambda: sta(LINE * 50_001), "too_long", "50,000 transactions"),
    "more lines in a CSV": (lambda: b"Day;Sum\n" + b"05.01.2026;1,00\n" * 50_001, "too_long", "50,000 transactions"),
    "more statements than 1,000": (lambda: (sta("") + b"\n") * 1_001, "too_long", "1,000 statements"),
    "XML of more than 5 MiB": (lambda: b"<a>" + b" " * (5 << 20) + b"</a>", "too_large", "5 MiB"),
    "more elements than 200,000": (lambda: nested(200_001), "too_large", "200,000 XML elements"),
    "more in all files of a zip file": (
        lambda: base64.b64decode(zipped(a=with_others(100_000), b=with_others(100_000))),
        "too_large",
        "200,000 XML elements",
    ),
    "more attributes than that": (
        lambda: b"<a>" + b"<b %s/>" % b" ".join(b"c%d=''" % n for n in range(1_000)) * 201 + b"</a>",
        "too_large",
        "attributes",
    ),
    "a comment of more than 1 MiB": (lambda: b"<a><!--" + b"x" * (2 << 20) + b"--></a>", "too_large", "comment"),
    "a namespace that every name would repeat": (
        lambda: b"<a xmlns='urn:%s'/>" % (b"x" * 200),
        "too_large",
        "namespaces",
    ),
    "more columns than 200": (lambda: b"Day;Sum" + b";Text" * 199 + b"\n1;2\n", "too_long", "200 columns"),
    "a row without end": (lambda: b"Day;Sum\n" + b";" * (2 << 20), "too_long", "1,048,576 characters"),
}


@pytest.mark.parametrize(("make", "code", "said"), TOO_LARGE.values(), ids=TOO_LARGE)
def test_a_file_beyond_the_limits_is_refused_by_them(acme, make, code, said):
    acme.ok("POST", "/finance/bank/accounts/1010/format", {"csvMapping": {"columns": {"date": "Day", "amount": "Sum"}}})
    error = refused_as_it_is(acme, make())
    (complaint,) = error["details"]
    assert (complaint["field"], complaint["code"]) == ("file", code)
    assert said in complaint["message"]
    assert lines(acme, "1010") == []


def test_as_many_elements_as_that_are_read(acme):
    assert "no camt.053" in refused_as_it_is(acme, nested(200_000))["message"]


def test_a_batch_of_many_transactions_is_read_in_one_pass(acme, monkeypatch):
    """Each was once looked for among all the others: 25 kB took 17 s."""
    looked_at = []
    find = camt053._text

    def look(element, path):
        looked_at.append(element.tag)
        return find(element, path)

    monkeypatch.setattr(camt053, "_text", look)
    batch = ENTRY.replace("<Amt>1<", "<Amt>300<").replace(
        "</Ntry>", "<NtryDtls><TxDtls><Amt>1</Amt></TxDtls></NtryDtls>" * 300 + "</Ntry>"
    )
    shown = statement(acme, camt(batch, closing="400.00"), "1010", dryRun=True)
    assert shown["new"] == 300
    assert looked_at.count("Ntry") < 20


def test_another_currency_and_another_account_are_refused(acme):
    statement(acme, camt(iban=OURS), "1010")
    (complaint,) = refused(acme, camt(iban=OTHER), "1010")["details"]
    assert (complaint["code"], OTHER in complaint["message"]) == ("wrong_account", True)
    (complaint,) = refused(acme, camt(iban=OURS), "1000")["details"]
    assert complaint["code"] == "wrong_account"
    dollars = camt(iban=OURS).replace("EUR", "USD")
    (complaint,) = refused(acme, dollars, "1010")["details"]
    assert complaint["code"] == "wrong_currency"


def test_an_account_that_is_a_digit_short_is_refused_and_not_learned(acme):
    error = refused(acme, camt(iban="DE3437040044053201300"), "1010")
    assert error["message"] == "The account of the statement, DE3437040044053201300, is not a valid IBAN."
    statement(acme, camt(iban=OURS), "1010")


def test_a_gap_between_statements_is_told(acme):
    statement(acme, camt(entry("5.00", ref="1"), closing="105.00"), "1010")
    april = camt(entry("1.00", day="2026-04-02", ref="2"), opening="200.00", closing="201.00", first="2026-04-01")
    shown = statement(acme, april.replace("2026-03-31", "2026-04-30"), "1010")
    assert "105.00" in shown["warnings"][0]
    assert "200.00" in shown["warnings"][0]
    (gap,) = state(acme, "1010")["gaps"]
    assert (gap["closing"], gap["opening"]) == ("105.00", "200.00")


def test_two_equal_lines_of_a_day_are_two(acme):
    twice = camt(entry("5.00", "Coffee"), entry("5.00", "Coffee"), closing="110.00")
    assert statement(acme, twice, "1010")["new"] == 2
    assert statement(acme, twice, "1010")["known"] == 2


def test_an_iban_is_learned_and_recognised_without_a_number(acme):
    globex = customer(acme)["id"]
    first = invoice(acme, "100.00", customerId=globex, issueDate="2026-03-01")
    words = f"Invoice {first['number']}"
    statement(acme, camt(entry("100.00", words, iban=OTHER, ref="1"), closing="200.00"), "1010")
    confirm(acme, lines(acme, "1010")[0])
    second = invoice(acme, "70.00", customerId=globex, issueDate="2026-03-05")
    later = camt(entry("70.00", "thanks", iban=OTHER, ref="2"), opening="200.00", closing="270.00")
    statement(acme, later, "1010")
    (line,) = lines(acme, "1010", status="unmatched")
    (found, *_) = line["suggestions"]
    assert (found["because"], found["items"][0]["itemNumber"]) == ("iban", second["number"])


def test_one_line_pays_several_invoices_and_the_bank_keeps_a_fee(acme):
    globex = customer(acme)["id"]
    one, two, three = (
        invoice(acme, price, customerId=globex, issueDate="2026-03-01") for price in ("100", "50", "200")
    )
    both = f"{one['number']} {two['number']}"
    entries = entry("150.00", both, ref="1"), entry("198.00", three["number"], ref="2")
    statement(acme, camt(*entries, closing="448.00"), "1010")
    first, second = lines(acme, "1010")
    assert len(first["suggestions"][0]["items"]) == 2
    assert (second["suggestions"][0]["because"], second["suggestions"][0]["feeAmount"]) == ("fee", "2.00")
    for line in (first, second):
        confirm(acme, line)
    assert {acme.ok("GET", f"/finance/invoices/{made['id']}")["status"] for made in (one, two, three)} == {"paid"}


def test_amounts_that_the_currency_cannot_express_are_named_as_they_were_sent(acme):
    made = invoice(acme, "100.00", issueDate="2026-03-01")
    statement(acme, camt(entry("98.00", made["number"]), closing="198.00"), "1010")
    (line,) = lines(acme, "1010")
    paid = {"itemId": line["suggestions"][0]["items"][0]["itemId"], "amount": "98.001", "discountAmount": "1.999"}
    path = f"/finance/bank/lines/{line['id']}/confirm"
    error = acme.refused("POST", path, {"items": [paid], "feeAmount": "0.001"}, status=422)
    fields = ("items[0].amount", "items[0].discountAmount", "feeAmount")
    assert complaints(error) == dict.fromkeys(fields, "too_many_decimals")
    confirm(acme, line, items=[paid | {"amount": "98.00", "discountAmount": "2.00"}])
    assert acme.ok("GET", f"/finance/invoices/{made['id']}")["status"] == "paid"


def test_an_automatic_rule_posts_with_its_tax_and_can_be_undone(acme):
    rate = acme.ok("POST", "/finance/tax-rates", {"name": "19 %", "rate": "19", "category": "S"})["id"]
    rule = {"text": "hosting", "accountId": "6900", "taxRateId": rate, "isAutomatic": True}
    acme.ok("POST", "/finance/bank/rules", rule)
    shown = statement(acme, camt(entry("-11.90", "Web Hosting March"), opening="100.00", closing="88.10"), "1010")
    assert shown["confirmed"] == 1
    (line,) = lines(acme, "1010")
    posted = acme.ok("GET", f"/finance/journals/{line['matches'][0]['entryId']}")
    assert {row["accountCode"]: row["debit"] or row["credit"] for row in posted["lines"]} == {
        "1010": "11.90",
        "6900": "10.00",
        "1300": "1.90",
    }
    assert undo(acme, line)["status"] == "unmatched"
    assert state(acme, "1010")["bookBalance"] == "0.00"


IMPORT = "/finance/bank/statements/import"


def test_a_file_of_several_mebibytes_comes_as_it_is(acme):
    entries = [entry("1.00", "x" * 2000, ref=str(i)) for i in range(1000)]
    large = camt(*entries, closing="1100.00").encode()
    assert len(large) > 2 << 20
    headers = {"Content-Type": "application/xml"}
    params = {"accountId": "1010", "dryRun": "true"}
    answer = acme.call("POST", IMPORT, raw=large, params=params, headers=headers)
    assert (answer.json["data"]["new"], answer.json["data"]["dryRun"]) == (1000, True)
    assert lines(acme, "1010") == []
    acme.call("POST", IMPORT, raw=large, params={"accountId": "1010"}, headers=headers)
    assert len(lines(acme, "1010", limit="200")) == 200
    error = acme.refused("POST", IMPORT, {"accountId": "1010", "file": large.decode()}, status=413)
    assert "Send the file itself" in error["message"]


@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_a_table_comes_in_the_letters_of_its_program(acme, charset):
    acme.ok("POST", "/finance/bank/accounts/1010/format", {"csvMapping": {"columns": {"date": "Tag", "amount": "€"}}})
    table = "Tag;€;Büro\n05.03.2026;5,00;ä\n".encode(charset)
    headers = {"Content-Type": "text/csv"}
    params = {"accountId": "1010", "openingBalance": "0"}
    answer = acme.call("POST", IMPORT, raw=table, params=params, headers=headers)
    assert answer.json["data"]["new"] == 1


def test_rules_post_some_hundred_lines_of_an_import_and_say_so(acme, monkeypatch):
    """All of a large file would keep everybody who writes waiting for minutes."""
    monkeypatch.setattr(rules, "MOST_LINES", 2)
    acme.ok("POST", "/finance/bank/rules", {"text": "hosting", "accountId": "6900", "isAutomatic": True})
    entries = [entry("1.00", "Web Hosting", ref=str(n)) for n in range(3)]
    shown = statement(acme, camt(*entries, entry("1.00", "Rent", ref="9"), closing="104.00"), "1010")
    assert (shown["confirmed"], len(shown["warnings"])) == (2, 1)
    assert shown["warnings"][0].startswith("Rules post at most 2 transactions")
    assert len(lines(acme, "1010", status="unmatched")) == 2
