// The feed of changes: one tab asks what has changed since its last place and tells the others, so that what is shown
// is renewed. No streams: each would hold one of the server's few threads.
import { address, get } from "./api.js";
import { changed, changedByOthers } from "./store.js";
import { signal } from "./signals.js";

const IN_FRONT = 10_000; // ms
const HIDDEN = 60_000;
const FAILURES = 2;

// Since when the server has not answered; null while it does.
export const offlineSince = signal(null);
// The ids of records that changed in the last two seconds, to be marked.
const fresh = signal(new Set());
// The number of one's unread notices.
export const unreadNotices = signal(0);
// What waits in the lists that the navigation counts: { inbox, bank }, null without the right.
export const waitingCounts = signal({});

const BOOKS = ["/finance/accounts", "/finance/journals", "/finance/reports"];
const DOCUMENTS = ["/finance/invoices", "/finance/bills", "/finance/open-items", "/finance/contacts", ...BOOKS];
const WORK = ["/projects", "/tasks"];
// The addresses that show a type of record, by their beginnings.
export const SHOWN_AT = {
  account: BOOKS,
  allocation: ["/finance/allocations", "/finance/payments", ...DOCUMENTS],
  asset: ["/finance/assets", "/finance/depreciation-runs", ...BOOKS],
  attachment: ["/workspace/attachments"],
  attendance: ["/hr"],
  attendance_correction: ["/hr"],
  bank_account: ["/finance/bank", "/finance/accounts"],
  bank_line: ["/finance/bank"],
  bank_rule: ["/finance/bank"],
  bank_statement: ["/finance/bank"],
  base_rate: ["/finance/base-rates", "/finance/reminder-runs"],
  calendar_address: ["/tasks/calendar-address", "/hr/leaves/calendar-address"],
  checklist: ["/hr/checklists"],
  column_mapping: ["/finance/column-mappings"],
  compensation: ["/hr"],
  component_set: ["/hr"],
  contact: ["/finance", "/projects"],
  cost_rate: ["/hr", "/tasks/time-logs", "/finance/reports"],
  datev_stack: ["/finance/datev"],
  depreciation_run: ["/finance/assets", "/finance/depreciation-runs", ...BOOKS],
  employee: ["/hr"],
  employee_document: ["/hr", "/workspace/attachments"],
  expense_category: ["/hr/expense-categories"],
  expense_claim: ["/hr/expense-claims", ...DOCUMENTS],
  expense_rate: ["/hr/expense-rates"],
  exchange_rate: ["/finance/exchange-rates"],
  exchange_rate_import: ["/finance/exchange-rates"],
  fiscal_year: ["/finance/fiscal-years", "/workspace/attachments"],
  holiday: ["/hr"],
  invite: ["/workspace/invites"],
  invoice: [
    "/finance/quotes",
    "/finance/payments",
    "/finance/recurring",
    "/finance/reminder-runs",
    "/projects",
    "/tasks/time-logs",
    ...DOCUMENTS,
  ],
  journal_entry: ["/finance/open-items", ...BOOKS],
  kiosk: ["/hr/kiosks"],
  leave: ["/hr"],
  leave_adjustment: ["/hr"],
  leave_type: ["/hr"],
  leave_year: ["/hr"],
  member: ["/workspace/members"],
  mail: ["/workspace/mail"],
  message: ["/workspace/messages", ...DOCUMENTS],
  offset: ["/finance/offsets", ...DOCUMENTS],
  open_item: DOCUMENTS,
  pay_component: ["/hr"],
  payment: ["/finance/payments", "/finance/bank", ...DOCUMENTS],
  payment_run: ["/finance/payment-runs", ...DOCUMENTS],
  payroll_run: ["/hr/payroll", ...BOOKS],
  payslip: ["/hr/payroll"],
  budget: ["/finance/budgets"],
  dimension: ["/finance/dimensions"],
  dimension_value: ["/finance/dimensions"],
  process_chapter: ["/finance/process-chapters"],
  product: ["/finance/products"],
  project: WORK,
  quote: ["/finance/quotes"],
  recurring_document: ["/finance/recurring"],
  reminder: ["/finance/reminders", "/finance/reminder-runs", ...DOCUMENTS],
  reminder_level: ["/finance/reminder-levels", "/finance/reminder-runs"],
  revaluation: ["/finance/revaluations", ...BOOKS],
  share_link: ["/finance/invoices", "/finance/quotes"],
  site: ["/hr"],
  task: WORK,
  tax_rate: ["/finance/tax-rates"],
  tax_return: ["/finance/tax-returns", ...BOOKS],
  text: ["/workspace/texts"],
  time_import: WORK,
  time_log: WORK,
  time_week: WORK,
  timer: WORK,
  transfer: ["/finance/transfers", "/finance/bank", ...BOOKS],
  user: ["/workspace/members", "/system/users"],
  wage_export: ["/hr/payroll"],
  wage_type: ["/hr"],
  view: ["/workspace/views"],
  webhook: ["/workspace/webhooks"],
  workspace: ["/workspace", "/finance/periods", "/finance/fiscal-years"],
};
// Any change can show at these: the log, and what waits for the user.
const ALWAYS = ["/workspace/events", "/workspace/home", "/hr/me"];
const typeOf = ({ resource, type }) => type.startsWith("attachment.") ? "attachment" : resource?.type;

