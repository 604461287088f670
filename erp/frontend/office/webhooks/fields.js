// The fields of a webhook: its form, and the facts of its page.
import { moment } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { signal, tags } from "../../core/view.js";
import { choice } from "../../ui/choice.js";
import { field } from "../../ui/field.js";
import { textArea } from "../../ui/input.js";

export const eventsIn = (types) =>
  !types.length ? t("all") : types.length === 1 ? types[0] : tn("{n} type", "{n} types", types.length);

export const webhookFields = () => [
  {
    name: "url",
    label: t("URL"),
    isWide: true,
    type: "url",
    autocomplete: "off",
    ifEmpty: "",
    hint: t("Must begin with https."),
    told: ({ url }) => tags.code(url),
  },
  {
    name: "eventTypes",
    label: t("Events"),
    parts: { signals: eventSignals, draw: eventFields, read: eventTypesOf },
    told: ({ eventTypes }) => (eventTypes.length > 1 ? eventTypes.join(", ") : eventsIn(eventTypes)),
  },
  { name: "note", label: t.of("internal", "Note"), isWide: true, isOptional: true },
  { label: t("Added by"), told: ({ createdByName }) => createdByName },
  {
    label: t("Old signing secret valid until"),
    told: ({ oldSecretValidUntil }) => oldSecretValidUntil && moment(oldSecretValidUntil),
  },
  { label: t("Turned off since"), told: ({ offAt }) => offAt && moment(offAt) },
];

function eventSignals(webhook) {
  const { eventTypes = [] } = webhook ?? {};
  return { which: signal(eventTypes.length ? "some" : "all"), types: signal(eventTypes.join("\n")) };
}

const eventFields = ({ which, types }) => [
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
        isWide: true,
        hint: t("One per line, for example invoice.issued. The API documentation lists them."),
      },
      textArea({ value: types, name: "eventTypes", rows: 5, spellcheck: "false" }),
    ),
];

const eventTypesOf = ({ which, types }) => which.value === "all" ? [] : types.value.split(/[\s,;]+/).filter(Boolean);
