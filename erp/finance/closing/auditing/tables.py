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
_SALES = "('sales_invoice', 'deposit_invoice', 'final_invoice', 'sales_credit_note')"
_PURCHASES = "('purchase_invoice', 'purchase_credit_note')"
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
 UNION SELECT contact_id FROM quote WHERE issue_date {_IN_YEAR} AND status <> 'draft'
 UNION SELECT contact_id FROM reminder WHERE date {_IN_YEAR}
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
SELECT line.invoice_id, line.position + 1, line.description, line.quantity, line.unit, line.unit_price,
 line.tax_rate_id, a.code, line.net, line.tax, line.gross, d.currency
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
    "Ausgestellte Rechnungen, auch Abschlags- und Schlussrechnungen, und Gutschriften an Kunden",
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

QUOTES = _table(
    "Angebote",
    "Abgegebene Angebote an Kunden in allen Fassungen, mit dem Auftrag, der daraus wurde",
    "Angebot_ID Nummer Fassung:whole Status Datum:date Gueltig_bis:date Geschaeftspartner_ID>Geschaeftspartner Name"
    " Betreff Referenz Waehrung Netto:money Steuer:money Rundung:money Gesamtbetrag:money Angenommen_am:date"
    " Angenommen_ueber Angenommen_von Angenommen_netto:money Angenommene_Steuer:money Angenommener_Betrag:money"
    " Pruefsumme_der_gezeigten_PDF Ausgestellt_am Abgelehnt_am Ablehnungsgrund Beendet_am Grund_der_Beendigung",
    f"""
SELECT q.id, q.number, q.revision, q.status, q.issue_date, q.valid_until, q.contact_id, q.contact_name, q.subject,
 q.reference, q.currency, q.subtotal - q.discount_total + q.charge_total, q.tax_total, q.rounding_amount, q.total,
 q.accepted_on, q.accepted_via, q.accepted_by, q.accepted_net, q.accepted_tax, q.accepted_total,
 q.accepted_paper_sha256, q.issued_at, q.declined_at, q.decline_reason, q.closed_at, q.close_reason
FROM quote AS q WHERE q.status <> 'draft' AND q.issue_date {_IN_YEAR} ORDER BY q.issue_date, q.number, q.revision""",
    currency="Waehrung",
)
QUOTE_LINES = _table(
    "Angebotspositionen",
    "Positionen der Angebote; optionale und alternative stehen nicht im Gesamtbetrag",
    "Angebot_ID>Angebote Position:whole Art Alternative_zu_Position:whole Text Menge:micro Einheit Einzelpreis:micro"
    " Steuersatz_ID>Steuersaetze Netto:money Steuer:money Brutto:money Angenommen_netto:money"
    " Angenommene_Steuer:money Waehrung",
    f"""
SELECT line.quote_id, line.position + 1, line.option, line.alternative_to, line.description, line.quantity, line.unit,
 line.unit_price, line.tax_rate_id, line.net, line.tax, line.gross, line.accepted_net, line.accepted_tax, q.currency
FROM quote_line AS line JOIN quote AS q ON q.id = line.quote_id
WHERE q.status <> 'draft' AND q.issue_date {_IN_YEAR} ORDER BY q.issue_date, q.number, q.revision, line.position""",
    keys=2,
    currency="Waehrung",
)

