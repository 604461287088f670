// Crediting an invoice or a bill, all that remains of it or some of its lines, in the words of each: ours is issued, a
// supplier's is posted.
import { money, number } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { go } from "../../core/router.js";
import { signal, tags } from "../../core/view.js";
import { radios } from "../../ui/choice.js";
import { dateField } from "../../ui/date.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { moneyInput, numberInput } from "../../ui/number.js";
import { tellIssued } from "./issue.js";
import { isPurchase, nameOf, pathOf } from "./states.js";

const wordsOf = (document) =>
  isPurchase(document)
    ? {
      title: t("Record a supplier credit note for {name}?", { name: nameOf(document) }),
      verb: t("Post supplier credit note"),
    }
    : { title: t("Create a credit note for {name}?", { name: nameOf(document) }), verb: t("Issue credit note") };

// `act` asks the server to do it, with the body.
export async function credit(document, act) {
  const { title, verb } = wordsOf(document);
  const [reason, date, supplierNumber] = [signal(""), signal(""), signal("")];
  const lines = linesOf(document);
  const run = async () => {
    const filled = Object.entries({ reason, date, supplierNumber }).filter(([, { value }]) => value);
    const body = Object.fromEntries(filled.map(([name, { value }]) => [name, value]));
    return await act("credit", { ...body, ...lines.body() }).catch(lines.atFields);
  };
  const note = await dialog({
    title,
    body: (close) =>
      form(
        { run: async () => close(await run()), submit: verb, cancel: () => close() },
        lines.controls,
        isPurchase(document) && field(
          { label: t("Supplier’s credit note no."), name: "supplierNumber", isOptional: true },
          textInput({ value: supplierNumber, name: "supplierNumber" }),
        ),
        field({ label: t("Reason"), name: "reason", isOptional: true }, textInput({ value: reason, name: "reason" })),
        field(
          { label: t("Date"), name: "date", isOptional: true, hint: t("Default: today.") },
          dateField({ value: date, name: "date" }),
        ),
      ),
  });
  if (!note) return;
  tellIssued(note);
  await go(pathOf(note));
}

// All that remains, or of some lines a quantity or an amount.
function linesOf(document) {
  const scope = signal("all");
  const parts = document.lines.map((line) => ({ line, quantity: signal(""), amount: signal("") }));
  const chosen = () => parts.filter(({ quantity, amount }) => quantity.value || amount.value);
  const sent = ({ line, quantity, amount }) => ({
    lineId: line.id,
    ...(quantity.value && { quantity: quantity.value }),
    ...(amount.value && { amount: amount.value }),
  });
  const at = (name) => name?.replace(/^lines\[(\d+)\]/, (_, index) => chosen()[index].line.id);
  return {
    body: () => (scope.value === "all" ? {} : { lines: chosen().map(sent) }),
    atFields: (refusal) => {
      const details = refusal.details?.map((one) => ({ ...one, field: at(one.field) }));
      throw Object.assign(refusal, { details });
    },
    controls: [
      radios({
        value: scope,
        name: "lines",
        label: t("To credit"),
        options: [{ value: "all", text: allText(document) }, { value: "some", text: t("Single lines") }],
      }),
      () => (scope.value === "some" ? parts.map((part) => lineFields(document, part)) : null),
    ],
  };
}

const allText = ({ creditNoteIds, total, currency }) =>
  creditNoteIds.length
    ? t("All that remains to be credited")
    : t("The whole document: {amount}", { amount: money(total, currency, { withCurrency: true }) });

function lineFields({ pricesIncludeTax, currency }, { line, quantity, amount }) {
  const [named, summed] = [`${line.id}.quantity`, `${line.id}.amount`];
  return tags.fieldset(
    { class: "fields" },
    tags.legend(line.description),
    field(
      { label: t("Quantity"), name: named, note: t("of {most}", { most: number(line.quantity) }) },
      numberInput({ value: quantity, name: named }),
    ),
    field(
      { label: pricesIncludeTax ? t("or an amount with tax") : t("or an amount before tax"), name: summed },
      moneyInput({ value: amount, name: summed, currency }),
    ),
  );
}
