// Help for each screen of the books: its purpose, the quick way, and the next step.
import { t } from "../core/i18n.js";

export const HELP = {
  "finance/accounts/list": () => [
    t("The chart of accounts with its balances."),
    t("“New account” (n) adds one. “Edit” and “Archive” stand in the menu of the row."),
    t("Archived accounts are no longer offered; their entries stay."),
  ],
  "finance/assets/item": () => [
    t("A fixed asset with its cost, depreciation and book value."),
    t("“Put in use” starts its depreciation. “Dispose” posts a sale or the end of use."),
    t("The table shows each year or month, planned or posted."),
  ],
  "finance/assets/list": () => [
    t("The fixed assets of the office."),
    t("“New asset” (n) adds one. “Bought, without an asset” offers lines of bills: “Add” makes an asset of one."),
    t("“Depreciation runs” posts the depreciation of each month."),
  ],
  "finance/assets/runs": () => [
    t("The depreciation of the assets, posted month by month."),
    t("“Post depreciation” (n) asks for the month and shows the entry first."),
    t("A run that was voided can be posted again for the same month."),
  ],
  "finance/bank/list": () => [
    t("Each transaction of the bank gets the document or the account that it belongs to."),
    t("“Import statement” first; then Enter or a takes the first suggestion, f finds and matches, b posts to an account."),
    t("Matched transactions stand under “Done”; z undoes the last match."),
  ],
  "finance/bank/rules": () => [
    t("Texts of bank transactions, each with the account that it suggests."),
    t("“New bank rule” (n) adds one; on the page “Bank”, r makes a rule from a transaction."),
    t("The longest matching text wins. To delete a rule leaves its entries as they are."),
  ],
  "finance/bills/list": () => [
    t("The bills of suppliers and their states."),
    t("“New bill” (n) opens the form; p on a row records its payment."),
    t("“Pay bills” pays several at once and makes a file for the bank."),
  ],
  "finance/budgets/item": () => [
    t("The planned amounts of a year, by account and project."),
    t("An amount of the year is spread evenly; “Months” holds it month by month. “Save” (Ctrl Enter) keeps it."),
    t("“Compare” shows the profit and loss with this budget beside it."),
  ],
  "finance/budgets/list": () => [
    t("The plans of income and expenses for a fiscal year."),
    t("“New budget” (n) starts an empty one; “Copy” raises or lowers another by per cent; “Import” reads a file."),
    t("“Compare” shows plan and books side by side. Nothing is posted."),
  ],
  "finance/close/month": () => [
    t("The books of a month in the order in which they are closed."),
    t("Check the open points, file the VAT return, lock the month, create the batch for the tax advisor."),
    t("After the lock no entry is posted on a day of this month or before."),
  ],
  "finance/close/year": () => [
    t("The fiscal years and their months, each open or locked."),
    t("The check-list names open points; “Lock the next month” locks through its last day."),
    t("“Close the year” locks the whole year. Only an owner can unlock."),
  ],
  "finance/column_mappings/list": () => [
    t("The fields that the headings of your files stand for."),
    t("A mapping is made when a file with other headings is imported; here it is renamed or deleted."),
    t("The next file with the same headings needs no choice of columns."),
  ],
  "finance/contacts/item": () => [
    t("A customer or supplier: account statement, documents and details."),
    t("“New invoice” or “New bill” starts a document, m sends the account statement, e edits."),
    t("“Merge…” unites two records of one partner; it can be undone."),
  ],
  "finance/contacts/list": () => [
    t("All customers and suppliers with what they owe or are owed."),
    t("“New contact” (n) adds one. “Perhaps twice” shows those that look alike."),
    t("A contact can be chosen in each document, payment and entry."),
  ],
  "finance/datev/page": () => [
    t("The entries for the tax advisor, and the advisor’s own entries back."),
    t("“Create batch” (n) takes all entries of a period that are in no batch yet; d downloads a batch."),
    t("“Import entries” posts the advisor’s file after a look at it."),
  ],
  "finance/dimensions/list": () => [
    t("Further marks for entries, such as cost centres."),
    t("“New dimension” adds one; its name leads to its values."),
    t("Lines of documents and entries then offer a value of each dimension."),
  ],
  "finance/dimensions/values": () => [
    t("The values of one dimension, such as each cost centre."),
    t("“New value” adds one; “Below” puts it under another value."),
    t("The pay of the departments named at a value is posted with it."),
  ],
  "finance/documents/editor": () => [
    t("The form of an invoice or a bill."),
    t("Fill contact and lines. Ctrl S saves a draft; Ctrl Enter issues an invoice or posts a bill."),
    t("An issued or posted document has its number and can only be corrected or voided."),
  ],
  "finance/documents/item": () => [
    t("An invoice or a bill with its payments, entries and history."),
    t("e edits a draft, Ctrl Enter issues or posts it; afterwards p records a payment."),
    t("The menu has the further acts, such as “Duplicate”, “Make recurring” and “Void”."),
  ],
  "finance/exchange_rates/list": () => [
    t("The value of other currencies, day by day."),
    t("“Import rates” reads the file of the European Central Bank; “New exchange rate” adds a single one."),
    t("Documents and payments use the latest rate up to their date."),
  ],
  "finance/import": () => [
    t("A file of records of the books: contacts, accounts, opening balances and more."),
    t("Choose a CSV or Excel file, check its columns and the rows with errors, then import."),
    t("Nothing is stored before the last step."),
  ],
  "finance/inbox/list": () => [
    t("Files that have arrived and belong to no record yet."),
    t("Drop files here or photograph a receipt; then “Create bill” or “Attach”."),
    t("An e-invoice becomes a bill automatically."),
  ],
  "finance/invoices/list": () => [
    t("The invoices and credit notes to customers."),
    t("“New invoice” (n) opens the form; “From time entries” invoices logged hours; p records a payment."),
    t("The tabs show drafts, open and overdue invoices; selected drafts are issued together."),
  ],
  "finance/journals/item": () => [
    t("One entry of the journal with its lines of debit and credit."),
    t("“Duplicate” copies a manual entry; “Reverse” posts it with debit and credit exchanged."),
    t("Both entries stay in the books; nothing is deleted."),
  ],
  "finance/journals/list": () => [
    t("All entries of the books."),
    t("“New entry” (n) posts a manual entry; search and filters find an entry by text, type or period."),
    t("Enter on a row opens the entry with its lines."),
  ],
  "finance/journals/new": () => [
    t("A manual entry, such as a correction or a closing entry."),
    t("Fill the lines; Ctrl B fills in the difference, Ctrl Enter posts."),
    t("Debit and credit must be equal. A posted entry can only be reversed."),
  ],
  "finance/offsets/item": () => [
    t("Receivables and payables of one contact, settled against each other."),
    t("The table names each item with its side and amount."),
    t("“Void” reverses the entry, and the items are open again."),
  ],
  "finance/offsets/list": () => [
    t("Invoices and bills of one contact, settled without the bank."),
    t("“Choose open items” (n) leads to the open items; select both sides there."),
    t("An offset gets a number and an entry, and can be voided."),
  ],
  "finance/open_items/list": () => [
    t("The amounts that customers still owe and the office still has to pay."),
    t("x selects a row; items of one contact can be allocated or offset together."),
    t("“As of” shows the items of an earlier day."),
  ],
  "finance/payment_runs/item": () => [
    t("Bills that were paid together."),
    t("“Bank file” (d) downloads the file to upload at the bank."),
    t("“Void payment run” is only right if the bank has not paid; the bills are due again."),
  ],
  "finance/payment_runs/list": () => [
    t("All payment runs with their numbers and amounts."),
    t("“Pay bills” (n) starts a new one."),
    t("Each run keeps its bank file; its number opens it."),
  ],
  "finance/payment_runs/new": () => [
    t("The bills that are due, ready to pay at once."),
    t("Select bills with x, or “Pay all” (Ctrl Enter). Suppliers without an IBAN are left out."),
    t("One payment per supplier is posted, and a bank file is created to upload at the bank."),
  ],
  "finance/payments/item": () => [
    t("A payment and the items that it settles."),
    t("An amount that is not used yet can be allocated to an open item."),
    t("“Void” reverses the entry; the items are open again."),
  ],
  "finance/payments/list": () => [
    t("All payments received and made."),
    t("“Record payments” (n) takes several in a row; the filters show payments that are still open."),
    t("Money at the bank is better matched on the page “Bank”, which posts the payment."),
  ],
  "finance/payments/new": () => [
    t("A quick way to record payments one after the other."),
    t("Enter an amount and press Enter: items that match come first. “Post” ends each one."),
    t("The posted payment appears in the list, and the next one can begin."),
  ],
  "finance/process_chapters/list": () => [
    t("Your own chapters of the process description for an audit."),
    t("“New chapter” adds one with its text and its first day."),
    t("They follow the chapters that the program writes; earlier wordings are kept."),
  ],
  "finance/products/list": () => [
    t("Products and services that are sold or bought again and again."),
    t("“New product” adds one with text, price, tax and account."),
    t("Lines of documents take these values when the product is chosen."),
  ],
  "finance/quotes/editor": () => [
    t("The form of a quote for a customer."),
    t("Fill customer and lines; Ctrl S saves a draft, Ctrl Enter issues."),
    t("Nothing is posted. A quote that is issued can get a new version."),
  ],
  "finance/quotes/item": () => [
    t("A quote with its versions, the answer and its invoices."),
    t("m sends it; “Accept” (a) notes the answer; “Invoice quote” (i) makes the invoice."),
    t("The page shows the amount that is invoiced and the rest."),
  ],
  "finance/quotes/list": () => [
    t("The quotes to customers and how they stand."),
    t("“New quote” (n) opens the form; the tabs show drafts, open, expired and accepted quotes."),
    t("“To invoice” lists the accepted quotes that are not fully invoiced."),
  ],
  "finance/recurring/item": () => [
    t("A document or entry that is created on dates again and again."),
    t("“Edit” (e) changes the template and the rhythm; “Pause” stops it for a time."),
    t("The table shows past and upcoming dates; “Create due documents” catches up."),
  ],
  "finance/recurring/list": () => [
    t("Documents and entries that are created again and again."),
    t("Open an invoice, bill or entry and choose “Make recurring” there."),
    t("The list shows the next date of each."),
  ],
  "finance/reminders/item": () => [
    t("A letter that asks a customer for overdue amounts."),
    t("“Send” (m) mails it with the PDF; “PDF” (d) downloads it."),
    t("Its charges can be invoiced or waived; “Undo letter” puts its items back a level."),
  ],
  "finance/reminders/levels": () => [
    t("The steps of payment reminders: when, with which fee and interest."),
    t("“New reminder level” adds the next step."),
    t("The page “Reminders” proposes letters by these levels. Earlier letters stay as they are."),
  ],
  "finance/reminders/list": () => [
    t("The payment reminders that are due today, and earlier letters."),
    t("o shows the items of a letter, x takes it out, Ctrl Enter makes all letters."),
    t("Each letter gets a number; nothing is posted, and a letter can be undone."),
  ],
  "finance/reminders/rates": () => [
    t("The base rates by which default interest is calculated."),
    t("“New base rate” adds one with its first day."),
    t("Letters that are made already keep their interest."),
  ],
  "finance/reports/hub": () => [
    t("All reports of the books, each with a sentence and the figure of its last period."),
    t("Click a title to open a report."),
    t("A report opens with its usual period; choose another one there."),
  ],
  "finance/reports/page": () => [
    t("A report of the books, calculated from the entries now."),
    t("Choose the report, the period and the comparison above; an amount with a link leads to its details."),
    t("PDF, Excel and CSV download it as it is shown."),
  ],
  "finance/reports/proof": () => [
    t("A check of a report that was made earlier."),
    t("Copy the proof from the sheet of the Excel file and choose “Verify”."),
    t("The report is made again, and the page says which figures have changed."),
  ],
  "finance/revaluations/item": () => [
    t("Balances in other currencies, revalued on one day."),
    t("The table shows each item with its rate, value and difference."),
    t("“Void” reverses both entries; then the day can be revalued again."),
  ],
  "finance/revaluations/list": () => [
    t("The revaluations of balances in other currencies."),
    t("“New revaluation” (n) takes the latest rates of a day and shows gains and losses first."),
    t("The next day it is reversed automatically."),
  ],
  "finance/tax_rates/list": () => [
    t("The tax rates of documents, with their accounts."),
    t("“New tax rate” adds one; it is offered from then on."),
    t("The percentage of a rate in use cannot change: archive it and add another."),
  ],
  "finance/transfers/list": () => [
    t("Money that moves between your own accounts, such as cash to the bank."),
    t("“New transfer” asks for both accounts and the amount."),
    t("A transfer is posted at once and can be voided."),
  ],
};
