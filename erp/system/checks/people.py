"""Checks of payroll against payslips and the books, of leave, weeks of time, and owners of views."""

from erp.kernel.currencies import DIGITS
from erp.kernel.money import RATE_SCALE
from erp.store import sql
from erp.system.checks.findings import Rule

_NAME = "'$.name'"
_EMPLOYEE = sql.json_text("snapshot", _NAME)


def _units(column: str) -> str:
    """SQL: the minor units of 1 of the currency in a column."""
    cases = []
    for decimals in sorted(set(DIGITS.values()) - {2}):
        codes = ", ".join(repr(code) for code in sorted(DIGITS) if DIGITS[code] == decimals)
        cases.append(f"WHEN {column} IN ({codes}) THEN {10**decimals}.0")
    return f"CASE {' '.join(cases)} ELSE 100.0 END"


_PAYROLL = (
    Rule(
        "Payroll run {}: its totals are not the sums of its payslips.",
        "SELECT number FROM payroll_run JOIN payslip ON run_id = payroll_run.id GROUP BY payroll_run.id"
        " HAVING sum(payslip.gross) <> payroll_run.gross OR sum(payslip.deductions) <> payroll_run.deductions"
        " OR sum(payslip.employer_contributions) <> payroll_run.employer_contributions"
        " OR sum(payslip.net) <> payroll_run.net",
    ),
    Rule(
        "Payroll run {}: the payslip of {} is not the sum of its lines.",
        f"SELECT number, {_EMPLOYEE} FROM payslip JOIN payroll_run ON payroll_run.id = run_id LEFT JOIN ("
        " SELECT payslip_id, sum(CASE WHEN kind = 'earning' THEN amount ELSE 0 END) AS earned,"
        " sum(CASE WHEN kind = 'deduction' THEN amount ELSE 0 END) AS taken,"
        " sum(CASE WHEN kind = 'employer_contribution' THEN amount ELSE 0 END) AS added,"
        " sum(CASE WHEN kind = 'reimbursement' THEN amount ELSE 0 END) AS repaid"
        " FROM payslip_line GROUP BY payslip_id) AS sums"
        " ON payslip_id = payslip.id WHERE payslip.gross <> coalesce(earned, 0)"
        " OR payslip.deductions <> coalesce(taken, 0) OR payslip.employer_contributions <> coalesce(added, 0)"
        " OR payslip.net <> payslip.gross - payslip.deductions OR reimbursements <> coalesce(repaid, 0)",
    ),
    Rule(
        "Payroll run {}: the amount payable to {} does not follow from the net, the expenses and what is carried on.",
        f"SELECT number, {_EMPLOYEE} FROM payslip JOIN payroll_run ON payroll_run.id = run_id"
        " WHERE earlier IS NOT NULL AND payslip.payable <>"
        " CASE WHEN payslip.net + carried_in + reimbursements > 0"
        " THEN payslip.net + carried_in + reimbursements ELSE 0 END",
    ),
    Rule(
        "Payslips of {} have taken up more than earlier ones have carried on.",
        "SELECT name FROM payslip JOIN payroll_run ON payroll_run.id = run_id"
        " JOIN employee ON employee.id = employee_id WHERE status <> 'reversed' GROUP BY employee.id, name, currency"
        " HAVING sum(CASE WHEN status <> 'draft'"
        " THEN payslip.net + carried_in + reimbursements - payslip.payable ELSE 0 END)"
        " > sum(carried_in)",
    ),
    Rule(
        "Payroll run {} corrects a payslip that is not an approved one of {} in a regular run.",
        f"SELECT DISTINCT payroll_run.number, {sql.json_text('slip.snapshot', _NAME)} FROM payslip_line"
        " JOIN payslip AS slip ON slip.id = payslip_id JOIN payroll_run ON payroll_run.id = slip.run_id"
        " JOIN payslip AS origin ON origin.id = origin_payslip_id"
        " JOIN payroll_run AS paid ON paid.id = origin.run_id WHERE payroll_run.status <> 'reversed'"
        " AND (origin.employee_id <> slip.employee_id OR paid.kind <> 'regular'"
        " OR paid.status NOT IN ('approved', 'paid') OR paid.id = payroll_run.id)",
    ),
    Rule(
        "Payroll run {} corrects the same line of an earlier payslip of {} twice.",
        f"SELECT DISTINCT number, {_EMPLOYEE} FROM payslip_line JOIN payslip ON payslip.id = payslip_id"
        " JOIN payroll_run ON payroll_run.id = run_id WHERE origin_payslip_id IS NOT NULL"
        " GROUP BY payslip.id, number, snapshot, origin_payslip_id, coalesce(component_id, code), payslip_line.kind"
        " HAVING count(*) > 1",
    ),
    Rule(
        "The payment of payroll run {} is not the sum of its payable amounts.",
        "SELECT number FROM payroll_run WHERE payable <> (SELECT coalesce(sum(payslip.payable), 0) FROM payslip"
        " WHERE run_id = payroll_run.id) OR EXISTS ("
        " SELECT 1 FROM journal_entry WHERE id = payment_entry_id AND exchange_rate IS NULL AND total <> payable)"
        " OR exchange_rate IS NULL AND payable_base <> payable"
        " OR status = 'paid' AND payable_account_id <> bank_account_id AND payable_base <> coalesce(("
        " SELECT sum(amount) FROM posting WHERE entry_id = payment_entry_id AND account_id = payable_account_id), 0)",
    ),
    Rule(
        "The balance of payroll runs on account {} is not the sum of what is unpaid and what is carried on.",
        "WITH shared AS (SELECT bank_account_id AS id FROM payroll_run"
        " UNION SELECT expense_account_id FROM payslip_line UNION SELECT liability_account_id FROM payslip_line),"
        " moved AS (SELECT account_id, amount FROM posting JOIN journal_entry ON journal_entry.id = entry_id"
        " WHERE source_type = 'payroll_run' AND account_id IN (SELECT payable_account_id FROM payroll_run)"
        " UNION ALL SELECT payable_account_id,"
        " payslip.net + reimbursements - CASE status WHEN 'paid' THEN payslip.payable ELSE 0 END"
        " FROM payslip JOIN payroll_run ON payroll_run.id = run_id"
        " WHERE status IN ('approved', 'paid') AND exchange_rate IS NULL"
        " UNION ALL SELECT payable_account_id, carried_base + CASE status WHEN 'paid' THEN 0 ELSE payable_base END"
        " FROM payroll_run WHERE status IN ('approved', 'paid') AND exchange_rate IS NOT NULL)"
        " SELECT coalesce(code, account_id) FROM moved LEFT JOIN account ON account.id = account_id"
        " WHERE account_id NOT IN (SELECT id FROM shared WHERE id IS NOT NULL)"
        " GROUP BY account_id, code HAVING sum(moved.amount) <> 0",
    ),
    Rule(
        "What payroll run {} posted to account {} does not match its payslips.",
        "SELECT DISTINCT number, coalesce(code, account_id) FROM ("
        " SELECT run_id, expense_account_id AS account_id, amount FROM payslip_line"
        "  JOIN payslip ON payslip.id = payslip_id WHERE kind <> 'deduction'"
        " UNION ALL SELECT run_id, liability_account_id, -amount FROM payslip_line"
        "  JOIN payslip ON payslip.id = payslip_id WHERE kind NOT IN ('earning', 'reimbursement')"
        " UNION ALL SELECT run_id, payable_account_id, -payslip.net - reimbursements FROM payslip"
        "  JOIN payroll_run ON payroll_run.id = run_id"
        " UNION ALL SELECT payroll_run.id, account_id, -amount FROM payroll_run JOIN posting"
        "  ON entry_id = accrual_entry_id"
        ") AS moved JOIN payroll_run ON payroll_run.id = run_id LEFT JOIN account ON account.id = account_id"
        " WHERE status <> 'draft' AND exchange_rate IS NULL"
        " GROUP BY payroll_run.id, account_id, code HAVING sum(amount) <> 0",
    ),
    Rule(
        "What payroll run {} posted to account {} does not match its payslips at its exchange rate.",
        "SELECT number, coalesce(code, account_id) FROM ("
        " SELECT run_id, expense_account_id AS account_id, amount AS own, 0 AS base FROM payslip_line"
        "  JOIN payslip ON payslip.id = payslip_id WHERE kind <> 'deduction'"
        " UNION ALL SELECT run_id, liability_account_id, -amount, 0 FROM payslip_line"
        "  JOIN payslip ON payslip.id = payslip_id WHERE kind <> 'earning'"
        " UNION ALL SELECT payroll_run.id, account_id, 0, amount FROM payroll_run JOIN posting"
        "  ON entry_id = accrual_entry_id WHERE account_id <> payable_account_id AND account_id NOT IN ("
        "  SELECT account_id FROM default_account WHERE key IN ('realised_exchange_gains', 'realised_exchange_losses'))"
        ") AS moved JOIN payroll_run AS run ON run.id = run_id JOIN settings ON true"
        " LEFT JOIN account ON account.id = account_id WHERE status <> 'draft' AND exchange_rate IS NOT NULL"
        " GROUP BY run.id, number, account_id, code, exchange_rate, run.currency, base_currency"
        f" HAVING abs(sum(base) - sum(own) * (exchange_rate / {RATE_SCALE}.0)"
        f" * {_units('base_currency')} / {_units('run.currency')}) > count(*)",
    ),
    Rule(
        "Payroll run {} is {}, but its journal entries do not fit that status.",
        "SELECT number, status FROM payroll_run AS run WHERE CASE status"
        " WHEN 'draft' THEN accrual_entry_id IS NOT NULL OR payment_entry_id IS NOT NULL"
        " WHEN 'approved' THEN payment_entry_id IS NOT NULL"
        " WHEN 'paid' THEN payment_entry_id IS NULL AND payable <> 0 AND payable_account_id <> bank_account_id"
        " ELSE false END OR EXISTS (SELECT 1 FROM journal_entry AS entry WHERE entry.id IN"
        " (run.accrual_entry_id, run.payment_entry_id) AND (entry.source_id IS DISTINCT FROM run.id"
        " OR (run.status = 'reversed') <> EXISTS"
        " (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = entry.id)))",
    ),
    Rule(
        "Payroll run {} pays {} for {}, which is outside its period or belongs to another payslip.",
        f"SELECT number, {_EMPLOYEE}, date FROM paid_day JOIN payslip ON payslip.id = payslip_id"
        " JOIN payroll_run ON payroll_run.id = run_id WHERE status = 'reversed'"
        " OR paid_day.employee_id <> payslip.employee_id OR date NOT BETWEEN period_start AND period_end",
    ),
)

