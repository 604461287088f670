// Statements of a bank come in as files; of a CSV file the user says once what each column holds.
import { address, newKey, send } from "../../core/api.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { go } from "../../core/router.js";
import { currency } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { effect, signal, tags, untracked } from "../../core/view.js";
import { more } from "../../ui/card.js";
import { choice } from "../../ui/choice.js";
import { columnChoice, sample } from "../../ui/columns.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { moneyInput, numberInput } from "../../ui/number.js";
import { TOUCHED } from "../payments/touched.js";

const { div, fieldset, input, label, legend, p, span } = tags;
const ACCEPTED = ".xml,.zip,.sta,.mt940,.txt,.csv";
const STATEMENTS = "/finance/bank/statements";

// Choose files, send each as it is, and say what came of it.
export function importStatements(accountId) {
  const picker = input({ type: "file", multiple: true, accept: ACCEPTED });
  picker.onchange = async () => {
    for (const file of picker.files) await importOne(accountId, file);
  };
  picker.click();
}

// `refused` is why the file could not go to the account that is shown.
async function importOne(accountId, file, openingBalance = null, refused = null) {
  try {
    const path = address(`${STATEMENTS}/import`, { accountId, name: file.name, openingBalance });
    const done = await send("POST", path, file, { key: newKey() });
    changed("/finance/bank", ...TOUCHED);
    if (!accountId && location.pathname === "/bank") await go(`/bank?accountId=${done.statements[0].accountId}`);
    const counts = { name: file.name, known: done.known };
    notify(
      tn(
        "{name}: {n} new transaction, {known} known.",
        "{name}: {n} new transactions, {known} known.",
        done.new,
        counts,
      ),
    );
    for (const skipped of done.skipped) notify(leftOut(file.name, skipped));
    for (const warning of done.warnings) notify(warning);
  } catch (refusal) {
    const isNobodys = refusal.details?.some(({ field: name }) => name === "accountId");
    await after(isNobodys && refused ? refused : refusal, refused ? null : accountId, file);
  }
}

// Rows of a CSV that are no transactions of the account.
function leftOut(name, { reason, count }) {
  const why = {
    other_currency: t("in another currency"),
    zero: t("without an amount"),
    pending: t("not booked yet"),
    no_day: t("without a day"),
  }[reason];
  return tn("{name}: {n} row left out: {why}.", "{name}: {n} rows left out: {why}.", count, { name, why });
}

// What the bank's file does not say is asked for, and the file is sent again.
async function after(refusal, accountId, file) {
  const isOthers = accountId && refusal.details?.some(({ code }) => code === "wrong_account");
  if (isOthers) return importOne(null, file, null, refusal); // to the account with its IBAN
  if (refusal.code === "mapping_needed" && await askColumns(accountId, file)) return importOne(accountId, file);
  const lacksOpening = refusal.details?.some(({ field: name }) => name === "openingBalance");
  const opening = lacksOpening && await askOpening(file);
  if (opening) return importOne(accountId, file, opening);
  if (lacksOpening || refusal.code === "mapping_needed") return undefined;
  return notify(t("{name}: {why}", { name: file.name, why: refusal.reason }), { kind: "bad" });
}

const askOpening = (file) =>
  dialog({
    title: t("Balance before {name}", { name: file.name }),
    body: (close) => {
      const amount = signal("");
      return form(
        { run: () => close(amount.value), submit: t("Import"), cancel: () => close(), label: t("Opening balance") },
        p(t("The file has no opening balance. Enter the one on your bank statement.")),
        field(
          { label: t("Balance in {currency}", { currency: currency() }), name: "openingBalance" },
          moneyInput({ value: amount, name: "openingBalance", currency }),
        ),
      );
    },
  });

// The columns of a bank's CSV, as the server proposes them; true once they are saved.
async function askColumns(accountId, file) {
  const first = await send("POST", `${STATEMENTS}/columns`, file).catch((refusal) =>
    void notify(t("{name}: {why}", { name: file.name, why: refusal.reason }), { kind: "bad" })
  );
  return first && dialog({
    title: t("The columns of {name}", { name: file.name }),
    size: "wide",
    body: (close) => mapping(accountId, file, first, close),
  });
}

