"""Checks of reminders: their sums, and that what is charged is not more than a letter asks for."""

from erp.finance.contacts import heads
from erp.system.checks.documents.shared import numbered
from erp.system.checks.findings import Rule

RULES = (
    numbered("reminders", "reminder", "reminder"),
    Rule(
        "The items of reminder {} do not sum to what it asks for.",
        "SELECT r.number FROM reminder AS r LEFT JOIN reminder_item AS i ON i.reminder_id = r.id"
        " GROUP BY r.id, r.number, r.open, r.credit, r.interest, r.lump_sum, r.charged_interest, r.charged_lump_sum"
        " HAVING coalesce(sum(i.open), 0) <> r.open + r.credit OR coalesce(sum(i.interest), 0) <> r.interest"
        " OR coalesce(sum(i.lump_sum), 0) <> r.lump_sum"
        " OR coalesce(sum(i.charged_interest), 0) <> r.charged_interest"
        " OR coalesce(sum(i.charged_lump_sum), 0) <> r.charged_lump_sum",
    ),
    Rule(
        "The total of reminder {} is not its open items with its charges.",
        "SELECT number FROM reminder WHERE total"
        " <> open + fee + interest + lump_sum - charged_fee - charged_interest - charged_lump_sum",
    ),
    Rule(
        "The items of reminder {} do not stand as it does.",
        "SELECT DISTINCT r.number FROM reminder AS r JOIN reminder_item AS i ON i.reminder_id = r.id"
        " WHERE i.is_live <> CASE WHEN r.status = 'made' THEN 1 ELSE 0 END OR i.date <> r.date",
    ),
    Rule(
        "What is charged of reminder {} is more than it asks for.",
        "SELECT r.number FROM reminder AS r JOIN reminder_charge AS c ON c.reminder_id = r.id"
        " WHERE c.fee > r.fee - r.charged_fee OR c.interest > r.interest - r.charged_interest"
        " OR c.lump_sum > r.lump_sum - r.charged_lump_sum",
    ),
    Rule(
        "The items of what is charged of reminder {} do not sum to it.",
        "SELECT r.number FROM reminder_charge AS c JOIN reminder AS r ON r.id = c.reminder_id"
        " LEFT JOIN reminder_charge_item AS i ON i.charge_id = c.id GROUP BY r.number, c.id, c.interest, c.lump_sum"
        " HAVING coalesce(sum(i.interest), 0) <> c.interest OR coalesce(sum(i.lump_sum), 0) <> c.lump_sum",
    ),
    Rule(
        "Invoice {} is not what is charged of reminder {}.",
        "SELECT coalesce(v.number, 'draft'), r.number FROM reminder_charge AS c"
        " JOIN reminder AS r ON r.id = c.reminder_id"
        " JOIN invoice AS v ON v.id = c.invoice_id"
        " WHERE v.total <> c.fee + c.interest + c.lump_sum OR v.currency <> r.currency"
        f" OR v.status <> 'void' AND {heads.sql('v.contact_id')} <> {heads.sql('r.contact_id')}",
    ),
)
