// The feed of changes: one tab asks what has changed since its last place and tells the others, so that what is shown
// is renewed. No streams: each would hold one of the server's few threads.
import { get } from "./api.js";
import { changed, changedByOthers } from "./store.js";
import { signal } from "./view.js";

const IN_FRONT = 10_000; // ms
const HIDDEN = 60_000;
const FAILURES = 2;

// Since when the server has not answered; null while it does.
export const offlineSince = signal(null);
// The ids of records that changed in the last two seconds, to be marked.
export const fresh = signal(new Set());

const DOCUMENTS = [
  "/finance/invoices",
  "/finance/bills",
  "/finance/open-items",
  "/finance/contacts",
  "/finance/reports",
  "/finance/accounts",
];
// The addresses that show a kind of record.
const SHOWN_AT = {
  invoice: DOCUMENTS,
  payment: ["/finance/payments", ...DOCUMENTS],
  journal_entry: ["/finance/journals", "/finance/accounts", "/finance/reports", "/finance/open-items"],
  account: ["/finance/accounts", "/finance/reports"],
  contact: ["/finance/contacts", "/finance/invoices"],
  project: ["/projects"],
  task: ["/tasks", "/projects"],
  time_log: ["/time-logs", "/tasks", "/projects"],
  employee: ["/hr"],
  leave: ["/hr"],
  attendance: ["/hr"],
  correction: ["/hr"],
  payroll_run: ["/hr/payroll", "/hr/payslips"],
  member: ["/workspace/members", "/auth"],
  invite: ["/workspace/invites"],
  webhook: ["/workspace/webhooks"],
  workspace: ["/workspace"],
};
const FILES = ["/workspace/attachments"];
const HOME = ["/workspace/home", "/hr/me"];

let place = null;
let failures = 0;
let timer = null;
const others = new BroadcastChannel("erp-changes");

function spread(changes) {
  if (!changes.length) return;
  const known = changes.map(({ resource, type }) =>
    type.startsWith("attachment.") ? FILES : SHOWN_AT[resource?.type] ?? [`/${type.split(".")[0]}`]
  );
  changedByOthers(...new Set([...known.flat(), ...HOME]));
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

async function ask() {
  clearTimeout(timer);
  try {
    const { changes, next, hasMore, isReset } = await get(
      place === null ? "/workspace/changes" : `/workspace/changes?after=${place}`,
    );
    if (isReset) changed("/");
    else if (place !== null) tell(changes);
    place = next;
    [failures, offlineSince.value] = [0, null];
    if (hasMore) return ask();
  } catch (refusal) {
    failures += refusal.code === "no_answer" ? 1 : 0;
    if (failures >= FAILURES && !offlineSince.peek()) offlineSince.value = new Date().toISOString();
  }
  timer = setTimeout(ask, document.hidden ? HIDDEN : IN_FRONT);
  return undefined;
}

function tell(changes) {
  spread(changes);
  if (changes.length) others.postMessage(changes);
}

others.addEventListener("message", ({ data }) => spread(data));

// Follow the changes of the workspace from now on.
export function followChanges() {
  place = null;
  ask();
}

export const stopFollowing = () => clearTimeout(timer);

document.addEventListener("visibilitychange", () => void (!document.hidden && timer && ask()));
