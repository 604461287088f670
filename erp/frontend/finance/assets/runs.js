// Depreciation runs: the depreciation of a month, shown before it is posted; the latest can be voided.
import { address, newKey, send } from "../../core/api.js";
import { money, month } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { addMonths, today } from "../../core/parse.js";
import { previewed } from "../../core/preview.js";
import { parametersOf } from "../../core/router.js";
import { currency } from "../../core/session.js";
import { changed, list } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { choice } from "../../ui/choice.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { facts } from "../../ui/facts.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { sortOfAddress, table } from "../../ui/table.js";
import { postedState } from "../documents/states.js";
import { voidAction } from "../payments/void.js";
import { ASSETS, POSTED, RUNS } from "./words.js";

const { a, div, p } = tags;
const MONTHS = 24; // offered, the latest first

export default () => {
  const runs = list(() => address(RUNS, parametersOf(["sort"])));
  return {
    title: t("Depreciation runs"),
    back: { href: "/assets", text: t.of("fixed", "Assets") },
    actions: [{ ...runAction(), main: true, key: "n" }],
    body: div(
      { class: "stack" },
      table({
        label: t("Depreciation runs"),
        page: "depreciation_runs",
        list: runs,
        key: ({ id }) => id,
        columns,
        sort: sortOfAddress(),
        actions: (run) => (run.can.includes("void") ? [takingBack(run)] : []),
        empty: empty(t("No depreciation runs yet.")),
      }),
    ),
  };
};

export const runAction = () => ({
  name: t("Post depreciation"),
  icon: "calendar-check",
  may: "finance.write",
  run: () => dialog({ title: t("Depreciation run"), size: "wide", body: posting }),
});

const amount = (value) => money(value, currency(), { withCurrency: true });

const columns = [
  {
    key: "number",
    text: t.of("document", "Number"),
    place: "meta",
    width: "11rem",
    cell: (run) => a({ href: `/journals/${run.journalEntryId}` }, run.number),
  },
  { key: "month", text: t("Month"), place: "name", cell: ({ date }) => month(date), sort: "date" },
  {
    key: "assets",
    text: t.of("fixed", "Assets"),
    isMinor: true,
    cell: ({ lines }) => tn("{n} asset", "{n} assets", lines.length),
  },
  { key: "state", text: t("Status"), place: "state", width: "8rem", cell: postedState },
  {
    key: "total",
    text: t("Depreciation"),
    isFigure: true,
    place: "figure",
    width: "10rem",
    cell: ({ total }) => money(total, currency()),
  },
];

const takingBack = (run) => {
  const action = voidAction(RUNS, run, {
    text: t("Its entry is reversed on its own day. Then the month can be posted again."),
    figures: [[t("Month"), month(run.date)], [t("Depreciation"), amount(run.total)]],
  });
  return {
    ...action,
    run: async () => {
      await action.run();
      changed(ASSETS, ...POSTED);
    },
  };
};

// At first the last month that is over.
function posting(close) {
  const chosen = signal(addMonths(`${today().slice(0, 7)}-01`, -1).slice(0, 7));
  const problem = signal(null);
  const key = newKey();
  const preview = previewed(RUNS, () => {
    problem.value = null;
    return { month: chosen.value, dryRun: true };
  }, (refusal) => {
    preview.value = null;
    problem.value = refusal.reason;
  });
  const run = async () => {
    const made = await send("POST", RUNS, { month: chosen.value }, { key });
    changed(RUNS, ASSETS, ...POSTED);
    close();
    notify(t("{number} posted.", { number: made.number }), { kind: "good" });
  };
  return form(
    { run, submit: t("Post"), cancel: () => close(), label: t("Depreciation run") },
    div(
      { class: "fields" },
      field(
        { label: t("Month"), name: "month", hint: t("What earlier months lack is posted with it.") },
        choice({ value: chosen, name: "month", options: lastMonths() }),
      ),
    ),
    () => problem.value && p({ class: "soft", role: "status" }, problem.value),
    () => preview.value && shown(preview.value),
  );
}

const lastMonths = () =>
  Array.from({ length: MONTHS }, (_, back) => addMonths(`${today().slice(0, 7)}-01`, -back).slice(0, 7))
    .map((value) => ({ value, text: month(value) }));

const shown = ({ lines, total }) =>
  div(
    { class: "stack" },
    table({
      label: t("Depreciation"),
      rows: () => lines,
      key: ({ assetId }) => assetId,
      columns: [
        {
          key: "number",
          text: t.of("document", "Number"),
          place: "meta",
          width: "8rem",
          cell: (one) => one.assetNumber,
        },
        { key: "name", text: t("Asset"), place: "name", cell: ({ assetName }) => assetName },
        { key: "account", text: t("Account"), isMinor: true, width: "8rem", cell: ({ accountCode }) => accountCode },
        {
          key: "amount",
          text: t("Depreciation"),
          isFigure: true,
          place: "figure",
          width: "9rem",
          cell: (one) => money(one.amount, currency()),
        },
      ],
    }),
    facts([[t("Total"), amount(total)]]),
  );