let followed = null; // the id of the workspace
let place = null; // the number of the last event that is known of it
let failures = 0;
let timer = null;
let turn = 0;
let isCounted = false; // then the answers count again when something has changed
const others = new BroadcastChannel("erp-changes");

function spread(changes) {
  if (!changes.length) return;
  const known = changes.flatMap((change) => SHOWN_AT[typeOf(change)] ?? ["/"]);
  changedByOthers(...new Set([...known, ...ALWAYS]));
  mark(changes.map(({ resource }) => resource?.id));
}

function mark(ids) {
  fresh.value = new Set([...fresh.peek(), ...ids]);
  setTimeout(() => {
    const left = new Set(fresh.peek());
    for (const id of ids) left.delete(id);
    fresh.value = left;
  }, 2000);
}

// An answer that comes after another was asked for, or after one has stopped to follow, no longer counts.
async function ask() {
  clearTimeout(timer);
  const mine = (turn += 1);
  try {
    const { changes, next, hasMore, isReset, unreadNotices: unread, counts } = await get(
      address("/workspace/changes", { after: place, counts: isCounted ? null : true }),
      { isByItself: true },
    );
    if (mine !== turn) return undefined;
    if (isReset) changed("/");
    else if (place !== null) tell(changes);
    place = next;
    if (unread !== unreadNotices.peek()) changedByOthers("/workspace/notices");
    unreadNotices.value = unread;
    if (counts) [waitingCounts.value, isCounted] = [counts, true];
    [failures, offlineSince.value] = [0, null];
    if (hasMore) return ask();
  } catch (refusal) {
    if (mine !== turn) return undefined;
    failures += refusal.code === "no_answer" ? 1 : 0;
    if (failures >= FAILURES && !offlineSince.peek()) offlineSince.value = new Date().toISOString();
  }
  wait();
  return undefined;
}

function tell(changes) {
  spread(changes);
  if (changes.length) others.postMessage(changes);
}

others.addEventListener("message", ({ data }) => spread(data));

// Follow the changes of the session's workspace from the one that was the last when the session was read: before any
// screen was, so that none is missed. A session that is read again leaves the place where it is.
export function followChanges({ id, lastChange }) {
  if (followed === id) return wait();
  [followed, place, isCounted, waitingCounts.value] = [id, lastChange, false, {}];
  return void ask(); // how many notices are unread is not in the session
}

function wait() {
  clearTimeout(timer);
  timer = setTimeout(ask, document.hidden ? HIDDEN : IN_FRONT);
}

export function stopFollowing() {
  turn += 1;
  clearTimeout(timer);
}

document.addEventListener("visibilitychange", () => void (!document.hidden && timer && ask()));
