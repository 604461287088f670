"""The auditor's export: what the description says is what the files hold, and they come to the trial balance."""

import csv
import hashlib
import io
import zipfile
from decimal import Decimal

import pytest

from tests.desk.files import attach, pdf
from tests.finance.assets.assets import asset, run
from tests.finance.bank.january import statement
from tests.finance.documents.invoices import invoice
from tests.finance.documents.invoices import line as priced
from tests.finance.dunning.reminders import customer, firm, germany, make, owed
from tests.finance.journals.journals import entry
from tests.finance.quotes.quotes import act, draft, issued, line
from tests.finance.test_month import _month

etree = pytest.importorskip("lxml.etree")

EXPORT = "/finance/fiscal-years/{}/auditor-export"

DTD = """
<!ELEMENT DataSet (Version, DataSupplier?, Command*, Media+, Command*)>
<!ELEMENT DataSupplier (Name, Location, Comment)>
<!ELEMENT Media (Name, Command*, Table+, Command*)>
<!ELEMENT Table (URL, Name?, Description?, Validity?, (ANSI | Macintosh | OEM | UTF16 | UTF7 | UTF8)?,
 (DecimalSymbol, DigitGroupingSymbol)?, SkipNumBytes?, Range?, Epoch?, (VariableLength | FixedLength))>
<!ELEMENT Validity (Range, Format?)> <!ELEMENT Range (From, (To | Length)?)>
<!ELEMENT VariableLength (ColumnDelimiter?, RecordDelimiter?, TextEncapsulator?,
 ((VariablePrimaryKey+, VariableColumn*) | (VariableColumn+)), ForeignKey*)>
<!ELEMENT VariablePrimaryKey (Name, Description?, (Numeric | (AlphaNumeric, MaxLength?) | Date), Map*)>
<!ELEMENT VariableColumn (Name, Description?, (Numeric | (AlphaNumeric, MaxLength?) | Date), Map*)>
<!ELEMENT ForeignKey (Name+, References)> <!ELEMENT Numeric ((ImpliedAccuracy | Accuracy)?)>
<!ELEMENT AlphaNumeric EMPTY> <!ELEMENT Date (Format?)> <!ELEMENT UTF8 EMPTY>
""" + "".join(
    f"<!ELEMENT {name} (#PCDATA)>"
    for name in (
        *("Version", "Name", "Location", "Comment", "URL", "Description", "From", "To", "Format", "DecimalSymbol"),
        *("DigitGroupingSymbol", "ColumnDelimiter", "RecordDelimiter", "TextEncapsulator", "References", "Accuracy"),
    )
)
"""What the public description standard of 1 September 2004 says of the elements that are used."""


@pytest.fixture
def month(acme, clock_at):
    clock_at("2026-02-10T18:00:00Z")
    return acme.once(_month)


class Export:
    """An export, read as the description says."""

    def __init__(self, office, year="2026", **params):
        answer = office.call("GET", EXPORT.format(year), params=params)
        assert answer.status_code == 200, answer.text
        self.zip = zipfile.ZipFile(io.BytesIO(answer.content))
        self.index = etree.fromstring(self.zip.read("index.xml"), etree.XMLParser(load_dtd=False, no_network=True))
        self.tables = {table.findtext("URL").removesuffix(".csv"): table for table in self.index.iter("Table")}

    def columns(self, name):
        """The columns of a table as they are described, in order."""
        found = self.tables[name].find("VariableLength")
        return [each for each in found if each.tag in ("VariablePrimaryKey", "VariableColumn")]

    def lines(self, name):
        """The lines of a file, by the delimiter and the encapsulator that are described."""
        form = self.tables[name].find("VariableLength")
        text = io.StringIO(self.zip.read(f"{name}.csv").decode("utf-8"), newline="")
        delimiter, quote = form.findtext("ColumnDelimiter"), form.findtext("TextEncapsulator")
        return list(csv.reader(text, delimiter=delimiter, quotechar=quote))

    def rows(self, name):
        heading, *rows = self.lines(name)
        return [dict(zip(heading, row, strict=True)) for row in rows]


def number(text):
    return Decimal(text.replace(",", "."))


