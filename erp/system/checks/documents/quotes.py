"""Checks of quotes against their lines and their invoices."""

from erp.finance.quotes.invoiced import USED
from erp.store import sql
from erp.system.checks.documents.shared import YEAR
from erp.system.checks.findings import Rule

_NAMED = "coalesce(quote.number, 'draft ' || quote.id)"
_LINES = "SELECT {0} FROM quote_line WHERE quote_line.quote_id = quote.id"
_OTHERS = "SELECT {0} FROM quote_adjustment WHERE quote_adjustment.quote_id = quote.id"


def _sum(columns: str, of_lines: str, of_others: str) -> str:
    """The sum of a column of the lines and of one of the adjustments, of which allowances are taken off."""
    lines = f"coalesce(({_LINES.format(f'sum({of_lines})')} {columns}), 0)"
    others = f"coalesce(({_OTHERS.format(f'sum(CASE WHEN is_charge THEN {of_others} ELSE -{of_others} END)')}), 0)"
    return f"{lines} + {others}"


_INCLUDED = "AND option = 'included'"
_PAPERS = "SELECT sha256 FROM quote_file WHERE quote_id = quote.id AND form = 'quote'"
_PAPER_OF_EVENT = sql.json_text("data", "'$.paperSha256'")
RULES = (
    Rule(
        "Quote {}: its total is not the sum of its included lines, adjustments and tax.",
        f"SELECT {_NAMED} FROM quote"
        f" WHERE subtotal <> ({_LINES.format('sum(net)')} {_INCLUDED})"
        f" OR subtotal - discount_total + charge_total <> {_sum(_INCLUDED, 'gross - tax', 'amount')}"
        f" OR tax_total <> {_sum(_INCLUDED, 'tax', 'tax')}"
        " OR total <> subtotal - discount_total + charge_total + tax_total + rounding_amount",
    ),
    Rule(
        "Quote {}: what was accepted is not the sum of its accepted lines, adjustments and tax.",
        f"SELECT {_NAMED} FROM quote WHERE coalesce(accepted_net, 0) <> {_sum('', 'accepted_net', 'accepted_amount')}"
        f" OR coalesce(accepted_tax, 0) <> {_sum('', 'accepted_tax', 'accepted_tax')}",
    ),
    Rule(
        "More of quote {} has been invoiced than was accepted.",
        f"SELECT {_NAMED} FROM quote WHERE NOT is_above AND accepted_net >= 0"
        f" AND {USED.format(id='quote.id')} > accepted_net",
    ),
    Rule(
        "An invoice bills quote {}, which has not been accepted.",
        f"SELECT DISTINCT {_NAMED} FROM quote JOIN invoice ON invoice.quote_id = quote.id"
        " WHERE quote.accepted_net IS NULL AND invoice.status <> 'void'",
    ),
    # the paper is erased with the customer, whose name is then empty too
    Rule(
        "Quote {} was accepted by link, but the PDF that was shown then is not the one that is kept.",
        f"SELECT {_NAMED} FROM quote WHERE accepted_via = 'link' AND accepted_paper_sha256 NOT IN ({_PAPERS})"
        f" AND (accepted_by IS NOT NULL OR EXISTS ({_PAPERS}))",
    ),
    Rule(
        "Quote {} was accepted by link, but its log does not have that yes with the same PDF.",
        f"SELECT {_NAMED} FROM quote WHERE accepted_via = 'link' AND NOT EXISTS (SELECT 1 FROM event"
        " WHERE resource_type = 'quote' AND resource_id = quote.id AND type = 'quote.accepted'"
        f" AND {_PAPER_OF_EVENT} = accepted_paper_sha256)",
    ),
    Rule(
        "The quotes {} are not numbered from 1 without a gap: there are {}, and the last is number {}.",
        f"SELECT {YEAR}, count(DISTINCT seq), max(seq) FROM quote LEFT JOIN number_counter AS c USING (fiscal_year)"
        " WHERE c.series = 'quote' AND seq IS NOT NULL GROUP BY fiscal_year"
        " HAVING min(seq) <> 1 OR max(seq) <> count(DISTINCT seq) OR max(seq) <> max(c.last)",
    ),
)
