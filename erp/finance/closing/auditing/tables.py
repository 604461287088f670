"""The tables of the auditor's export: their German names, columns, keys and rows of a fiscal year, in fixed SQL.

Each statement selects the columns in their order, between the days `:first` and `:last`. Drafts are not part of the
books, and in no table.
"""

from typing import Literal, NamedTuple

from erp.finance.books.years import RESULT_TYPES
from erp.store import sql

Kind = Literal["text", "user", "whole", "date", "base", "money", "micro", "rate"]
"""The content of a column: `user` is an id, shown as a name; `base` is minor units of the base currency, `money` of the
row's own; `micro` is millionths, `rate` an exchange rate.
"""


class Column(NamedTuple):
    """A column and, where it names rows of another table by their key, that table."""

    name: str
    kind: Kind = "text"
    refers_to: str | None = None


class Table(NamedTuple):
    """A table; its first columns are its key. `currency` names the column of the currency of its amounts."""

    name: str
    about: str
    keys: int
    columns: tuple[Column, ...]
    rows: str
    currency: str | None = None

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.name}.csv"


def _table(name: str, about: str, columns: str, rows: str, keys: int = 1, currency: str | None = None) -> Table:
    """A table whose columns are written as `name:kind>table`; kind and table can be left out."""
    return Table(name, about, keys, tuple(map(_column, columns.split())), rows, currency)


def _column(written: str) -> Column:
    rest, _, refers_to = written.partition(">")
    name, _, kind = rest.partition(":")
    return Column(name, kind or "text", refers_to or None)  # type: ignore[arg-type]


_RESULTS = ", ".join(f"'{type}'" for type in RESULT_TYPES)
_IN_YEAR = "BETWEEN :first AND :last"
_SALES, _PURCHASES = "('sales_invoice', 'sales_credit_note')", "('purchase_invoice', 'purchase_credit_note')"
_ISSUED = f"status <> 'draft' AND issue_date {_IN_YEAR} AND kind IN"

ACCOUNTS = _table(
    "Konten",
    "Kontenplan mit Summen und Salden des Geschäftsjahrs, Soll über und Haben unter null",
    "Konto Bezeichnung Art Unterart Waehrung Eroeffnungssaldo:base Soll:base Haben:base Schlusssaldo:base",
    f"""
SELECT a.code, a.name, a.type, a.subtype, a.currency, coalesce(moved.opening, 0), coalesce(moved.debit, 0),
 coalesce(moved.credit, 0), coalesce(moved.opening, 0) + coalesce(moved.debit, 0) - coalesce(moved.credit, 0)
FROM account AS a LEFT JOIN (
 SELECT p.account_id,
  sum(CASE WHEN p.date < :first AND own.type NOT IN ({_RESULTS}) THEN p.amount ELSE 0 END) AS opening,
  sum(CASE WHEN p.date >= :first AND p.amount > 0 THEN p.amount ELSE 0 END) AS debit,
  sum(CASE WHEN p.date >= :first AND p.amount < 0 THEN -p.amount ELSE 0 END) AS credit
 FROM posting AS p JOIN account AS own ON own.id = p.account_id WHERE p.date <= :last GROUP BY p.account_id
) AS moved ON moved.account_id = a.id
WHERE NOT a.is_group ORDER BY a.code""",
)

JOURNAL = _table(
    "Journal",
    "Journal: alle Buchungssätze des Geschäftsjahrs, lückenlos nummeriert und festgeschrieben",
    "Buchungsnummer Belegdatum:date Text Belegreferenz Vorgang Quelle Quelle_ID Storniert_Buchung Betrag:base"
    " Gebucht_am Gebucht_von:user Pruefsumme",
    f"""
SELECT e.number, e.date, e.description, e.reference, e.kind, e.source_type, e.source_id, mirrored.number, e.total,
 e.created_at, e.created_by, e.hash
FROM journal_entry AS e LEFT JOIN journal_entry AS mirrored ON mirrored.id = e.reverses_id
WHERE e.date {_IN_YEAR} ORDER BY e.date, e.seq""",
)

