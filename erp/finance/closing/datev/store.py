"""Fixed SQL about journal entries that go to DATEV."""

from erp.finance.books.open_items import IS_OF_ENTRY

POSTINGS = f"""
SELECT entry.id, entry.number, entry.date, entry.description, entry.kind, entry.source_id, p.line,
    p.amount, a.id, a.code, a.type, p.contact_id, project.code, p.dimensions, item.number, item.due_date
FROM journal_entry AS entry JOIN posting AS p ON p.entry_id = entry.id JOIN account AS a ON a.id = p.account_id
LEFT JOIN project ON project.id = p.project_id
LEFT JOIN open_item AS item ON {IS_OF_ENTRY} AND item.line = p.line
WHERE {{where}} ORDER BY entry.date, entry.seq, p.line
"""
IN_RANGE = "entry.date BETWEEN :first AND :last"
IN_STACK = "entry.id IN (SELECT entry_id FROM datev_entry WHERE stack_id = :stack)"
NEW = "NOT EXISTS (SELECT 1 FROM datev_entry AS sent WHERE sent.entry_id = entry.id)"

MARK = "INSERT INTO datev_entry (stack_id, entry_id) SELECT ?, value FROM json_each(?)"

LATER = f"""
SELECT entry.id, entry.number, entry.date, entry.description, entry.total, entry.created_at
FROM journal_entry AS entry
WHERE {NEW} AND EXISTS (SELECT 1 FROM datev_stack AS s WHERE entry.date BETWEEN s.date_from AND s.date_to)
ORDER BY entry.id
"""
"""The entries that were posted into the days of a batch after it was made."""

TAX_ACCOUNTS = """
SELECT code FROM account WHERE subtype = 'tax'
UNION SELECT a.code FROM tax_rate AS t JOIN account AS a ON a.id IN (t.output_tax_account_id, t.input_tax_account_id)
UNION SELECT a.code FROM default_account AS d JOIN account AS a ON a.id = d.account_id WHERE d.key = 'input_tax'
"""

BILLS = """
SELECT entry.id, i.supplier_number, i.number
FROM journal_entry AS entry JOIN invoice AS i ON i.id = entry.source_id
WHERE entry.source_type = 'invoice' AND i.supplier_number IS NOT NULL
AND entry.id IN (SELECT value FROM json_each(?))
"""

DAYS = """
WITH document AS (
    SELECT i.*, entry.date AS entry_day, coalesce(i.service_to, i.service_from) AS service
    FROM journal_entry AS entry JOIN invoice AS i ON i.journal_entry_id = entry.id
    WHERE entry.id IN (SELECT value FROM json_each(:ids))
)
SELECT journal_entry_id, NULL, kind, entry_day, service, tax_date FROM document
UNION ALL
SELECT d.journal_entry_id, l.account_id, d.kind, d.entry_day,
    max(coalesce(l.service_to, l.service_from, d.service)), max(coalesce(l.tax_date, d.tax_date))
FROM document AS d JOIN invoice_line AS l ON l.invoice_id = d.id
GROUP BY d.journal_entry_id, l.account_id HAVING count(DISTINCT substr(coalesce(l.tax_date, d.tax_date), 1, 7)) = 1
"""
"""The days of documents, and of their lines by account where they are of one month."""

CODES = "SELECT code FROM account WHERE NOT is_group"

SAME = """
SELECT number FROM journal_entry AS e WHERE date = ? AND description = ?
AND reference IS NOT DISTINCT FROM CAST(? AS TEXT) AND total = ? AND kind = 'manual'
AND NOT EXISTS (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = e.id) LIMIT 1
"""
"""An equal manual entry that is not reversed."""

COLLECTIVE = """
SELECT d.key, a.code FROM default_account AS d JOIN account AS a ON a.id = d.account_id
WHERE d.key IN ('receivable', 'payable')
"""
PROJECTS = "SELECT code, id FROM project WHERE code IS NOT NULL"

CONTACTS = """
SELECT number, c.name, c.legal_name, c.vat_id, c.email, c.phone, c.address FROM (
    SELECT id, debtor_number AS number, 'receivable' AS side FROM contact
    UNION ALL SELECT id, creditor_number, 'payable' FROM contact
) AS numbered JOIN contact AS c ON c.id = numbered.id
WHERE number IS NOT NULL AND EXISTS (
    SELECT 1 FROM posting AS p JOIN account AS a ON a.id = p.account_id
    JOIN datev_entry AS sent ON sent.entry_id = p.entry_id WHERE p.contact_id = c.id AND a.subtype = side
)
ORDER BY number
"""
"""Customers and suppliers with an entry in a batch."""
