// Balances of leave by year: what is granted, taken and left, days added or taken away by hand, and closing a year.
import { address, newKey, send } from "../../core/api.js";
import { number } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { today } from "../../core/parse.js";
import { query } from "../../core/router.js";
import { may } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { problem } from "../../ui/alert.js";
import { button } from "../../ui/button.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { numberInput } from "../../ui/number.js";
import { table } from "../../ui/table.js";
import { tabs } from "../../ui/tabs.js";
import { leaveTypeText } from "./words.js";

const { div, p } = tags;

const isAny = (row, names) => names.some((name) => row[name] !== "0");
// Of sick and unpaid leave nothing is granted, so nothing can be left.
export const isGranted = (row) => isAny(row, ["allocated", "accrued", "carriedIn", "adjusted"]);

// Whether the days of a type are granted at all.
export const isLimited = (type) => Boolean(type) && !(type.accrual === "none" && type.allowNegative);

const figure = (name) => (row) => (row[name] === "0" ? "–" : number(row[name]));
const daysLeft = (text) => tn("{n} day", "{n} days", Number(text));

export function balances() {
  const thisYear = Number(today().slice(0, 4));
  const year = () => Number(query.value.get("year") ?? thisYear);
  const found = resource(() => address("/hr/leave-balances", { year: year() }));
  const closed = resource(() => (may("leave.write") ? "/hr/leave-years" : null));
  return div(
    { class: "stack" },
    div(
      { class: "spread" },
      tabs({
        label: t("Year"),
        items: [thisYear - 1, thisYear, thisYear + 1].map((one) => ({
          key: one,
          text: String(one),
          href: address("/leave", { view: "balances", year: one === thisYear ? "" : one }),
        })),
        current: year,
      }),
      () => may("leave.write") && closed.value && year() < thisYear ? closeOrReopen(year(), closed.value) : null,
    ),
    problem(() => found.problem, () => found.renew()),
    table({
      label: t("Leave accounts"),
      rows: () => found.value?.filter((row) => isGranted(row) || isAny(row, ["taken", "pending"])),
      key: (row) => `${row.employeeId} ${row.leaveTypeId}`,
      columns,
      actions: (row) => (may("leave.write") ? [adjusting(row)] : []),
      empty: empty(t("No leave accounts yet.")),
    }),
  );
}

// Only the last closed year is opened again; the ones before it stay closed.
function closeOrReopen(year, [last]) {
  if (!last || year > last.year) return button(t("Close {year}", { year }), () => closing(year), { icon: "lock" });
  return year === last.year ? button(t("Reopen {year}", { year }), () => reopening(year), { icon: "lock-open" }) : null;
}

function reopening(year) {
  const reason = signal("");
  const key = newKey();
  return dialog({
    title: t("Reopen leave year {year}?", { year }),
    body: (close) =>
      form(
        {
          run: async () => {
            await send("POST", `/hr/leave-years/${year}/reopen`, { reason: reason.value.trim() || null }, { key });
            changed("/hr");
            close();
            notify(t("Leave year {year} reopened.", { year }), { kind: "good" });
          },
          submit: t("Reopen {year}", { year }),
          cancel: () => close(),
          label: t("Reopen leave year {year}?", { year }),
        },
        p(t("What was carried over or has expired is taken back until you close the year again.")),
        div(
          { class: "fields" },
          field({ label: t("Reason"), name: "reason" }, textInput({ value: reason, name: "reason" })),
        ),
      ),
  });
}

const columns = [
  { key: "name", text: t("Name"), place: "name", cell: ({ employeeName }) => employeeName },
  { key: "kind", text: t("Leave type"), place: "meta", cell: ({ name: kind }) => leaveTypeText(kind) },
  { key: "allocated", text: t("Entitlement"), isFigure: true, cell: figure("allocated") },
  { key: "adjusted", text: t("Adjusted"), isFigure: true, isMinor: true, cell: figure("adjusted") },
  { key: "taken", text: t("Taken"), isFigure: true, cell: figure("taken") },
  { key: "pending", text: t("Requested"), isFigure: true, isMinor: true, cell: figure("pending") },
  {
    key: "left",
    text: t("Days left"),
    isFigure: true,
    place: "figure",
    cell: (row) => (isGranted(row) ? daysLeft(row.available) : "–"),
  },
];

const adjusting = (row) => ({
  name: t("Adjust"),
  icon: "pencil",
  run: () =>
    dialog({
      title: t("Adjust {kind} of {name}", { kind: leaveTypeText(row.name), name: row.employeeName }),
      body: (close) => adjustment(row, close),
    }),
});

function adjustment(row, close) {
  const [days, note] = [signal(""), signal("")];
  const key = newKey();
  const run = async () => {
    const { employeeId, leaveTypeId, year } = row;
    const body = { employeeId, leaveTypeId, year, days: days.value || null, note: note.value || null };
    await send("POST", "/hr/leave-adjustments", body, { key });
    changed("/hr");
    close();
    notify(t("{name}’s leave account adjusted.", { name: row.employeeName }), { kind: "good" });
  };
  return form(
    { run, submit: t("Adjust"), cancel: () => close(), label: t("Adjust") },
    p(
      { class: "soft" },
      t("The adjustment stays on record with your name. Correct a mistake with another adjustment."),
    ),
    div(
      { class: "fields" },
      field(
        { label: t.of("leave", "Days"), name: "days", hint: t("Below 0 to reduce the account, for example -2.") },
        numberInput({ value: days, name: "days" }),
      ),
      field({ label: t("Reason"), name: "note" }, textInput({ value: note, name: "note" })),
    ),
  );
}

// What is left goes into the next year as far as its type allows; what that means is shown first.
async function closing(year) {
  const path = `/hr/leave-years/${year}/close`;
  const { rows } = await send("POST", path, { dryRun: true });
  const key = newKey();
  await dialog({
    title: t("Close leave year {year}?", { year }),
    size: "wide",
    body: (close) =>
      form(
        {
          run: async () => {
            await send("POST", path, {}, { key });
            changed("/hr");
            close();
            notify(t("Leave year {year} closed.", { year }), { kind: "good" });
          },
          submit: t("Close {year}", { year }),
          cancel: () => close(),
          label: t("Close leave year {year}?", { year }),
          kind: "danger",
        },
        p(t("After that, only HR can enter leave for {year}. You can reopen the year.", { year })),
        table({
          label: t("Carry-over"),
          rows: () => rows,
          key: (row) => `${row.employeeId} ${row.leaveTypeId}`,
          columns: [
            { key: "name", text: t("Name"), place: "name", cell: ({ employeeName }) => employeeName },
            {
              key: "kind",
              text: t("Leave type"),
              place: "meta",
              cell: ({ leaveTypeName }) => leaveTypeText(leaveTypeName),
            },
            { key: "expired", text: t("Expires"), isFigure: true, cell: figure("expired") },
            {
              key: "carried",
              text: t("Carry over to {year}", { year: year + 1 }),
              isFigure: true,
              place: "figure",
              cell: ({ carried }) => daysLeft(carried),
            },
          ],
          empty: empty(t("No days left to carry over.")),
        }),
      ),
  });
}