def test_the_description_follows_the_standard(acme, month):
    address = {"line1": "Hafen 1", "line2": "Haus 2", "postalCode": "20457", "city": "Hamburg", "country": "DE"}
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"address": address})
    export = Export(acme)
    dtd = etree.DTD(io.StringIO(DTD))
    assert dtd.validate(export.index), dtd.error_log
    assert export.index.getroottree().docinfo.system_url == "gdpdu-01-09-2004.dtd"
    assert export.index.findtext("DataSupplier/Name") == "Olga's office"
    assert export.index.findtext("DataSupplier/Location") == "Hafen 1, Haus 2, 20457 Hamburg, DE"


def test_the_description_names_exactly_the_columns_of_each_file(acme, month):
    statement(acme)
    export = Export(acme)
    assert {f"{name}.csv" for name in export.tables} == {
        name for name in export.zip.namelist() if name.endswith(".csv")
    }
    for name in export.tables:
        heading, *rows = export.lines(name)
        columns = export.columns(name)
        assert heading == [column.findtext("Name") for column in columns], name
        assert {len(row) for row in rows} <= {len(heading)}, name
        for row in rows:
            for column, value in zip(columns, row, strict=True):
                check(column, value)


def check(column, value):
    """A value is of the type that its column is described with."""
    if value and column.find("Date") is not None:
        day, month, year = value.split(".")
        assert (len(day), len(month), len(year)) == (2, 2, 4)
    if value and column.find("Numeric") is not None:
        assert "." not in value, (column.findtext("Name"), value)
        decimals = len(value.partition(",")[2])
        assert decimals <= int(column.findtext("Numeric/Accuracy") or 0), (column.findtext("Name"), value)
        number(value)


def test_keys_are_unique_and_what_refers_to_them_is_there(acme, month):
    statement(acme)
    export = Export(acme)
    keys = {}
    for name, table in export.tables.items():
        own = [each.findtext("Name") for each in table.iter("VariablePrimaryKey")]
        values = [tuple(row[key] for key in own) for row in export.rows(name)]
        assert len(values) == len(set(values)), name
        keys[name] = set(values)
    for name, table in export.tables.items():
        for foreign in table.iter("ForeignKey"):
            column, target = foreign.findtext("Name"), foreign.findtext("References")
            named = {(row[column],) for row in export.rows(name) if row[column]}
            assert named <= keys[target], (name, column)


def test_postings_come_to_the_trial_balance(acme, month):
    export = Export(acme)
    moved: dict[str, Decimal] = {}
    for row in export.rows("Buchungen"):
        moved[row["Konto"]] = moved.get(row["Konto"], Decimal(0)) + number(row["Betrag"])
    assert sum(moved.values()) == 0
    shown = acme.ok("GET", "/finance/reports/trial-balance", params={"date": "2026-12-31"})["rows"]
    expected = {row["account"]["code"]: Decimal(row["debit"]) - Decimal(row["credit"]) for row in shown}
    accounts = export.rows("Konten")
    assert {row["Konto"]: number(row["Schlusssaldo"]) for row in accounts if number(row["Schlusssaldo"])} == expected
    for row in accounts:
        assert number(row["Eroeffnungssaldo"]) + moved.get(row["Konto"], 0) == number(row["Schlusssaldo"]), row
        assert number(row["Soll"]) - number(row["Haben"]) == moved.get(row["Konto"], 0)
    assert "10000,00" in {row["Eroeffnungssaldo"] for row in accounts}
    totals = {row["Buchungsnummer"]: number(row["Betrag"]) for row in export.rows("Journal")}
    assert len(totals) == len({row["Buchungsnummer"] for row in export.rows("Buchungen")})


def test_documents_payments_and_lines_have_their_figures(acme, month):
    statement(acme)
    export = Export(acme)
    bills = {row["Nummer_des_Lieferanten"]: row for row in export.rows("Eingangsrechnungen")}
    assert (bills["B1"]["Gesamtbetrag"], bills["B1"]["Belegdatum"], bills["B1"]["Name"]) == (
        "172,50",
        "08.01.2026",
        "Meyer",
    )
    sold = {row["Nummer"]: row for row in export.rows("Ausgangsrechnungen")}
    assert (sold["R-2026-0003"]["Waehrung"], sold["R-2026-0003"]["Kurs"]) == ("USD", "0,92")
    lines = [
        row for row in export.rows("Ausgangsrechnungspositionen") if row["Beleg_ID"] == sold["R-2026-0001"]["Beleg_ID"]
    ]
    assert [(row["Konto"], row["Netto"]) for row in lines] == [("4400", "1000,00"), ("4300", "200,00")]
    assert len(export.rows("Zahlungen")) == 5
    assert len(export.rows("Kontoauszugszeilen")) == 7
    assert {(row["Von_Nummer"][:3], row["An_Nummer"]) for row in export.rows("Zuordnungen")} >= {("PAY", "R-2026-0001")}
    assert {row["Gebucht_von"] for row in export.rows("Journal")} == {"Olga"}


