// The fields of a quote's editor: its head, its texts, the grid of its lines, and what they come to.
import { t } from "../../core/i18n.js";
import { currency, settings } from "../../core/session.js";
import { computed, tags } from "../../core/view.js";
import { more } from "../../ui/card.js";
import { choice } from "../../ui/choice.js";
import { combobox } from "../../ui/combobox.js";
import { dateField } from "../../ui/date.js";
import { field } from "../../ui/field.js";
import { textInput } from "../../ui/input.js";
import { later } from "../../ui/later.js";
import { contactOptions, createContact, nameOfContact } from "../contacts/choice.js";
import { orElse } from "../documents/body.js";
import { documentLines } from "../documents/lines.js";
import { warnings } from "../documents/rates.js";
import { namesOf } from "../documents/states.js";
import { alternativeTo, positionOf } from "./body.js";
import { optionText } from "./words.js";

const { div } = tags;

export function shownFields({ fields, lines, preview, found }) {
  const currencyOf = () => preview.value?.currency ?? currency();
  const said = (name) => orElse(fields[name], computed(() => preview.value?.[name]));
  const isGross = () => found?.pricesIncludeTax ?? settings().pricesIncludeTax;
  const grid = documentLines({
    isBill: false,
    fields,
    lines,
    preview,
    currencyOf,
    isGross,
    extra: [optionColumn(lines)],
  });
  const names = namesOf({});
  return [
    div(
      { class: "fields" },
      field(
        { label: names.contactId, name: "customerId" },
        combobox({
          value: fields.contactId,
          name: "customerId",
          options: contactOptions("customer"),
          shown: (id) => id && nameOfContact(id),
          create: createContact("customer"),
          next: () => grid.focusFirst(),
          autofocus: !found,
        }),
      ),
      field(
        { label: names.subject, name: "subject", isOptional: true },
        textInput({ value: fields.subject, name: "subject", maxlength: 200 }),
      ),
      field({ label: names.issueDate, name: "issueDate" }, dateField({ value: said("issueDate"), name: "issueDate" })),
      field(
        { label: names.validUntil, name: "validUntil" },
        dateField({ value: said("validUntil"), name: "validUntil", from: () => preview.value?.issueDate }),
      ),
      field(
        { label: names.reference, name: "reference", isOptional: true },
        textInput({ value: fields.reference, name: "reference" }),
      ),
    ),
    grid,
    warnings(lines, preview),
    later(async () => (await import("../documents/totals.js")).totalsOf, preview, currencyOf),
    more(
      { text: t("Texts before and after the lines"), isOpen: Boolean(found?.intro || found?.closing) },
      later(async () => (await import("./texts.js")).textsAround, fields),
    ),
    more(names.paymentTerms, later(async () => (await import("../documents/terms.js")).fieldsOfTerms, fields, "quote")),
    more(
      t("Discount, notes, project, currency"),
      later(async () => (await import("../documents/further.js")).furtherFields, fields, "quote", currencyOf),
    ),
  ];
}

// Whether a line is in the total, the customer's choice, or an alternative to an included line.
const optionColumn = (lines) => ({
  key: "option",
  text: t.of("line", "Option"),
  width: "minmax(8rem, 0.4fr)",
  control: ({ value, name, label, line }) =>
    choice({ value, name, label, options: () => optionsOf(lines, line, value) }),
});

function optionsOf(lines, line, value) {
  const positions = lines.sent.value.flatMap((one, at) =>
    one !== line && one.cells.option.value === "included" ? [at + 1] : []
  );
  const own = positionOf(value.value);
  const all = own && !positions.includes(own) ? [...positions, own] : positions;
  return [
    ...["included", "optional"].map((option) => ({ value: option, text: optionText({ option }) })),
    ...all.map((n) => ({ value: alternativeTo(n), text: optionText({ option: "alternative", alternativeTo: n }) })),
  ];
}