_LEAVE = (
    Rule(
        "The leave of {} from {} is {}, but the days taken in the leave ledger do not match it.",
        "SELECT name, start_date, status FROM leave_application JOIN employee ON employee.id = employee_id LEFT JOIN ("
        " SELECT application_id, sum(days) AS entered FROM leave_entry GROUP BY application_id) AS ledger"
        " ON application_id = leave_application.id"
        " WHERE coalesce(entered, 0) <> CASE WHEN status = 'approved' THEN -days ELSE 0 END",
    ),
    Rule(
        "The days of the leave of {} from {} do not add up to what the application counts.",
        "SELECT name, start_date FROM leave_application JOIN employee ON employee.id = employee_id LEFT JOIN ("
        " SELECT application_id, sum(days) AS covered, min(date) AS first_day, max(date) AS last_day FROM leave_day"
        " GROUP BY application_id) AS covered_days ON application_id = leave_application.id"
        " WHERE coalesce(covered, 0) <> CASE WHEN status IN ('approved', 'pending') THEN days ELSE 0 END"
        " OR first_day < start_date OR last_day > end_date",
    ),
    Rule(
        "The leave that {} carried out of {} is not what the next year took in.",
        "SELECT name, closed_year FROM (SELECT employee_id, leave_type_id, days,"
        " CASE WHEN substr(date, 6) = '12-31' THEN year ELSE year - 1 END AS closed_year FROM leave_entry"
        " WHERE kind IN ('carried_out', 'carried_in', 'carry_corrected')) AS carried"
        " JOIN employee ON employee.id = employee_id"
        " GROUP BY employee_id, name, leave_type_id, closed_year HAVING sum(days) <> 0",
    ),
    Rule(
        "{} has more than one approved leave on {}.",
        "SELECT name, date FROM leave_day JOIN leave_application AS leave ON leave.id = application_id"
        " JOIN employee ON employee.id = leave_day.employee_id WHERE status = 'approved'"
        " GROUP BY leave_day.employee_id, name, date HAVING sum(CASE WHEN part = 'day' THEN 2 ELSE 1 END) > 2"
        " OR (count(*) > 1 AND min(part) = max(part))",
    ),
    Rule(
        "The leave ledger entry of {} on {} is for another employee's leave, or for another leave type.",
        "SELECT name, leave_entry.date FROM leave_entry JOIN leave_application AS leave ON leave.id = application_id"
        " JOIN employee ON employee.id = leave_entry.employee_id"
        " WHERE leave.employee_id <> leave_entry.employee_id OR leave.leave_type_id <> leave_entry.leave_type_id",
    ),
)

