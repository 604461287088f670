// The addresses of other programs to which events of the workspace are sent.
import { send } from "../../core/api.js";
import { moment } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { go } from "../../core/router.js";
import { changed, list } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { editable } from "../../ui/fields.js";
import { form } from "../../ui/form.js";
import { handedOver } from "../../ui/handed_over.js";
import { pill } from "../../ui/pill.js";
import { table } from "../../ui/table.js";
import { eventsIn, webhookFields } from "./fields.js";

const { a, div, p } = tags;
export const WEBHOOKS = "/workspace/webhooks";

export default () => {
  const add = {
    name: t("New webhook"),
    key: "n",
    main: true,
    icon: "plus",
    run: () => dialog({ title: t("New webhook"), body: adding }),
  };
  return {
    title: t("Webhooks"),
    back: { href: "/settings", text: t("Settings") },
    actions: [add],
    body: div(
      { class: "stack" },
      p(
        { class: "soft" },
        t("Webhooks send events to other programs, for example a web shop, as soon as they happen."),
        " ",
        a({ href: "/api/docs/webhooks.html", target: "_blank" }, t("How to receive it")),
      ),
      table({
        label: t("Webhooks"),
        page: "/webhooks",
        list: list(WEBHOOKS),
        key: ({ id }) => id,
        href: ({ id }) => `/settings/webhooks/${id}`,
        columns,
        empty: empty(t("No webhooks yet.")),
      }),
    ),
  };
};

const columns = [
  { key: "url", text: t("URL"), place: "name", cell: ({ url }) => url },
  { key: "note", text: t.of("internal", "Note"), place: "meta", cell: ({ note }) => note ?? "" },
  { key: "events", text: t("Events"), isMinor: true, cell: ({ eventTypes }) => eventsIn(eventTypes) },
  { key: "state", text: t("Status"), place: "state", cell: (webhook) => webhookState(webhook) },
];

const WHY_OFF = {
  by_hand: () => pill(t("off")),
  failing: () => pill(t("off: it failed for 5 days"), "bad"),
  gone: () => pill(t("off: the address is gone"), "bad"),
  copied: () => pill(t("off: this is a copy"), "warn"),
};

export function webhookState({ isActive, offReason, failingSince }) {
  if (!isActive) return WHY_OFF[offReason]();
  return failingSince
    ? pill(t("failing since {moment}", { moment: moment(failingSince) }), "warn")
    : pill(t("on"), "good");
}

function adding(close) {
  const made = signal(null);
  const fields = editable(webhookFields(), null);
  const run = async () => {
    made.value = await send("POST", WEBHOOKS, fields.body());
    changed(WEBHOOKS);
  };
  return div(() => (made.value ? keepIt(made.value, close) : form(
    { run, submit: t("Add"), cancel: () => close(), label: t("New webhook") },
    fields.controls,
  )));
}

const keepIt = ({ id, secret }, close) =>
  div(
    { class: "stack" },
    secretOnce(secret),
    div(
      { class: "form-foot row" },
      button(t("Go to the webhook"), () => (close(), go(`/settings/webhooks/${id}`)), { kind: "main" }),
    ),
  );

export const secretOnce = (secret) =>
  div(
    { class: "stack" },
    p(t(
      "Receivers use the signing secret to check that a message comes from here. Copy it now. It is not shown again.",
    )),
    handedOver(secret),
  );
