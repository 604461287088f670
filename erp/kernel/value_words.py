"""The values of the API that stand in sentences, as words: `Word.of("written_off")` is `written off`, marked here.

One list for all areas: each word has one German wording, whichever record has the value.
"""

from erp.kernel.language import Word

DOCUMENTS = (
    *(Word("sales invoice"), Word("sales credit note"), Word("deposit invoice"), Word("final invoice")),
    *(Word("purchase invoice"), Word("purchase credit note"), Word("invoice"), Word("open item"), Word("payment")),
    *(Word("transfer"), Word("revaluation"), Word("payroll run"), Word("offset")),
)
STATUSES = (
    *(Word("draft"), Word("issued"), Word("approved"), Word("paid"), Word("partially paid"), Word("credited")),
    *(Word("written off"), Word("void"), Word("reversed")),
    *(Word("pending"), Word("rejected"), Word("cancelled"), Word("accepted"), Word("revoked"), Word("expired")),
    *(Word("planned"), Word("active"), Word("on hold"), Word("completed"), Word("archived"), Word("unavailable")),
    *(Word("todo"), Word("in progress"), Word("review"), Word("blocked"), Word("done")),
    *(Word("open"), Word("missing"), Word("submitted")),
    *(Word("declined"), Word("superseded"), Word("closed"), Word("partly invoiced"), Word("invoiced")),
)
DEDUCTIONS = (
    *(Word("cash discount"), Word("small difference"), Word("write-off")),
    *(Word("doubtful"), Word("uncollectable"), Word("recovery")),
)
ACCOUNTS = (
    *(Word("asset"), Word("liability"), Word("equity"), Word("income"), Word("expense")),
    *(Word("bank"), Word("cash"), Word("receivable"), Word("payable"), Word("inventory"), Word("tax")),
    *(Word("credit card"), Word("current asset"), Word("fixed asset"), Word("other asset")),
    *(Word("current liability"), Word("long term liability"), Word("payroll liability")),
    *(Word("retained earnings"), Word("opening balance")),
    *(Word("cost of sales"), Word("payroll expense"), Word("other income"), Word("other expense")),
)
SIDES = (
    *(Word("debit"), Word("credit"), Word("customer"), Word("supplier"), Word("received"), Word("made")),
    *(Word("payment received"), Word("payment made")),
)
OTHERS = (
    *(Word("amount"), Word("percentage"), Word("percent"), Word("tasks"), Word("time")),
    *(Word("recalculated"), Word("deleted"), Word("changed")),
)
JOINING = Word("and"), Word("or")
"""The words before the last of several things; see `Listed`."""