_EXPENSES = (
    Rule(
        "Payroll run {} reimburses expense claim {}, but has not settled it.",
        "SELECT run.number, claim.number FROM payslip_line JOIN payslip ON payslip.id = payslip_id"
        " JOIN payroll_run AS run ON run.id = run_id JOIN expense_claim AS claim ON claim.id = claim_id"
        " WHERE run.status IN ('approved', 'paid') AND NOT EXISTS (SELECT 1 FROM open_item AS item"
        " JOIN allocation ON to_item_id = item.id AND allocation.released_on IS NULL"
        " JOIN open_item AS own ON own.id = from_item_id"
        " WHERE item.document_id = claim.journal_entry_id AND own.entry_id = run.accrual_entry_id"
        " AND allocation.amount = payslip_line.amount)",
    ),
    Rule(
        "Expense claim {}: its totals are not the sums of its lines.",
        "SELECT coalesce(number, title) FROM expense_claim AS claim LEFT JOIN ("
        " SELECT claim_id, sum(amount_base) AS amount, sum(tax) AS tax,"
        " sum(CASE WHEN paid_by = 'employee' THEN amount_base ELSE 0 END) AS own"
        " FROM expense_line GROUP BY claim_id) AS sums ON claim_id = claim.id"
        " WHERE coalesce(amount, 0) <> total OR coalesce(own, 0) <> own_total OR coalesce(sums.tax, 0) <> tax_total",
    ),
    Rule(
        "Expense claim {}: the open item of its entry is not the part that the employee paid.",
        "SELECT claim.number FROM expense_claim AS claim LEFT JOIN open_item AS item"
        " ON item.document_id = claim.journal_entry_id AND item.amount < 0 WHERE claim.journal_entry_id IS NOT NULL"
        " AND (coalesce(-item.amount, 0) <> own_total OR item.contact_id IS DISTINCT FROM"
        " CASE WHEN own_total > 0 THEN claim.contact_id END)",
    ),
    Rule(
        "Expense claim {} is {}, which does not match its entry.",
        "SELECT claim.number, claim.status FROM expense_claim AS claim"
        " JOIN journal_entry AS entry ON entry.id = claim.journal_entry_id"
        " WHERE entry.source_id IS DISTINCT FROM claim.id OR (claim.status = 'void') <> EXISTS"
        " (SELECT 1 FROM journal_entry AS mirror WHERE mirror.reverses_id = entry.id)",
    ),
)

