// Crediting an invoice or a bill, all that remains of it or some of its lines, in the words of each: ours is issued, a
// supplier's is posted.
import { money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { go } from "../../core/router.js";
import { signal, tags } from "../../core/view.js";
import { checkbox, radios } from "../../ui/choice.js";
import { dateField } from "../../ui/date.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { moneyInput, numberInput } from "../../ui/number.js";
import { tellIssued } from "./issue.js";
import { isPurchase, nameOf, pathOf } from "./states.js";
import { quantityOf } from "./table.js";

const wordsOf = (document) =>
  isPurchase(document)
    ? {
      title: t("Record a supplier credit note for {name}?", { name: nameOf(document) }),
      text: t("The supplier credit note is posted at once."),
      verb: t("Post supplier credit note"),
    }
    : {
      title: t("Create a credit note for {name}?", { name: nameOf(document) }),
      text: t("The credit note is issued and posted at once."),
      verb: t("Issue credit note"),
    };

// `act` asks the server to do it, with the body.
export async function credit(document, act) {
  const { title, text, verb } = wordsOf(document);
  const [reason, date, supplierNumber] = [signal(""), signal(""), signal("")];
  const [isTaken, force] = [signal(false), signal(false)];
  const lines = linesOf(document);
  const run = async () => {
    const filled = Object.entries({ reason, date, supplierNumber }).filter(([, { value }]) => value);
    const body = Object.fromEntries(filled.map(([name, { value }]) => [name, value]));
    const sent = { ...body, ...lines.body(), ...(force.value && { force: true }) };
    return await act("credit", sent).catch((refusal) => {
      isTaken.value ||= refusal.code === "supplier_number_taken";
      throw lines.named(refusal, sent);
    });
  };
  const note = await dialog({
    title,
    body: (close) =>
      form(
        { run: async () => close(await run()), submit: verb, cancel: () => close() },
        tags.p(text),
        lines.controls,
        isPurchase(document) && field(
          { label: t("Supplier credit note no."), name: "supplierNumber", isOptional: true },
          textInput({ value: supplierNumber, name: "supplierNumber" }),
        ),
        tags.div(
          { hidden: () => !isTaken.value },
          checkbox({ value: force, name: "force", text: t("Another document with the same number") }),
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
  return {
    body: () => (scope.value === "all" ? {} : { lines: chosen().map(sent) }),
    // A refusal of what was sent, with the fields of this form.
    named: (refusal, sent) => {
      const at = (name) => name?.replace(/^lines\[(\d+)\]/, (_, index) => sent.lines[index].lineId);
      return Object.assign(refusal, { details: refusal.details?.map((one) => ({ ...one, field: at(one.field) })) });
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

const allText = ({ creditNoteIds, deductions, total, currency }) =>
  creditNoteIds.length || deductions.length
    ? t("All that remains to be credited")
    : t("The whole document: {amount}", { amount: money(total, currency, { withCurrency: true }) });

function lineFields({ pricesIncludeTax, currency }, { line, quantity, amount }) {
  const [named, summed] = [`${line.id}.quantity`, `${line.id}.amount`];
  return tags.fieldset(
    { class: "fields" },
    tags.legend(line.description),
    field(
      { label: t("Quantity"), name: named, note: t("in the document: {quantity}", { quantity: quantityOf(line) }) },
      numberInput({ value: quantity, name: named }),
    ),
    field(
      { label: pricesIncludeTax ? t("or an amount with tax") : t("or an amount before tax"), name: summed },
      moneyInput({ value: amount, name: summed, currency }),
    ),
  );
}
