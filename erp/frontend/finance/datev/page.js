// The tax advisor's program: stacks of entries that go there, each once, and bookings that come back.
import { address, download, newKey, send } from "../../core/api.js";
import { day, dayShort, moment, money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { today } from "../../core/parse.js";
import { currency, session } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { problem } from "../../ui/alert.js";
import { card } from "../../ui/card.js";
import { change, changesOf } from "../../ui/changing.js";
import { choice } from "../../ui/choice.js";
import { dateField } from "../../ui/date.js";
import { confirm, dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { numberInput } from "../../ui/number.js";
import { pill } from "../../ui/pill.js";
import { table } from "../../ui/table.js";
import { TOUCHED } from "../payments/touched.js";
import { makeBatch, STACKS } from "./batch.js";

const { div, input, li, p, strong, ul } = tags;

export default () => {
  const path = `/workspace/${session.peek().workspace.id}`;
  const workspace = resource(path);
  const get = () => workspace.value;
  const isSetUp = () => Boolean(get()?.datevAdvisor && get().datevClient && get().datevChart);
  return {
    title: t("Tax advisor"),
    back: { href: "/close", text: t.of("books", "Close") },
    actions: [
      {
        name: t("Create batch"),
        key: "n",
        main: true,
        icon: "plus",
        may: "finance.write",
        isShown: isSetUp,
        run: () => dialog({ title: t("Create batch"), body: making }),
      },
      { name: t("Import entries"), icon: "upload", may: "finance.write", isShown: isSetUp, run: takeOver },
      {
        name: t("Contacts for DATEV"),
        icon: "download",
        isShown: isSetUp,
        run: () => download("/finance/datev/contacts"),
      },
      {
        name: t("DATEV settings"),
        icon: "settings",
        may: "workspace.write",
        isShown: () => Boolean(get()),
        run: () => dialog({ title: t("DATEV settings"), body: (close) => numbers(get(), path, close) }),
      },
    ],
    body: div(
      { class: "stack" },
      p(
        { class: "soft" },
        t("Each entry is exported to DATEV once. Import the tax advisor’s entries here."),
      ),
      problem(() => workspace.problem, () => workspace.renew()),
      () => (get() && !isSetUp() ? p(t("Enter the consultant no. and the client no. first.")) : null),
      lacking(),
      stacks(),
    ),
  };
};

// Entries of days whose batch was made before they were posted; most often there are none.
function lacking() {
  const found = resource("/finance/datev/changes");
  return () =>
    found.value?.length > 0 &&
    card(
      { title: t("Entries that the tax advisor lacks") },
      p({ class: "soft" }, t("They were posted after the batch of their days. A new batch of these days has them.")),
      table({
        label: t("Entries that the tax advisor lacks"),
        rows: () => found.value ?? [],
        key: ({ id }) => id,
        href: ({ id }) => `/journals/${id}`,
        columns: [
          { key: "number", text: t("Entry"), place: "name", cell: ({ number }) => number },
          { key: "date", text: t("Date"), place: "meta", cell: ({ date }) => day(date) },
          { key: "what", text: t("Description"), isMinor: true, cell: ({ description }) => description },
          {
            key: "total",
            text: t("Total"),
            isFigure: true,
            place: "figure",
            cell: ({ total }) => money(total, currency()),
          },
        ],
      }),
    );
}

function stacks() {
  const found = resource(STACKS);
  return table({
    label: t("Batches"),
    rows: () => found.value,
    key: ({ id }) => id,
    columns,
    actions: (stack) => [{
      name: t("Download"),
      icon: "download",
      key: "d",
      run: () => download(`${STACKS}/${stack.id}/file`),
    }],
    empty: empty(t("No DATEV batches yet.")),
  });
}

const columns = [
  {
    key: "days",
    text: t("Period"),
    place: "name",
    cell: ({ dateFrom, dateTo }) => t("{from} to {until}", { from: day(dateFrom), until: day(dateTo) }),
  },
  {
    key: "entries",
    text: t("Entries"),
    place: "figure",
    isFigure: true,
    width: "7rem",
    cell: ({ entries }) => entries,
  },
  {
    key: "way",
    text: t("Direction"),
    place: "state",
    cell: ({ receivedAs }) => receivedAs ? pill(t("received"), "info") : pill(t("sent"), "good"),
  },
  { key: "file", text: t.of("noun", "File"), isMinor: true, cell: ({ receivedAs }) => receivedAs ?? "" },
  {
    key: "made",
    text: t("Created"),
    place: "meta",
    cell: ({ createdAt, createdByName }) => [moment(createdAt), createdByName].filter(Boolean).join(" · "),
  },
];

// The month before this one.
function lastMonth() {
  const [year, month] = today().split("-").map(Number);
  const day = (date) => date.toISOString().slice(0, 10);
  return [day(new Date(Date.UTC(year, month - 2, 1))), day(new Date(Date.UTC(year, month - 1, 0)))];
}

function making(close) {
  const [dateFrom, dateTo] = lastMonth().map((one) => signal(one));
  const key = newKey();
  const run = async () => {
    await makeBatch({ dateFrom: dateFrom.value, dateTo: dateTo.value }, { key, close });
  };
  return form(
    { run, submit: t("Create and download"), cancel: () => close(), label: t("Create batch") },
    p(t("All entries of this period that are in no DATEV batch yet.")),
    field({ label: t("First day"), name: "dateFrom" }, dateField({ value: dateFrom, name: "dateFrom" })),
    field({ label: t("Last day"), name: "dateTo" }, dateField({ value: dateTo, name: "dateTo" })),
  );
}

// A file is checked first; what it would post is shown before it does.
function takeOver() {
  const picker = input({ type: "file", accept: ".csv,.txt" });
  picker.onchange = async () => {
    const file = picker.files[0];
    if (file) await received(file).catch((refusal) => refused(file, refusal));
  };
  picker.click();
}

async function received(file) {
  const path = (dryRun) => address("/finance/datev/received", { name: file.name, dryRun });
  const found = await send("POST", path(true), file);
  const isWanted = await confirm({
    title: tn("Import {n} entry?", "Import {n} entries?", found.bookings),
    text: t("Each is posted as a journal entry. Entries can be reversed, but not deleted."),
    figures: [[t.of("noun", "File"), file.name], [t("Sum"), money(found.total, currency(), { withCurrency: true })]],
    more: bookingsOf(found.entries),
    verb: t("Post"),
  });
  if (!isWanted) return;
  await send("POST", path(false), file, { key: newKey() });
  changed(STACKS, "/finance/journals", ...TOUCHED);
  notify(tn("{n} entry imported.", "{n} entries imported.", found.bookings), { kind: "good" });
}

const bookingsOf = (entries) =>
  table({
    label: t("Entries"),
    rows: () => entries.map((one, index) => ({ ...one, index })),
    key: ({ index }) => index,
    columns: [
      { key: "what", text: t("Description"), place: "name", cell: ({ text }) => text },
      { key: "date", text: t("Date"), place: "meta", width: "7rem", cell: ({ date }) => dayShort(date) },
      { key: "accounts", text: t("Debit to credit"), place: "meta", width: "9rem", cell: accountsOf },
      {
        key: "amount",
        text: t("Amount"),
        isFigure: true,
        place: "figure",
        width: "7rem",
        cell: ({ amount }) => money(amount, currency()),
      },
    ],
  });

const accountsOf = ({ debit, credit }) => t("{debit} to {credit}", { debit, credit });

// Everything that is wrong with a file, by its rows, or what is wrong with all of it.
const refused = (file, refusal) => {
  const found = (refusal.details ?? []).filter(({ field: place, message }) =>
    placeOf(place) || message !== refusal.message
  );
  return dialog({
    title: t("{name} cannot be imported", { name: file.name }),
    body: () =>
      found.length
        ? ul(
          { class: "plain-list" },
          found.map(({ field: place, message }) => li(strong(placeOf(place)), " ", message)),
        )
        : p(refusal.message),
  });
};

// "rows[3].Konto" is what is in row 3, under "Konto".
function placeOf(field) {
  const [, row, column] = field.match(/^rows\[(\d+)\](?:\.(.+))?$/) ?? [];
  return row === undefined ? "" : column ? t("Row {row}, {column}:", { row, column }) : t("Row {row}:", { row });
}

// Numbers that identify a firm have no separators.
const asWritten = (number) => String(number ?? "");
const numberOf = (text) => (text ? Number(text) : null);

function numbers(now, path, close) {
  const values = {
    datevAdvisor: signal(now.datevAdvisor ?? ""),
    datevClient: signal(now.datevClient ?? ""),
    datevChart: signal(now.datevChart),
  };
  const run = async (element) => {
    const body = {
      datevAdvisor: numberOf(values.datevAdvisor.value),
      datevClient: numberOf(values.datevClient.value),
      datevChart: values.datevChart.value,
    };
    if (!(await change(element, path, now, changesOf(body, now)))) return;
    changed(path);
    close();
  };
  return form(
    { run, submit: t("Save"), cancel: () => close(), label: t("DATEV settings") },
    field(
      { label: t("Consultant no."), name: "datevAdvisor" },
      numberInput({ value: values.datevAdvisor, name: "datevAdvisor", show: asWritten }),
    ),
    field(
      { label: t("Client no."), name: "datevClient" },
      numberInput({ value: values.datevClient, name: "datevClient", show: asWritten }),
    ),
    field(
      { label: t("Chart of accounts"), name: "datevChart" },
      choice({
        value: values.datevChart,
        name: "datevChart",
        empty: t("none"),
        options: [{ value: "skr03", text: "SKR 03" }, { value: "skr04", text: "SKR 04" }],
      }),
    ),
  );
}