function mapping(accountId, file, first, close) {
  const found = signal(first);
  const [delimiter, skipRows] = [signal(first.delimiter), signal(String(first.skipRows))];
  let fields = fieldsOf(first);
  proposeAgain(file, delimiter, skipRows, found);
  const run = async () => {
    const csvMapping = { ...valuesOf(fields), delimiter: delimiter.value, skipRows: Number(skipRows.value) };
    await send("POST", `/finance/bank/accounts/${accountId}/format`, { csvMapping });
    close(true);
  };
  return form(
    { run, submit: t("Save and import"), cancel: () => close(), label: t("Columns") },
    p(t("Choose what each column contains. Later files of this account are read in the same way.")),
    div(
      { class: "fields" },
      field(
        { label: t("Column separator"), name: "csvMapping.delimiter" },
        choice({
          value: delimiter,
          name: "csvMapping.delimiter",
          options: [{ value: ";", text: t("Semicolon") }, { value: ",", text: t("Comma") }, {
            value: "\t",
            text: t("Tab"),
          }],
        }),
      ),
      field(
        { label: t("Rows before the headings"), name: "csvMapping.skipRows" },
        numberInput({ value: skipRows, name: "csvMapping.skipRows" }),
      ),
    ),
    () => {
      const now = found.value;
      return untracked(() => {
        fields = fieldsOf(now);
        return [sample(now), now.isGuess && guess(now), columnFields(fields, now.headings)];
      });
    },
  );
}

// A correction leads to a new proposal.
function proposeAgain(file, delimiter, skipRows, found) {
  let isFirst = true;
  effect(() => {
    const asked = { delimiter: delimiter.value, skipRows: skipRows.value };
    if (isFirst) return void (isFirst = false);
    send("POST", address(`${STATEMENTS}/columns`, asked), file).then(
      (answer) => void (found.value = answer),
      (refusal) => notify(refusal.reason, { kind: "bad" }),
    );
    return undefined;
  });
}

const SINGLE = {
  date: () => t("Date"),
  amount: () => t("Amount"),
  debit: () => t("Money out"),
  credit: () => t("Money in"),
  party: () => t("Payer or payee"),
  iban: () => t("IBAN"),
  balance: () => t.of("money", "Balance"),
};
const FURTHER = {
  valueDate: () => t("Value date"),
  endToEnd: () => t("End-to-end reference"),
  reference: () => t("Reference of the bank"),
  currency: () => t("Currency"),
  payer: () => t("Payer, where money comes in"),
  payee: () => t("Payee, where money goes out"),
};

const fieldsOf = ({ columns, dateFormat, decimalSign }) => ({
  ...Object.fromEntries(Object.keys({ ...SINGLE, ...FURTHER }).map((name) => [name, signal(columns[name])])),
  text: signal(columns.text),
  dateFormat: signal(dateFormat),
  decimalSign: signal(decimalSign),
});

function valuesOf({ dateFormat, decimalSign, ...columns }) {
  const given = Object.entries(columns).map(([name, one]) => [name, one.value]).filter(([, value]) => value !== null);
  return {
    columns: Object.fromEntries(given),
    dateFormat: dateFormat.value,
    decimalSign: decimalSign.value,
  };
}

const guess = ({ dateFormat }) =>
  p(t("The file does not tell the day from the month: {format} is a guess. Check it.", { format: dateFormat }));

const columnFields = (fields, headings) =>
  div(
    { class: "stack" },
    div({ class: "fields" }, Object.keys(SINGLE).map((name) => columnField(name, SINGLE[name](), fields, headings))),
    texts(fields.text, headings),
    more(
      t("Further columns, date and number formats"),
      div(
        { class: "fields" },
        Object.keys(FURTHER).map((name) => columnField(name, FURTHER[name](), fields, headings)),
        field(
          { label: t("Date format"), name: "csvMapping.dateFormat", hint: t("D, M and Y, as DD.MM.YYYY") },
          textInput({ value: fields.dateFormat, name: "csvMapping.dateFormat" }),
        ),
        field(
          { label: t("Decimal separator"), name: "csvMapping.decimalSign" },
          choice({
            value: fields.decimalSign,
            name: "csvMapping.decimalSign",
            options: [{ value: ",", text: t("Comma") }, { value: ".", text: t("Point") }],
          }),
        ),
      ),
    ),
  );

const columnField = (name, text, fields, headings) =>
  columnChoice({ name: `csvMapping.columns.${name}`, label: text, value: fields[name], headings });

// The text of a line may stand in several columns; they are put together in the order of the file.
const texts = (chosen, headings) =>
  fieldset(
    { class: "radios", "data-name": "csvMapping.columns.text", tabindex: "-1" },
    legend({ class: "field-label" }, t("Columns of the text")),
    div(
      { class: "row" },
      headings.map((heading) =>
        label(
          { class: "check" },
          input({
            type: "checkbox",
            checked: () => chosen.value.includes(heading),
            onchange: ({ target }) => {
              const now = new Set(chosen.peek());
              target.checked ? now.add(heading) : now.delete(heading);
              chosen.value = headings.filter((one) => now.has(one));
            },
          }),
          span({ class: "check-words" }, span({ class: "check-text" }, heading)),
        )
      ),
    ),
  );
