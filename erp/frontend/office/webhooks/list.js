// The addresses of other programs to which events of the workspace are sent.
import { send } from "../../core/api.js";
import { moment } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { go } from "../../core/router.js";
import { changed, list } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { choice } from "../../ui/choice.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { handedOver } from "../../ui/handed_over.js";
import { textArea, textInput } from "../../ui/input.js";
import { pill } from "../../ui/pill.js";
import { table } from "../../ui/table.js";

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

export const eventsIn = (types) =>
  !types.length ? t("all") : types.length === 1 ? types[0] : tn("{n} type", "{n} types", types.length);

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

// The fields that adding and changing have in common, and what they send.
export function webhookFields({ url = "", eventTypes = [], note = "" } = {}) {
  const values = { url: signal(url), note: signal(note ?? ""), types: signal(eventTypes.join("\n")) };
  const which = signal(eventTypes.length ? "some" : "all");
  const body = () => ({
    url: values.url.value,
    note: values.note.value || null,
    eventTypes: which.value === "all" ? [] : values.types.value.split(/[\s,;]+/).filter(Boolean),
  });
  const element = div(
    { class: "stack" },
    field(
      { label: t("URL"), name: "url", hint: t("Must begin with https.") },
      textInput({ value: values.url, name: "url", type: "url", autocomplete: "off" }),
    ),
    field(
      { label: t("Events"), name: "which" },
      choice({
        value: which,
        name: "which",
        options: [{ value: "all", text: t("All") }, { value: "some", text: t("Only some types") }],
      }),
    ),
    () =>
      which.value === "some" &&
      field(
        {
          label: t("Types"),
          name: "eventTypes",
          hint: t("One per line, for example invoice.issued. The API documentation lists them."),
        },
        textArea({ value: values.types, name: "eventTypes", rows: 5, spellcheck: "false" }),
      ),
    field(
      { label: t.of("internal", "Note"), name: "note", isOptional: true },
      textInput({ value: values.note, name: "note" }),
    ),
  );
  return { element, body };
}

function adding(close) {
  const made = signal(null);
  const { element, body } = webhookFields();
  const run = async () => {
    made.value = await send("POST", WEBHOOKS, body());
    changed(WEBHOOKS);
  };
  return div(() => (made.value ? keepIt(made.value, close) : form(
    { run, submit: t("Add"), cancel: () => close(), label: t("New webhook") },
    element,
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
