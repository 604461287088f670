// All changes, the newest first: who did what to which record. The chain that holds them together can be verified.
import { address, get, getAll } from "../../core/api.js";
import { moment } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { go, parametersOf, query } from "../../core/router.js";
import { list } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { optionsOf } from "../../ui/choice.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { facts } from "../../ui/facts.js";
import { dayChips, filterChips, several } from "../../ui/filters.js";
import { table } from "../../ui/table.js";
import { actOf, nounOf, NOUNS } from "./events.js";

const { a, code, div, p } = tags;
const FILTERS = ["resourceId", "resourceType", "actorUserId", "dateFrom", "dateTo"];

// Where a record of a kind is shown.
const PLACES = {
  invoice: "/invoices",
  payment: "/payments",
  payment_run: "/payment-runs",
  offset: "/offsets",
  revaluation: "/close/revaluation",
  asset: "/assets",
  reminder: "/reminders",
  contact: "/contacts",
  journal_entry: "/journals",
  project: "/projects",
  task: "/tasks",
  employee: "/people",
  payroll_run: "/payroll",
  payslip: "/payslips",
  mail: "/settings/mail",
  message: "/messages",
  webhook: "/settings/webhooks",
  recurring_document: "/recurring",
};

export default () => {
  const events = list(() => address("/workspace/events", parametersOf(FILTERS)));
  return {
    title: t("Audit log"),
    back: { href: "/settings", text: t("Settings") },
    actions: [
      { name: t("Verify"), icon: "shield", run: verify },
      { name: t("Verify a report"), icon: "shield", may: "finance.read", run: () => go("/report-proof") },
    ],
    body: div(
      { class: "stack" },
      p(
        { class: "soft" },
        t("Every change with the person who made it. “Verify” checks that no one has altered the file."),
      ),
      () => (query.value.get("resourceId") ? p(a({ href: "/log" }, t("Show changes of all records"))) : null),
      filterChips(chips()),
      table({
        label: t("Audit log"),
        page: "log",
        list: events,
        key: ({ id }) => id,
        columns,
        actions: (event) => [{ name: t("Show"), key: "Enter", icon: "eye", run: () => show(event) }],
        empty: empty(t("No results.")),
      }),
    ),
  };
};

const columns = [
  { key: "when", text: t("When"), place: "meta", width: "11rem", cell: ({ occurredAt }) => moment(occurredAt) },
  { key: "what", text: t("Event"), place: "name", cell: (event) => `${nounOf(event.type)}: ${actOf(event.type)}` },
  { key: "record", text: t("Record"), isMinor: true, cell: (event) => recordOf(event) },
  { key: "who", text: t("Who"), place: "state", cell: ({ actor }) => actor.name },
];

const nameOf = ({ data }) => data.number ?? data.name ?? data.key ?? data.title ?? data.code ?? data.email ?? "";

function recordOf(event, close = () => {}) {
  const { type, id } = event.resource;
  if (!(type in PLACES)) return nameOf(event);
  return a({ href: `${PLACES[type]}/${id}`, onclick: () => close() }, nameOf(event) || t("Show"));
}

const members = async () =>
  (await getAll("/workspace/members?limit=200")).map(({ user }) => ({ value: user.id, text: user.name }));

const chips = () => [
  several({ key: "resourceType", text: t("Record"), options: optionsOf(NOUNS) }),
  several({
    key: "actorUserId",
    text: t("Who"),
    load: async (typed) => (await members()).filter(({ text }) => text.toLowerCase().includes(typed.toLowerCase())),
    shown: async (id) => (await members()).find(({ value }) => value === id)?.text ?? id,
  }),
  ...dayChips(),
];

// What the event says of the record, by the names of the API.
const show = (event) =>
  dialog({
    title: `${nounOf(event.type)}: ${actOf(event.type)}`,
    body: (close) =>
      div(
        { class: "stack" },
        facts([
          [t("When"), moment(event.occurredAt)],
          [t("Who"), event.actor.name],
          [t("Record"), recordOf(event, close)],
          [t.of("log", "Number"), String(event.seq)],
        ]),
        facts(
          Object.entries(event.data).filter(([, value]) => value !== null && value !== "").map(([name, value]) => [
            name,
            typeof value === "object" ? code(JSON.stringify(value)) : String(value),
          ]),
        ),
      ),
  });

async function verify() {
  const verdict = await get("/workspace/events/verify");
  if (!verdict.isValid) return notify(verdict.reason, { kind: "bad" });
  return notify(tn("{n} change is intact.", "All {n} changes are intact.", verdict.events), {
    kind: "good",
  });
}
