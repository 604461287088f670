// Who gets which messages: addresses of a contact, each with the kinds of messages that go there.
import { t } from "../../core/i18n.js";
import { computed, each, signal, tags } from "../../core/view.js";
import { button, iconButton } from "../../ui/button.js";
import { checkbox } from "../../ui/choice.js";
import { field } from "../../ui/field.js";
import { textInput } from "../../ui/input.js";

const MOST = 10;
/** @type {Record<string, () => string>} */
const KINDS = {
  invoice: () => t("Invoices"),
  quote: () => t("Quotes"),
  reminder: () => t("Reminders"),
  statement: () => t("Account statements"),
};

const { div, fieldset, legend, p } = tags;
let count = 0;

export const recipientsField = () => ({
  name: "recipients",
  label: t("Recipients"),
  parts: { signals: signalsOf, draw: rowsOf, read: sent },
  words: (recipients) => recipients.map(inWords).join("; "),
  told: ({ recipients }) => recipients.length > 0 && recipients.map((one) => div(inWords(one))),
});

const inWords = ({ email, kinds }) =>
  t("{address}: {kinds}", { address: email, kinds: kinds.map((kind) => KINDS[kind]()).join(", ") });

const rowOf = ({ email, kinds }) => ({ key: count += 1, email, kinds });
const isFilled = ({ email }) => email.trim() !== "";

const signalsOf = (contact) => ({ recipients: signal((contact?.recipients ?? []).map(rowOf)) });

// In the order of the kinds, whichever was ticked first; a row without an address is none.
const sent = ({ recipients }) =>
  recipients.value.filter(isFilled).map(({ email, kinds }) => ({
    email: email.trim(),
    kinds: Object.keys(KINDS).filter((kind) => kinds.includes(kind)),
  }));

function rowsOf({ recipients }) {
  const add = () => {
    recipients.value = [...recipients.peek(), rowOf({ email: "", kinds: ["invoice"] })];
    queueMicrotask(() => [...box.querySelectorAll("input[type=email]")].at(-1).focus());
  };
  const box = fieldset(
    { class: "radios is-wide", "data-name": "recipients", tabindex: "-1" },
    legend({ class: "field-label" }, t("Recipients")),
    p({ class: "field-hint" }, t("Messages that no one gets here go to the e-mail address above.")),
    each(() => recipients.value, ({ key }) => key, (get) => row(get, recipients)),
    () =>
      recipients.value.length < MOST &&
      div(button(t("Add recipient"), add, { kind: "plain", icon: "plus", isSmall: true })),
  );
  return box;
}

function row(get, recipients) {
  const { key } = get.peek();
  const change = (more) =>
    void (recipients.value = recipients.peek().map((one) => (one.key === key ? { ...one, ...more } : one)));
  const place = computed(() => recipients.value.filter(isFilled).findIndex((one) => one.key === key));
  const named = (part) => () => (place.value < 0 ? null : `recipients[${place.value}].${part}`);
  const email = {
    get value() {
      return get.value.email;
    },
    set value(email) {
      change({ email });
    },
  };
  const ticked = (kind) => ({
    get value() {
      return get.value.kinds.includes(kind);
    },
    set value(isTicked) {
      change({ kinds: get.peek().kinds.filter((one) => one !== kind).concat(isTicked ? kind : []) });
    },
  });
  const label = () => t("Recipient {n}", { n: recipients.value.findIndex((one) => one.key === key) + 1 });
  const remove = () => void (recipients.value = recipients.peek().filter((one) => one.key !== key));
  return div(
    { class: "step-of-list recipient", role: "group", "aria-label": label },
    div(
      { class: "recipient-address" },
      field({ label }, textInput({ value: email, name: named("email"), type: "email" })),
      iconButton("x", () => t("Remove {name}", { name: label() }), remove),
    ),
    fieldset(
      { class: "radios is-row", "data-name": named("kinds"), tabindex: "-1" },
      legend({ class: "field-label" }, t("Gets")),
      Object.entries(KINDS).map(([kind, text]) => checkbox({ value: ticked(kind), text: text() })),
    ),
  );
}