POSTINGS = _table(
    "Buchungen",
    "Buchungszeilen der Buchungssätze, Soll über und Haben unter null in der Hauswährung",
    "Buchungsnummer>Journal Zeile:whole Konto>Konten Datum:date Betrag:base Geschaeftspartner_ID>Geschaeftspartner"
    " Projekt Text Fremdwaehrung Fremdbetrag:money Dimensionen",
    f"""
SELECT e.number, p.line, a.code, p.date, p.amount, p.contact_id, project.code, p.description, p.currency,
 p.foreign_amount, p.dimensions
FROM posting AS p JOIN journal_entry AS e ON e.id = p.entry_id JOIN account AS a ON a.id = p.account_id
LEFT JOIN project ON project.id = p.project_id WHERE p.date {_IN_YEAR} ORDER BY e.date, e.seq, p.line""",
    keys=2,
    currency="Fremdwaehrung",
)

CONTACTS = _table(
    "Geschaeftspartner",
    "Kunden und Lieferanten mit Vorgängen im Geschäftsjahr",
    "Geschaeftspartner_ID Art Name Firma USt_IdNr Steuernummer Strasse PLZ Ort Land Debitorennummer Kreditorennummer",
    f"""
SELECT c.id, c.kind, c.name, c.legal_name, c.vat_id, c.tax_number, {sql.json_text("c.address", "'$.line1'")},
 {sql.json_text("c.address", "'$.postal_code'")}, {sql.json_text("c.address", "'$.city'")},
 {sql.json_text("c.address", "'$.country'")},
 c.debtor_number, c.creditor_number
FROM contact AS c WHERE c.id IN (
 SELECT contact_id FROM posting WHERE date {_IN_YEAR} AND contact_id IS NOT NULL
 UNION SELECT contact_id FROM invoice WHERE issue_date {_IN_YEAR} AND status <> 'draft'
 UNION SELECT contact_id FROM payment WHERE date {_IN_YEAR}
) ORDER BY c.name, c.id""",
)


def _documents(kinds: str) -> str:
    return f"""
SELECT d.id, d.number, d.kind, d.status, d.issue_date, d.due_date, d.tax_date, d.contact_id, d.contact_name,
 d.supplier_number, d.reference, d.currency, d.exchange_rate, d.subtotal, d.discount_total, d.charge_total,
 d.tax_total, d.rounding_amount, d.total, d.base_total, e.number, credited.number, d.issued_at, d.voided_at,
 d.void_reason
FROM invoice AS d LEFT JOIN journal_entry AS e ON e.id = d.journal_entry_id
LEFT JOIN invoice AS credited ON credited.id = d.credited_invoice_id
WHERE d.{_ISSUED.replace(" issue_date", " d.issue_date").replace("AND kind", "AND d.kind")} {kinds}
ORDER BY d.issue_date, d.number"""


def _lines(kinds: str) -> str:
    return f"""
SELECT line.invoice_id, line.position, line.description, line.quantity, line.unit, line.unit_price, line.tax_rate_id,
 a.code, line.net, line.tax, line.gross, d.currency
FROM invoice_line AS line JOIN invoice AS d ON d.id = line.invoice_id JOIN account AS a ON a.id = line.account_id
WHERE d.{_ISSUED.replace(" issue_date", " d.issue_date").replace("AND kind", "AND d.kind")} {kinds}
ORDER BY d.issue_date, d.number, line.position"""


_DOCUMENT = (
    "Beleg_ID Nummer Belegart Status Belegdatum:date Faellig_am:date Steuerdatum:date"
    " Geschaeftspartner_ID>Geschaeftspartner Name Nummer_des_Lieferanten Referenz Waehrung Kurs:rate"
    " Zwischensumme:money Rabatte:money Zuschlaege:money Steuer:money Rundung:money Gesamtbetrag:money"
    " Gesamtbetrag_Hauswaehrung:base Buchungsnummer>Journal Zu_Rechnung Ausgestellt_am Storniert_am Stornogrund"
)
_LINE = (
    "Beleg_ID>{} Position:whole Text Menge:micro Einheit Einzelpreis:micro Steuersatz_ID>Steuersaetze Konto>Konten"
    " Netto:money Steuer:money Brutto:money Waehrung"
)

