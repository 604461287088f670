// The fields of the API in the file of a list, by the columns that show them: for any page, and for one page before that. A
// column in neither is the field that it sorts by, or has its name.
const OF_ANY = {
  account: "accountCode,accountName",
  amount: "amount,currency",
  begins: "startDate",
  contact: "contactName",
  customer: "customerName",
  due: "dueDate",
  estimate: "estimateMinutes",
  made: "createdAt,createdByName",
  project: "projectName",
  site: "siteName",
  state: "status",
  tax: "taxRateName",
  total: "total,currency",
  used: "usedCount,lastUsedAt",
  who: "employeeName",
};

const DOCUMENT = {
  net: "netTotal",
  open: "amountDue",
  paid: "amountPaid",
  reminder: "reminderLevel",
  sent: "sentAt",
  tax: "taxTotal",
};

const OF_PAGE = {
  "/finance/base-rates": { from: "validFrom" },
  "/finance/dimensions": { required: "requiredFor" },
  "/finance/reminder-levels": {
    name: "position,name",
    after: "daysAfter",
    pay: "payWithinDays",
    charges: "chargesInterest,chargesLumpSum",
  },
  "/hr/expense-categories": {
    account: "expenseAccountCode,expenseAccountName",
    taxRate: "taxRateName",
    deductible: "deductibleCostPercent",
  },
  "/hr/expense-rates": { name: "kind,country,region,vehicle", amount: "full,rate,currency" },
  "/hr/holidays": { sites: "siteNames" },
  "/hr/leave-types": { paid: "isPaid", carried: "carryForwardMaxDays", days: "allowanceDays" },
  "/hr/pay-components": { how: "calculation", who: "appliesToAll", amount: "amount,percent,currency" },
  "/hr/sites": { country: "country,subdivision", default: "isDefault" },
  "/hr/wage-types": { figure: "source,componentName", number: "wageType" },
  "/kiosks": { site: "siteId", used: "lastUsedAt" },
  "/time/entries": { task: "taskKey,taskTitle", who: "userName", amount: "amount" },
  "/wages": { rows: "rowCount" },
  "/webhooks": { events: "eventTypes", state: "isActive" },
  accounts: { name: "code,name", type: "subtype" },
  assets: { account: "accountCode" },
  attendance: {
    name: "employeeName",
    worked: "workedMinutes",
    due: "expectedMinutes",
    over: "overtimeMinutes",
    late: "lateMinutes",
    early: "leftEarlyMinutes",
  },
  bank: { party: "party,text", what: "matches.description" },
  bank_rules: { direction: "direction,accountOfBankName", how: "isAutomatic" },
  bills: { ...DOCUMENT, party: "supplierName" },
  budgets: { compared: "startDate,endDate" },
  contacts: {
    number: "debtorNumber,creditorNumber",
    city: "address.city",
    credit: "unallocatedCredit",
    reminder: "reminderLevel",
  },
  depreciation_runs: { assets: "lines.assetNumber" },
  documents: { person: "employeeName", valid: "validFrom,validUntil", state: "isDue,doneAt" },
  expenses: { when: "submittedAt" },
  invoices: { ...DOCUMENT, party: "customerName" },
  journals: { total: "total" },
  leave: { name: "employeeName", when: "startDate,endDate", kind: "leaveTypeName", decider: "decidedByName" },
  log: { when: "occurredAt", what: "type", record: "resource.type,resource.id", who: "actor.name" },
  members: { name: "user.name", email: "user.email", joined: "joinedAt", twoFactor: "hasTwoFactor" },
  messages: { when: "sentAt,createdAt" },
  notices: { when: "createdAt", state: "readAt" },
  offsets: { items: "items.number" },
  open_items: { date: "documentDate", open: "open,currency", state: "daysOverdue" },
  payment_runs: { suppliers: "transfers.supplierName" },
  payments: { for: "allocations.invoiceNumber", open: "unallocatedAmount" },
  payroll: { pay: "payDate", people: "headCount", gross: "totals.gross", net: "totals.net,currency" },
  people: { manager: "managerName", type: "employmentType" },
  products: { price: "unitPrice,currency" },
  projects: {
    tasks: "totals.openTaskCount,totals.taskCount",
    logged: "totals.loggedMinutes",
    unbilled: "totals.unbilledAmount",
  },
  quotes: { party: "customerName,subject", total: "total,acceptedTotal,currency", left: "leftNet", net: "netTotal" },
  recurring: { rhythm: "every,unit", next: "nextOn" },
  reminders: { customer: "contactName", level: "level,levelName" },
  tasks: { who: "assigneeNames", logged: "loggedMinutes" },
  tax_rates: { account: "outputTaxAccountCode", input: "inputTaxAccountCode", state: "isDefault" },
  transfers: { from: "fromAccountCode,fromAccountName", to: "toAccountCode,toAccountName" },
};

// What the rows do not have is left out, such as a column of a button.
export function fieldsOf({ page, columns, rows }) {
  const fields = { ...OF_ANY, ...OF_PAGE[page] };
  const [row] = rows.peek() ?? [];
  const isThere = (name) => !row || name.split(".")[0] in row;
  return columns.peek().flatMap(({ key, sort }) => (fields[key] ?? sort ?? key).split(",").filter(isThere)).join();
}
