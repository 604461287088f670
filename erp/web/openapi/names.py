"""The `operationId` of an endpoint: a verb and a noun, made from its method and path.

GET /finance/invoices             listInvoices
GET /finance/invoices/{id}        getInvoice
POST /tasks/{id}/comments         createTaskComment
POST /finance/invoices/{id}/issue issueInvoice
"""

import re

from erp.web.contract import Contract

EXCEPTIONS = {
    "POST /auth/login": "logIn",
    "POST /auth/logout": "signOut",
    "GET /auth/register": "getRegistrationMode",
    "POST /auth/register": "registerUser",
    "DELETE /auth/calendar-addresses/{id}": "deleteOwnCalendarAddress",
    "POST /auth/sign-in/email": "signIn",
    "POST /finance/allocations/{id}/release": "releaseItemAllocation",
    "POST /finance/assets/{id}/dispose/undo": "undoAssetDisposal",
    "POST /finance/assets/{id}/life": "changeAssetLife",
    "POST /finance/bank/lines/confirm": "confirmLines",
    "POST /finance/contacts/import/columns": "proposeContactColumns",
    "POST /finance/invoices/from-time-logs": "createInvoiceFromTimeLogs",
    "POST /finance/contacts/{id}/reminder-block": "blockContactReminders",
    "POST /finance/contacts/{id}/reminder-block/lift": "liftContactReminderBlock",
    "POST /finance/invoices/delete-drafts": "deleteInvoiceDrafts",
    "POST /finance/invoices/pdf": "printInvoices",
    "POST /finance/invoices/issue": "issueInvoices",
    "POST /finance/invoices/send": "sendInvoices",
    "POST /finance/reminders/send": "sendReminders",
    "POST /finance/invoices/{id}/mark-sent": "markInvoiceSent",
    "POST /finance/invoices/{id}/unmark-sent": "unmarkInvoiceSent",
    "POST /finance/invoices/{id}/reminder-block": "blockInvoiceReminders",
    "POST /finance/invoices/{id}/reminder-block/lift": "liftInvoiceReminderBlock",
    "POST /finance/quotes/{id}/mark-sent": "markQuoteSent",
    "POST /finance/quotes/{id}/unmark-sent": "unmarkQuoteSent",
    "POST /finance/reminders/{id}/mark-sent": "markReminderSent",
    "POST /finance/reminders/{id}/unmark-sent": "unmarkReminderSent",
    "POST /finance/open-items/{id}/write-off": "writeOffOpenItem",
    "POST /finance/open-items/{id}/write-off/undo": "undoOpenItemWriteOff",
    "POST /finance/opening-balances/columns": "proposeOpeningBalanceColumns",
    "POST /finance/payments/batch": "createPayments",
    "POST /finance/reports/verify": "verifyReport",
    "POST /hr/attendance-corrections/decide": "decideAttendanceCorrections",
    "POST /hr/attendance-corrections/{id}/decision/undo": "undoCorrectionDecision",
    "POST /hr/attendance/batch": "createAttendanceBatch",
    "POST /hr/checklist-tasks/{id}/done": "finishChecklistTask",
    "POST /hr/checklist-tasks/{id}/reopen": "reopenChecklistTask",
    "POST /hr/documents/{id}/done": "endDocumentReminder",
    "POST /hr/employees/{id}/terminate/undo": "undoTermination",
    "POST /hr/expense-claims/decide": "decideExpenseClaims",
    "POST /hr/expense-claims/{id}/decision/undo": "undoExpenseClaimDecision",
    "POST /hr/leaves/decide": "decideLeaves",
    "GET /kiosk/people": "listKioskPeople",
    "POST /kiosk/clock": "clockAtKiosk",
    "POST /hr/leaves/{id}/decision/undo": "undoLeaveDecision",
    "POST /share/view": "viewSharedDocument",
    "POST /share/file": "downloadSharedDocument",
    "POST /share/accept": "acceptSharedDocument",
    "POST /share/decline": "declineSharedDocument",
    "GET /finance/quotes/{id}/links": "listQuoteLinks",
    "POST /finance/quotes/{id}/links": "createQuoteLink",
    "POST /finance/quotes/{id}/links/{linkId}/revoke": "revokeQuoteLink",
    "GET /finance/invoices/{id}/links": "listInvoiceLinks",
    "POST /finance/invoices/{id}/links": "createInvoiceLink",
    "POST /finance/invoices/{id}/links/{linkId}/revoke": "revokeInvoiceLink",
    "POST /hr/payroll/try": "tryPay",
    "POST /tasks/batch": "createTasks",
    "POST /workspace/paper/preview": "createPaperPreview",
    "POST /workspace/notices/read": "readNotices",
    "POST /workspace/notices/unread": "keepNoticesUnread",
    "GET /workspace/people/{kind}/{id}/export": "exportPerson",
    "POST /workspace/people/{kind}/{id}/erase": "erasePerson",
    "GET /workspace/next-numbers": "getNextNumbers",
    "GET /workspace/retention": "getRetention",
    "PATCH /workspace/retention": "updateRetention",
    "GET /workspace/retention/due": "listPeopleToErase",
    "GET /hr/me/export": "exportMe",
    "POST /tasks/batch/change": "updateTasks",
    "GET /tasks/time-logs/week": "getTimeWeek",
    "POST /tasks/time-logs/week": "writeTimeWeek",
    "POST /tasks/time-weeks/decide": "decideTimeWeeks",
    "DELETE /system/backups/{name}/restore": "cancelRestore",
    "GET /workspace/events/verify": "verifyEvents",
}
"""The few names that the rule would spoil, by method and path."""

