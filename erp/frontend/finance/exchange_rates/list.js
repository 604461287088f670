// Exchange rates by day: entered by hand, or taken from the daily file of the European Central Bank.
import { address, newKey, send } from "../../core/api.js";
import { day, number } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { parameter, query } from "../../core/router.js";
import { currency } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { dateField } from "../../ui/date.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { fileInput } from "../../ui/file.js";
import { form } from "../../ui/form.js";
import { searchField } from "../../ui/input.js";
import { recordsScreen } from "../../ui/records.js";

const { div, p } = tags;
const RATES = "/finance/exchange-rates";
const KINDS = { xml: "application/xml", csv: "text/csv", zip: "application/zip" };

export default () =>
  recordsScreen({
    path: RATES,
    parameters: () => ({ currency: wanted() }),
    isArchivable: false,
    title: t("Exchange rates"),
    back: { href: "/accounts", text: t("Accounts") },
    right: "finance.write",
    addText: t("New exchange rate"),
    emptyText: t("No exchange rates yet."),
    intro: t(
      "Documents and payments in another currency use the latest rate up to their date, unless they name another.",
    ),
    deleteText: t("Existing entries stay as they are."),
    nameOf: (rate) => t("{currency} of {day}", { currency: rate.currency, day: day(rate.date) }),
    canChange: ({ source }) => source === "manual",
    filters: searchField({ value: parameter("currency"), label: t("Currency, for example USD") }),
    columns,
    fields,
    actions: [{
      name: t("Import rates"),
      icon: "upload",
      may: "finance.write",
      run: () => dialog({ title: t("Rates of the European Central Bank"), body: importing }),
    }],
  });

// A currency, once its three letters are there.
function wanted() {
  const typed = (query.value.get("currency") ?? "").trim().toUpperCase();
  return /^[A-Z]{3}$/.test(typed) ? typed : null;
}

const columns = [
  { key: "currency", text: t("Currency"), place: "name", cell: (rate) => rate.currency },
  { key: "date", text: t("Day"), place: "meta", width: "10rem", cell: ({ date }) => day(date) },
  {
    key: "source",
    text: t("Entered"),
    isMinor: true,
    width: "16rem",
    cell: ({ source }) => (source === "ecb" ? t("by a file of the central bank") : t("manually")),
  },
  {
    key: "rate",
    text: t("Value of one unit"),
    isFigure: true,
    place: "figure",
    width: "14rem",
    cell: ({ rate, baseCurrency }) => `${number(rate)} ${baseCurrency}`,
  },
];

const fields = (record) => [
  ...(record ? [] : [
    { name: "currency", label: t("Currency"), hint: t("Three letters, for example USD."), maxlength: 3 },
    { name: "date", label: t("Day"), kind: "day" },
  ]),
  { name: "rate", label: t("{currency} for one unit", { currency: currency() }), kind: "number" },
];

function importing(close) {
  const [file, dateFrom] = [signal(null), signal("")];
  const key = newKey();
  const run = async () => {
    if (!file.value) return;
    const type = KINDS[file.value.name.split(".").pop().toLowerCase()] ?? KINDS.csv;
    const path = address(`${RATES}/import`, { dateFrom: dateFrom.value });
    const done = await send("POST", path, file.value, { key, type });
    changed(RATES);
    close();
    const counts = { changed: done.changed };
    notify(tn("{n} new rate, {changed} corrected.", "{n} new rates, {changed} corrected.", done.new, counts), {
      kind: "good",
    });
  };
  return form(
    { run, submit: t("Import"), cancel: () => close(), label: t("Rates of the European Central Bank") },
    p(
      { class: "soft" },
      t("The European Central Bank publishes them on its website: today’s, of 90 days, or all since 1999."),
    ),
    div(
      { class: "fields" },
      field(
        { label: t.of("noun", "File"), name: "file", hint: t("XML, CSV or ZIP") },
        fileInput({ value: file, name: "file", accept: ".xml,.csv,.zip" }),
      ),
      field(
        { label: t("Valid from"), name: "dateFrom", isOptional: true },
        dateField({ value: dateFrom, name: "dateFrom" }),
      ),
    ),
  );
}