REMINDERS = _table(
    "Mahnungen",
    "Mahnungen an Kunden mit dem, was sie fordern; gebucht wird nur, was davon berechnet wird (Mahnkosten)",
    "Mahnung_ID Nummer Status Datum:date Zahlbar_bis:date Geschaeftspartner_ID>Geschaeftspartner Name Mahnstufe:whole"
    " Bezeichnung Waehrung Offen:money Verrechnetes_Guthaben:money Mahngebuehr:money Verzugszinsen:money"
    " Verzugspauschale:money Bereits_berechnete_Gebuehr:money Bereits_berechnete_Zinsen:money"
    " Bereits_berechnete_Pauschale:money Gesamtbetrag:money Erstellt_am Erstellt_von:user Gesendet_am Gesendet_ueber"
    " Zurueckgenommen_am Grund_der_Ruecknahme Erlassen_am Grund_des_Erlasses",
    f"""
SELECT r.id, r.number, r.status, r.date, r.pay_by, r.contact_id, r.contact_name, r.level, r.level_name, r.currency,
 r.open, r.credit, r.fee, r.interest, r.lump_sum, r.charged_fee, r.charged_interest, r.charged_lump_sum, r.total,
 r.created_at, r.created_by, r.sent_at, r.sent_via, r.undone_at, r.undo_reason, r.waived_at, r.waive_reason
FROM reminder AS r WHERE r.date {_IN_YEAR} ORDER BY r.date, r.number""",
    currency="Waehrung",
)
REMINDER_ITEMS = _table(
    "Mahnpositionen",
    "Angemahnte offene Posten; ihr Beleg kann aus einem früheren Geschäftsjahr sein",
    "Mahnung_ID>Mahnungen Position:whole Beleg_ID Belegnummer Faellig_am:date Tage_ueberfaellig:whole"
    " Vorige_Mahnstufe:whole Mahnstufe:whole Offen:money Verzugszinsen:money Verzugspauschale:money"
    " Bereits_berechnete_Zinsen:money Bereits_berechnete_Pauschale:money Waehrung",
    f"""
SELECT item.reminder_id, item.position + 1, item.invoice_id, item.number, item.due_date, item.days_overdue,
 item.last_level, item.level, item.open, item.interest, item.lump_sum, item.charged_interest, item.charged_lump_sum,
 r.currency
FROM reminder_item AS item JOIN reminder AS r ON r.id = item.reminder_id
WHERE r.date {_IN_YEAR} ORDER BY r.date, r.number, item.position""",
    keys=2,
    currency="Waehrung",
)
REMINDER_CHARGES = _table(
    "Mahnkosten",
    "Rechnungen, die Gebühren, Zinsen und Pauschalen von Mahnungen berechnen",
    "Beleg_ID>Ausgangsrechnungen Belegnummer Mahnung_ID Mahnungsnummer Mahngebuehr:money Verzugszinsen:money"
    " Verzugspauschale:money Waehrung",
    f"""
SELECT d.id, d.number, r.id, r.number, c.fee, c.interest, c.lump_sum, r.currency
FROM reminder_charge AS c JOIN invoice AS d ON d.id = c.invoice_id JOIN reminder AS r ON r.id = c.reminder_id
WHERE d.status <> 'draft' AND d.issue_date {_IN_YEAR} ORDER BY d.issue_date, d.number""",
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
 SELECT x.id, 'Anhang', x.resource_id, e.number, x.name, x.media_type, x.sha256, x.created_at
 FROM attachment AS x JOIN journal_entry AS e ON e.source_type = x.resource_type AND e.source_id = x.resource_id
 WHERE x.resource_type = 'expense_claim' AND e.reverses_id IS NULL AND e.date {_IN_YEAR}
 UNION ALL
 SELECT x.id, x.form, d.id, d.number, x.name, x.media_type, x.sha256, x.created_at
 FROM document_file AS x JOIN invoice AS d ON d.id = x.invoice_id
 WHERE d.status <> 'draft' AND d.issue_date {_IN_YEAR}
 UNION ALL
 SELECT x.id, x.form, q.id, q.number, x.name, x.media_type, x.sha256, x.created_at
 FROM quote_file AS x JOIN quote AS q ON q.id = x.quote_id
 WHERE q.status <> 'draft' AND q.issue_date {_IN_YEAR}
 UNION ALL
 SELECT r.id, 'pdf', r.id, r.number, r.number || '.pdf', x.media_type, x.sha256,
  coalesce((SELECT max(occurred_at) FROM event WHERE resource_type = 'reminder' AND resource_id = r.id
   AND type = 'reminder.filed'), r.created_at)
 FROM reminder AS r JOIN stored_file AS x ON x.sha256 = r.pdf_sha256 WHERE r.date {_IN_YEAR}
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
    *(ACCOUNTS, JOURNAL, POSTINGS, CONTACTS, INVOICES, INVOICE_LINES, BILLS, BILL_LINES, QUOTES, QUOTE_LINES),
    *(REMINDERS, REMINDER_ITEMS, REMINDER_CHARGES, PAYMENTS, ALLOCATIONS),
    *(TAX_RATES, BANK_LINES, ASSETS, DEPRECIATION, FILES, LOCKS),
)