INVOICES = _table(
    "Ausgangsrechnungen",
    "Ausgestellte Rechnungen und Gutschriften an Kunden",
    _DOCUMENT,
    _documents(_SALES),
    currency="Waehrung",
)
INVOICE_LINES = _table(
    "Ausgangsrechnungspositionen",
    "Positionen der Rechnungen und Gutschriften an Kunden",
    _LINE.format("Ausgangsrechnungen"),
    _lines(_SALES),
    keys=2,
    currency="Waehrung",
)
BILLS = _table(
    "Eingangsrechnungen",
    "Rechnungen und Gutschriften von Lieferanten",
    _DOCUMENT,
    _documents(_PURCHASES),
    currency="Waehrung",
)
BILL_LINES = _table(
    "Eingangsrechnungspositionen",
    "Positionen der Rechnungen und Gutschriften von Lieferanten",
    _LINE.format("Eingangsrechnungen"),
    _lines(_PURCHASES),
    keys=2,
    currency="Waehrung",
)

PAYMENTS = _table(
    "Zahlungen",
    "Zahlungen von Kunden und an Lieferanten",
    "Zahlung_ID Nummer Richtung Status Datum:date Geschaeftspartner_ID>Geschaeftspartner Konto>Konten Art Betrag:money"
    " Gebuehr:money Waehrung Kurs:rate Betrag_Hauswaehrung:base Referenz Buchungsnummer>Journal Storniert_am"
    " Stornogrund",
    f"""
SELECT p.id, p.number, p.direction, p.status, p.date, p.contact_id, a.code, p.method, p.amount, p.fee_amount,
 p.currency, p.exchange_rate, p.base_amount, p.reference, e.number, p.voided_at, p.void_reason
FROM payment AS p JOIN account AS a ON a.id = p.account_id LEFT JOIN journal_entry AS e ON e.id = p.journal_entry_id
WHERE p.date {_IN_YEAR} ORDER BY p.date, p.number""",
    currency="Waehrung",
)

ALLOCATIONS = _table(
    "Zuordnungen",
    "Welcher offene Posten mit welchem ausgeglichen wurde",
    "Zuordnung_ID Datum:date Von_Art Von_Nummer An_Art An_Nummer Betrag:money Waehrung Buchungsnummer>Journal"
    " Aufgehoben_am:date",
    f"""
SELECT x.id, x.date, taken.document_type, taken.number, settled.document_type, settled.number, x.amount,
 settled.currency, e.number, x.released_on
FROM allocation AS x JOIN open_item AS taken ON taken.id = x.from_item_id
JOIN open_item AS settled ON settled.id = x.to_item_id LEFT JOIN journal_entry AS e ON e.id = x.journal_entry_id
WHERE x.date {_IN_YEAR} OR x.released_on {_IN_YEAR} ORDER BY x.date, x.id""",
    currency="Waehrung",
)

TAX_RATES = _table(
    "Steuersaetze",
    "Steuersätze mit ihren Konten",
    "Steuersatz_ID Steuersatz Prozent:micro Kategorie Kennzeichen Befreiungsgrund Konto_Umsatzsteuer Konto_Vorsteuer"
    " Archiviert_am",
    """
SELECT t.id, t.name, t.rate, t.category, t.tax_tag, t.exemption_reason, out_account.code, in_account.code, t.archived_at
FROM tax_rate AS t LEFT JOIN account AS out_account ON out_account.id = t.output_tax_account_id
LEFT JOIN account AS in_account ON in_account.id = t.input_tax_account_id ORDER BY t.name, t.id""",
)

BANK_LINES = _table(
    "Kontoauszugszeilen",
    "Zeilen der importierten Kontoauszüge",
    "Zeile_ID Auszug Konto>Konten Datum:date Wertstellung:date Betrag:money Waehrung Text Gegenpartei IBAN Referenz"
    " Zugeordnet:money",
    f"""
SELECT l.id, s.number, a.code, l.date, l.value_date, l.amount, l.currency, l.text, l.party, l.iban, l.reference,
 coalesce((SELECT sum(m.amount) FROM bank_match AS m WHERE m.line_id = l.id
  AND NOT EXISTS (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = m.entry_id)), 0)
FROM bank_line AS l JOIN bank_statement AS s ON s.id = l.statement_id JOIN account AS a ON a.id = l.account_id
WHERE l.date {_IN_YEAR} ORDER BY l.date, l.id""",
    currency="Waehrung",
)