def test_quotes_and_reminders_are_in_the_export_with_what_they_led_to(acme, clock_at):
    clock_at("2026-03-03T09:00:00Z")
    firm(germany(acme))
    address = {"line1": "Hafen 1", "postalCode": "20457", "city": "Hamburg", "country": "DE"}
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"address": address, "vatId": "DE136695976"})
    globex = customer(acme, address=address)
    options = [
        line(),
        line("480.00", "2", option="optional"),
        line("900.00", "12", option="alternative", alternativeTo=1),
    ]
    offered = issued(acme, *options, customerId=globex["id"], issueDate="2026-02-02", discount={"percent": "10"})
    chosen = [offered["lines"][1]["id"]]
    offered = act(acme, offered, "accept", on="2026-02-04", by="Petra Lindt", chosenLineIds=chosen)
    assert acme.call("GET", f"/finance/quotes/{offered['id']}/pdf").status_code == 200
    draft(acme, customerId=globex["id"])
    late = owed(acme, "2700.00", "2026-01-20", globex)
    letter = make(acme, "2026-03-02")
    assert acme.call("GET", f"/finance/reminders/{letter['id']}/pdf").status_code == 200
    charge = acme.ok("POST", f"/finance/reminders/{letter['id']}/charge", {})
    deposit = invoice(acme, "50.00", issueDate="2026-03-01", kind="deposit_invoice", customerId=globex["id"])

    export = Export(acme)
    the_quote_is_told(export, offered)
    the_letter_is_told(export, letter, late, charge)
    sold = {row["Nummer"] for row in export.rows("Ausgangsrechnungen")}
    assert sold == {late["number"], charge["chargeInvoiceNumber"], deposit["number"]}
    files = {row["Belegnummer"]: row for row in export.rows("Dateien")}
    for number in (offered["number"], letter["number"]):
        content = export.zip.read(files[number]["Pfad"])
        assert (content[:5], hashlib.sha256(content).hexdigest()) == (b"%PDF-", files[number]["SHA256"])
    assert etree.DTD(io.StringIO(DTD)).validate(export.index)


def the_quote_is_told(export, offered):
    (quote,) = export.rows("Angebote")
    names: tuple[str, ...] = ("Nummer", "Fassung", "Status", "Netto", "Gesamtbetrag", "Angenommen_am", "Angenommen_von")
    sums = ["8640,00", "8640,00"]
    expected = [offered["number"], "1", "accepted", *sums, "04.02.2026", "Petra Lindt"]
    assert [quote[name] for name in names] == expected
    assert (quote["Angenommen_netto"], quote["Angenommener_Betrag"]) == ("9504,00", "9504,00")
    rows = export.rows("Angebotspositionen")
    names = ("Position", "Art", "Alternative_zu_Position", "Netto", "Angenommen_netto")
    assert [[row[name] for name in names] for row in rows] == [
        ["1", "included", "", "9600,00", "8640,00"],
        ["2", "optional", "", "960,00", "864,00"],
        ["3", "alternative", "1", "10800,00", ""],
    ]


def the_letter_is_told(export, letter, late, charge):
    (reminder,) = export.rows("Mahnungen")
    names: tuple[str, ...] = (
        "Nummer",
        "Datum",
        "Mahnstufe",
        "Offen",
        "Verzugszinsen",
        "Verzugspauschale",
        "Gesamtbetrag",
    )
    sums = ["2700,00", "31,15", "40,00", "2771,15"]
    assert [reminder[name] for name in names] == [letter["number"], "02.03.2026", "1", *sums]
    (item,) = export.rows("Mahnpositionen")
    names = ("Mahnung_ID", "Position", "Belegnummer", "Faellig_am", "Tage_ueberfaellig", "Offen", "Verzugszinsen")
    assert [item[name] for name in names] == [letter["id"], "1", late["number"], "20.01.2026", "41", "2700,00", "31,15"]
    (charged,) = export.rows("Mahnkosten")
    names = ("Beleg_ID", "Mahnungsnummer", "Verzugszinsen", "Verzugspauschale")
    assert [charged[name] for name in names] == [charge["chargeInvoiceId"], letter["number"], "31,15", "40,00"]