_AREAS = {"auth", "finance", "hr", "system"}
_HEADINGS = {"/reports/": "/", "/payroll/payslips/": "/payslips/", "/payroll/runs/": "/payroll-runs/"}
"""Parts of a path that only group what follows, and what is said in their place."""
_UNCOUNTABLE = {"attendance"}
_ON_MANY = {"export", "import", "lock", "reorder", "unlock"}
"""Actions on a whole collection, which is named in the plural."""
_BY_VERB = {"GET": "get", "POST": "create", "PUT": "set", "PATCH": "update", "DELETE": "delete"}


def operation_id(verb: str, path: str, contract: Contract, *, is_thing: bool) -> str:
    """The name of an endpoint.

    Args:
        is_thing: whether the path can be read too; then its last word is a noun, even if it reads like a verb.
    """
    if exception := EXCEPTIONS.get(f"{verb} {path}"):
        return exception
    parts = _parts(path)
    last = parts[-1]
    if verb == "POST" and not is_thing and not _is_plural(last):
        return _action(last, parts[:-1] or [path.split("/")[1]])
    if verb == "GET" and (contract.shape == "page" or (contract.shape == "list" and _is_plural(last))):
        return _camel("list", *map(singular, _nouns(parts[:-1])), plural(singular(last)))
    nouns = [*map(singular, _nouns(parts[:-1]))]
    if not last.startswith("{"):
        nouns.append(singular(last) if verb == "POST" else last)
    return _camel(_word(verb, contract), *nouns)


def _word(verb: str, contract: Contract) -> str:
    return "download" if contract.shape == "file" else _BY_VERB[verb]


def _action(action: str, before: list[str]) -> str:
    """`issueInvoice`; an action of several words, such as `clockIn`, names its object itself."""
    nouns = [noun for noun in _nouns(before) if noun not in _AREAS]
    if "-" in action or not nouns:
        return _camel(action)
    return _camel(action, nouns[-1] if action in _ON_MANY else singular(nouns[-1]))


def _parts(path: str) -> list[str]:
    """The parts of a path without those that only group what follows."""
    path += "/"
    for heading, instead in _HEADINGS.items():
        path = path.replace(heading, instead)
    first, *rest = path.strip("/").split("/")
    return rest if rest and not rest[0].startswith("{") else [first, *rest]


def _nouns(parts: list[str]) -> list[str]:
    return [part for part in parts if not part.startswith("{")]


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


def singular(word: str) -> str:
    """One of what a plural names."""
    if not _is_plural(word):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(("sses", "xes", "ches")) else word[:-1]


def plural(word: str) -> str:
    """Several of what a singular names."""
    if word in _UNCOUNTABLE:
        return word
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "ch")) else f"{word}s"


def _camel(*words: str) -> str:
    first, *rest = re.split("-", "-".join(words))
    return first + "".join(word.capitalize() for word in rest)