ASSETS = _table(
    "Anlagen",
    "Anlagen, die im Geschäftsjahr zum Vermögen gehörten, ohne Entwürfe",
    "Anlage_ID Anlagennummer Bezeichnung Konto>Konten Anschaffungskosten:base Restwert:base Angeschafft_am:date"
    " In_Betrieb_ab:date Methode Nutzungsdauer_Monate:whole Fruehere_Abschreibungen:base Abgang_am:date Abgang_Art"
    " Erloes:base",
    """
SELECT x.id, x.number, x.name, a.code, x.cost, x.residual_value, x.acquired_on, x.in_use_on, x.method, x.life_months,
 x.opening_accumulated, x.disposed_on, x.disposal_kind, x.proceeds
FROM asset AS x JOIN account AS a ON a.id = x.account_id
WHERE x.status <> 'draft' AND x.acquired_on <= :last
AND (x.method = 'pool' OR coalesce(x.disposed_on, :first) >= :first) ORDER BY x.seq""",
)

DEPRECIATION = _table(
    "Abschreibungen",
    "Gebuchte Abschreibungen der Anlagen, ohne stornierte",
    "Abschreibung_ID Anlage_ID>Anlagen Datum:date Betrag:base Konto>Konten Buchung",
    f"""
SELECT d.id, d.asset_id, d.date, d.amount, a.code, e.number
FROM depreciation AS d JOIN account AS a ON a.id = d.account_id JOIN journal_entry AS e ON e.id = d.journal_entry_id
WHERE d.date {_IN_YEAR} AND NOT EXISTS (SELECT 1 FROM journal_entry AS m WHERE m.reverses_id = d.journal_entry_id)
ORDER BY d.date, d.id""",
)

FILES = _table(
    "Dateien",
    "Dateien zu Belegen und Buchungen; die Datei liegt im Ordner, den die Spalte Pfad nennt",
    "Datei_ID Art Beleg_ID Belegnummer Name Medientyp SHA256 Pfad Hinzugefuegt_am",
    f"""
SELECT f.id, f.kind, f.record_id, f.number, f.name, f.media_type, f.sha256, f.sha256, f.created_at FROM (
 SELECT x.id, 'Anhang' AS kind, d.id AS record_id, d.number, x.name, x.media_type, x.sha256, x.created_at
 FROM attachment AS x JOIN invoice AS d ON x.resource_type = 'invoice' AND x.resource_id = d.id
 WHERE d.status <> 'draft' AND d.issue_date {_IN_YEAR}
 UNION ALL
 SELECT x.id, 'Anhang', p.id, p.number, x.name, x.media_type, x.sha256, x.created_at
 FROM attachment AS x JOIN payment AS p ON x.resource_type = 'payment' AND x.resource_id = p.id
 WHERE p.date {_IN_YEAR}
 UNION ALL
 SELECT x.id, 'Anhang', e.id, e.number, x.name, x.media_type, x.sha256, x.created_at
 FROM attachment AS x JOIN journal_entry AS e ON x.resource_type = 'journal_entry' AND x.resource_id = e.id
 WHERE e.date {_IN_YEAR}
 UNION ALL
 SELECT x.id, x.form, d.id, d.number, x.name, x.media_type, x.sha256, x.created_at
 FROM document_file AS x JOIN invoice AS d ON d.id = x.invoice_id
 WHERE d.status <> 'draft' AND d.issue_date {_IN_YEAR}
) AS f ORDER BY f.created_at, f.id""",
)

LOCKS = _table(
    "Festschreibungen",
    "Ereignisprotokoll der Periodensperren und der abgegebenen Steuermeldungen, mit Grund und Prüfsumme",
    "Nummer:whole Zeitpunkt Ereignis Benutzer Bisher Neu Grund Von Bis Pruefsumme",
    f"""
SELECT event.seq, occurred_at, event.type, {sql.json_text("actor", "'$.name'")}, {sql.json_text("data", "'$.from'")},
 {sql.json_text("data", "'$.to'")}, {sql.json_text("data", "'$.reason'")}, {sql.json_text("data", "'$.dateFrom'")},
 {sql.json_text("data", "'$.dateTo'")}, event.hash
FROM event WHERE (resource_type = 'workspace' AND type IN ('period.locked', 'period.unlocked'))
 OR (resource_type = 'tax_return' AND type = 'tax_return.filed') ORDER BY event.seq""",
)

TABLES = (
    *(ACCOUNTS, JOURNAL, POSTINGS, CONTACTS, INVOICES, INVOICE_LINES, BILLS, BILL_LINES, PAYMENTS, ALLOCATIONS),
    *(TAX_RATES, BANK_LINES, ASSETS, DEPRECIATION, FILES, LOCKS),
)