def test_drafts_and_other_years_are_in_no_table(acme, month):
    invoice(acme, "10.00", issueDate="2026-01-15", dueDate="2026-01-30", customer={"name": "Draftsman"}, draft=True)
    entry(acme, "5.00", day="2025-12-31", debit="6815", credit="1800")
    export = Export(acme)
    assert len(export.rows("Ausgangsrechnungen")) == 5
    assert "Draftsman" not in export.zip.read("Geschaeftspartner.csv").decode()
    assert {row["Datum"][-4:] for row in export.rows("Buchungen")} == {"2026"}
    before = Export(acme, "2025")
    assert {row["Datum"] for row in before.rows("Buchungen")} == {"31.12.2025"}
    assert before.rows("Eingangsrechnungen") == []


def test_files_of_documents_are_in_the_zip_once(acme, month):
    content = pdf()
    for name in ("B1", "B2"):
        attach(acme, content, f"{name}.pdf", of=("invoice", month.documents[name]["id"]))
    export = Export(acme)
    rows = export.rows("Dateien")
    assert {(row["Belegnummer"], row["Name"]) for row in rows} == {
        (month.documents[name]["number"], f"{name}.pdf") for name in ("B1", "B2")
    }
    (path,) = {row["Pfad"] for row in rows}
    assert hashlib.sha256(export.zip.read(path)).hexdigest() == rows[0]["SHA256"]
    assert [name for name in export.zip.namelist() if name.startswith("Dateien/")] == [path]
    without = Export(acme, files="false")
    assert [name for name in without.zip.namelist() if "/" in name] == []
    assert {row["Pfad"] for row in without.rows("Dateien")} == {""}


def test_locks_are_in_the_export_with_their_reasons(acme, month):
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-31", "reason": "Statement; missing"})
    acme.ok("POST", "/finance/tax-returns", {"dateFrom": "2026-01-01", "dateTo": "2026-01-31"})
    locked, filed = Export(acme).rows("Festschreibungen")
    assert (locked["Ereignis"], locked["Neu"], locked["Grund"]) == ("period.locked", "2026-01-31", "Statement; missing")
    assert (locked["Benutzer"], filed["Ereignis"], filed["Bis"]) == ("Olga", "tax_return.filed", "2026-01-31")


def test_text_of_several_lines_and_formulas_stay_in_their_cell(acme, month):
    words = 'Five "bolts";\nand =SUM(A1)'
    made = invoice(acme, priced("1.00", description=words), issueDate="2026-02-01", customer={"name": "=Evil"})
    export = Export(acme)
    (own,) = [row for row in export.rows("Ausgangsrechnungspositionen") if row["Beleg_ID"] == made["id"]]
    assert own["Text"] == 'Five "bolts"; and =SUM(A1)'
    assert "'=Evil" in {row["Name"] for row in export.rows("Geschaeftspartner")}


def test_currencies_with_other_decimals_are_described(acme, month):
    made = {"currency": "KWD", "exchangeRate": "3"}
    invoice(acme, priced("1.125"), issueDate="2026-02-01", customer={"name": "Kuwait"}, **made)
    export = Export(acme)
    assert "1,125" in {row["Gesamtbetrag"] for row in export.rows("Ausgangsrechnungen")}
    described = {
        each.findtext("Name"): each.findtext("Numeric/Accuracy") for each in export.columns("Ausgangsrechnungen")
    }
    assert (described["Gesamtbetrag"], described["Gesamtbetrag_Hauswaehrung"]) == ("3", "2")


def test_years_without_books_have_no_export(acme, month):
    acme.refused("GET", EXPORT.format("2020"), status=404)


def test_assets_and_their_depreciation_are_in_the_export(acme, month):
    made = asset(acme, "1500.00")
    posted = run(acme, "2026-01")
    export = Export(acme)
    (row,) = export.rows("Anlagen")
    assert (row["Anlagennummer"], row["Konto"], row["Anschaffungskosten"]) == (made["number"], "1500", "1500,00")
    (depreciation,) = export.rows("Abschreibungen")
    assert (depreciation["Anlage_ID"], depreciation["Datum"], depreciation["Betrag"]) == (
        row["Anlage_ID"],
        "31.01.2026",
        "41,67",
    )
    assert depreciation["Buchung"] == posted["journalEntryNumber"]
