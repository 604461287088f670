// One webhook: where it stands, what was sent, and what can be done about it.
import { send } from "../../core/api.js";
import { moment } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { go } from "../../core/router.js";
import { changed, list, resource } from "../../core/store.js";
import { effect, signal, tags } from "../../core/view.js";
import { card } from "../../ui/card.js";
import { change } from "../../ui/changing.js";
import { choice } from "../../ui/choice.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { facts } from "../../ui/facts.js";
import { field } from "../../ui/field.js";
import { editable, factsOf } from "../../ui/fields.js";
import { form } from "../../ui/form.js";
import { pill } from "../../ui/pill.js";
import { loaded } from "../../ui/skeleton.js";
import { table } from "../../ui/table.js";
import { webhookFields } from "./fields.js";
import { secretOnce, WEBHOOKS, webhookState } from "./list.js";

const { code, div, p } = tags;
const LOOK_EVERY = 5000; // ms; deliveries are no changes of the workspace, so the feed does not tell of them

export default ({ params }) => {
  const path = `${WEBHOOKS}/${params.id}`;
  const webhook = resource(path);
  const get = () => webhook.value;
  effect(() => {
    const timer = setInterval(() => document.hidden || changed(path), LOOK_EVERY);
    return () => clearInterval(timer);
  });
  return {
    title: () => (get() ? new URL(get().url).host : ""),
    state: () => get() && webhookState(get()),
    back: { href: "/settings/webhooks", text: t("Webhooks") },
    actions: () => (get() ? actionsOn(get(), path) : []),
    body: div(
      { class: "stack document" },
      loaded(webhook, () => card({ title: t("Webhooks") }, () => factsOf(webhookFields(), get()))),
      card({ title: t("Deliveries") }, deliveries(path)),
    ),
  };
};

const actionsOn = (webhook, path) => [
  { name: t("Send a test"), main: true, icon: "send", run: () => test(path) },
  { name: t("Edit"), icon: "pencil", key: "e", run: () => editing(webhook, path) },
  webhook.isActive
    ? { name: t("Turn off"), run: () => switchTo(webhook, path, false) }
    : { name: t("Turn on"), run: () => switchTo(webhook, path, true) },
  {
    name: t("New signing secret"),
    run: () => dialog({ title: t("New signing secret"), body: (close) => rotating(path, close) }),
  },
  deleting(path),
];

async function switchTo(webhook, path, isActive) {
  await send("PATCH", path, { isActive }, { version: webhook.version });
  changed(WEBHOOKS);
}

async function test(path) {
  const tried = await send("POST", `${path}/test`);
  changed(path);
  if (tried.status === "delivered") return notify(t("The test arrived."), { kind: "good" });
  return notify(t("The test did not arrive: {problem}", { problem: whatCame(tried) }), { kind: "bad" });
}

const editing = (webhook, path) =>
  dialog({
    title: t("Edit"),
    body: (close) => {
      const fields = editable(webhookFields(), webhook);
      const run = async (element) => {
        if (!(await change(element, path, webhook, fields.body(), fields.told))) return;
        changed(WEBHOOKS);
        close();
      };
      return form({ run, submit: t("Save"), cancel: () => close(), label: t("Edit") }, fields.controls);
    },
  });

function rotating(path, close) {
  const [made, hours] = [signal(null), signal(24)];
  const run = async () => {
    made.value = await send("POST", `${path}/rotate-secret`, { oldValidHours: hours.value });
    changed(path);
  };
  const options = [0, 24, 72].map((value) => ({
    value,
    text: value ? tn("for {n} hour", "for {n} hours", value) : t("Expires now: others may know it"),
  }));
  return div(() => (made.value ? secretOnce(made.value.secret) : form(
    { run, submit: t("New signing secret"), cancel: () => close(), label: t("New signing secret") },
    field(
      { label: t("Old signing secret stays valid"), name: "oldValidHours" },
      choice({ value: hours, name: "oldValidHours", options }),
    ),
  )));
}

const deleting = (path) => ({
  name: t("Delete"),
  danger: true,
  asks: {
    title: t("Delete this webhook?"),
    text: t("The webhook stops, and its deliveries are deleted too."),
    verb: t("Delete"),
    danger: true,
  },
  run: async () => {
    await send("DELETE", path);
    await go("/settings/webhooks");
    changed(WEBHOOKS);
  },
});

function deliveries(path) {
  return table({
    label: t("Deliveries"),
    list: list(`${path}/deliveries`),
    key: ({ id }) => id,
    open: (row) => dialog({ title: row.eventType, body: () => oneDelivery(row) }),
    columns: [
      { key: "type", text: t("Event"), place: "name", cell: ({ eventType }) => eventType },
      { key: "at", text: t("Last attempt"), place: "meta", cell: ({ lastAt }) => moment(lastAt) },
      { key: "tries", text: t("Attempts"), isFigure: true, cell: ({ tries }) => String(tries) },
      { key: "came", text: t("Response"), isMinor: true, cell: whatCame },
      { key: "state", text: t("Status"), place: "state", cell: ({ status }) => STATES[status]() },
    ],
    actions: ({ id, can }) =>
      can.includes("redeliver") ? [{ name: t("Send again"), run: () => redeliver(id, path) }] : [],
    empty: empty(t("No deliveries yet.")),
  });
}

async function redeliver(id, path) {
  await send("POST", `${WEBHOOKS}/deliveries/${id}/redeliver`);
  changed(path);
}

const STATES = {
  delivered: () => pill(t("delivered"), "good"),
  waiting: () => pill(t("waiting for the next attempt"), "warn"),
  given_up: () => pill(t("failed for good"), "bad"),
};

const PROBLEMS = {
  address_refused: () => t("the server sends nothing to this address"),
  bad_answer: () => t("the answer is no HTTP"),
  bad_status: () => t("the receiver refused it"),
  no_connection: () => t("no connection"),
  redirected: () => t("redirects elsewhere"),
  timed_out: () => t("no answer in time"),
  tls_failed: () => t("the certificate is not trusted"),
  unknown_host: () => t("there is no such host"),
};

const whatCame = ({ problem, responseStatus }) =>
  [responseStatus, problem && PROBLEMS[problem]()].filter(Boolean).join(": ");

const oneDelivery = (row) =>
  div(
    { class: "stack" },
    facts([
      [t("Status"), STATES[row.status]()],
      [t("Response"), whatCame(row)],
      [t("Position in the audit log"), row.seq && String(row.seq)],
      ["webhook-id", code(row.eventId)],
      [t("First attempt"), moment(row.firstAt)],
      [t("Last attempt"), moment(row.lastAt)],
      [t("Attempts"), String(row.tries)],
      [t("Next attempt"), row.nextAt && moment(row.nextAt)],
      [t("Duration"), t("{n} ms", { n: row.durationMs })],
    ]),
    row.answer && div(p({ class: "field-label" }, t("Response")), tags.pre({ tabindex: "0" }, row.answer)),
  );
