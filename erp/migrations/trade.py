"""What documents say of the trade itself: when it was done, when it is to be paid, and what is sold again and again."""

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