_WHOSE = "coalesce((SELECT name FROM employee WHERE employee.user_id = {0}.user_id), {0}.user_id)"
_OF_WEEK, _OF_LOG = _WHOSE.format("week"), _WHOSE.format("log")
_LOGS = "JOIN time_log AS log ON log.user_id = week.user_id AND log.date BETWEEN week.date_from AND week.date_to"
_TIME = (
    Rule(
        "The week of time of {} from {} is {}, but its minutes are not those that were submitted.",
        f"SELECT {_OF_WEEK}, date_from, status FROM time_week AS week LEFT {_LOGS} WHERE status <> 'open'"
        " GROUP BY week.id HAVING coalesce(sum(minutes), 0) <> logged_minutes"
        " OR coalesce(sum(CASE WHEN is_billable THEN minutes ELSE 0 END), 0) <> billable_minutes",
    ),
    Rule(
        "The week of time of {} from {} is {}, but has time of {} that was added later.",
        f"SELECT {_OF_WEEK}, date_from, status, log.date FROM time_week AS week {_LOGS}"
        " WHERE status <> 'open' AND log.created_at > week.submitted_at",
    ),
    Rule(
        "The cost of {}'s time on {} is not its minutes at its rate.",
        f"SELECT {_OF_LOG}, log.date FROM time_log AS log WHERE cost IS NOT NULL"
        " AND cost <> (minutes * cost_rate + 30) / 60",
    ),
    Rule(
        "The time of {} on {} keeps a cost, but its week is not approved.",
        f"SELECT {_OF_LOG}, log.date FROM time_log AS log WHERE cost IS NOT NULL"
        " AND NOT EXISTS (SELECT 1 FROM time_week AS week WHERE week.user_id = log.user_id"
        " AND log.date BETWEEN date_from AND date_to AND status = 'approved')",
    ),
)

_IS_KNOWN = f"""
EXISTS (SELECT 1 FROM person WHERE id = list_view.created_by)
OR EXISTS (SELECT 1 FROM event WHERE resource_type = 'view' AND resource_id = list_view.id
    AND {sql.json_text("actor", "'$.id'")} = list_view.created_by)
OR EXISTS (SELECT 1 FROM event JOIN json_each(event.data, '$.members') AS joined ON true
    WHERE resource_type = 'workspace' AND event.type = 'workspace.imported'
    AND {sql.json_text("joined.value", "'$.userId'")} = list_view.created_by)
"""
_VIEWS = (
    Rule(
        "The view {} of the list {} has an owner whom the workspace has never known.",
        f"SELECT name, page FROM list_view WHERE NOT ({_IS_KNOWN})",
    ),
)

RULES = (*_PAYROLL, *_LEAVE, *_EXPENSES, *_TIME, *_VIEWS)
