"""What documents say of the trade itself: when it was done, when it is to be paid, what is sold, and to whom."""

from erp.migrations import Connection, run
from erp.migrations.books import RECORD

_SERVICE = """
ALTER TABLE invoice ADD COLUMN service_from TEXT CHECK (service_from IS NULL OR date(service_from) IS service_from)

ALTER TABLE invoice ADD COLUMN service_to TEXT CHECK (
    (service_to IS NULL OR date(service_to) IS service_to) AND (service_from IS NULL OR service_from <= service_to))

ALTER TABLE invoice ADD COLUMN tax_date TEXT CHECK (tax_date IS NULL OR date(tax_date) IS tax_date)

ALTER TABLE invoice_line ADD COLUMN service_from TEXT CHECK (service_from IS NULL OR date(service_from) IS service_from)

ALTER TABLE invoice_line ADD COLUMN service_to TEXT CHECK (
    (service_to IS NULL OR date(service_to) IS service_to) AND (service_from IS NULL OR service_from <= service_to))

ALTER TABLE invoice_line ADD COLUMN tax_date TEXT CHECK (tax_date IS NULL OR date(tax_date) IS tax_date)

UPDATE invoice SET tax_date = issue_date

CREATE TRIGGER invoice_service_kept BEFORE UPDATE OF service_from, service_to, tax_date ON invoice
WHEN OLD.status <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an issued invoice is never changed'); END
"""


def date_services(connection: Connection) -> None:
    """Documents and lines have the days of their service; what is there counts on its own date."""
    run(connection, _SERVICE)


_TERMS = """
ALTER TABLE contact ADD COLUMN payment_terms TEXT

ALTER TABLE invoice ADD COLUMN payment_terms TEXT

CREATE TRIGGER invoice_terms_kept BEFORE UPDATE OF payment_terms ON invoice
WHEN OLD.status <> 'draft'
BEGIN SELECT RAISE(ABORT, 'an issued invoice is never changed'); END
"""


def keep_terms(connection: Connection) -> None:
    """Contacts and documents have payment terms of more than days; older documents have their due date alone."""
    run(connection, _TERMS)


_PRODUCTS = f"""
CREATE TABLE product ({RECORD},
    name TEXT NOT NULL, number TEXT, description TEXT, unit TEXT, unit_price INTEGER, currency TEXT NOT NULL,
    price_includes_tax INTEGER NOT NULL, tax_rate_id TEXT REFERENCES tax_rate (id),
    account_id TEXT REFERENCES account (id), archived_at TEXT
) STRICT

CREATE UNIQUE INDEX product_number ON product (number)

CREATE INDEX product_tax_rate_id ON product (tax_rate_id)

CREATE INDEX product_account_id ON product (account_id)

ALTER TABLE invoice_line ADD COLUMN product_id TEXT REFERENCES product (id)

CREATE INDEX invoice_line_product_id ON invoice_line (product_id) WHERE product_id IS NOT NULL
"""


def offer_products(connection: Connection) -> None:
    """What is sold again and again, and which line took something from it."""
    run(connection, _PRODUCTS)


def _numbered(column: str, counter: str, side: str, kind: str, before: int, most: int) -> str:
    """Give the contacts of a side their numbers in a column: first the one in DATEV, then those with postings."""
    is_posted = (
        "EXISTS (SELECT 1 FROM posting AS p JOIN account AS a ON a.id = p.account_id"
        f" WHERE p.contact_id = contact.id AND a.subtype = '{side}')"
    )
    return f"""
ALTER TABLE contact ADD COLUMN {column} TEXT

UPDATE contact SET {column} = (
    SELECT CAST({before} + number AS TEXT) FROM datev_account WHERE contact_id = contact.id AND side = '{side}')

UPDATE contact SET {column} = CAST({before} + new.number AS TEXT) FROM (
    SELECT id, row_number() OVER (ORDER BY {is_posted} DESC, id)
        + (SELECT coalesce(max(number), 0) FROM datev_account WHERE side = '{side}') AS number
    FROM contact WHERE {column} IS NULL AND (kind IN ('{kind}', 'both') OR {is_posted})
) AS new WHERE new.id = contact.id AND new.number <= {most}

INSERT INTO number_counter (series, fiscal_year, last)
SELECT '{counter}', 0, max(CAST({column} AS INTEGER)) - {before} FROM contact WHERE {column} IS NOT NULL
HAVING count(*) > 0

CREATE UNIQUE INDEX contact_{column} ON contact ({column})

CREATE TRIGGER contact_{column}_kept BEFORE UPDATE OF {column} ON contact
WHEN OLD.{column} IS NOT NULL AND NEW.{column} IS NOT OLD.{column}
BEGIN SELECT RAISE(ABORT, 'a contact keeps its number'); END
"""


def number_contacts(connection: Connection) -> None:
    """Customers and suppliers have the numbers that some had in files for DATEV; the others get the next ones."""
    run(connection, _numbered("debtor_number", "debtor", "receivable", "customer", 10_000, 59_999))
    run(connection, _numbered("creditor_number", "creditor", "payable", "supplier", 70_000, 29_999))
    run(connection, "DROP TABLE datev_account")
