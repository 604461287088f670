// What an hour of one person costs, from which day, as a card of their page; for readers of costs alone.
import { newKey, send } from "../../core/api.js";
import { day, money, percent } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { today } from "../../core/parse.js";
import { currency, may } from "../../core/session.js";
import { changed, list } from "../../core/store.js";
import { button } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { editable } from "../../ui/fields.js";
import { form } from "../../ui/form.js";
import { table } from "../../ui/table.js";

const pathOf = (employeeId) => `/hr/employees/${employeeId}/cost-rates`;
const renew = () => changed("/hr/", "/tasks/time-logs", "/finance/reports");

export const costRatesOf = (employeeId) =>
  card(
    {
      title: t("Cost rates"),
      actions: may("payroll.write")
        ? [button(t("Add cost rate"), () => addRate(employeeId), { icon: "plus", isSmall: true })]
        : [],
    },
    table({
      label: t("Cost rates"),
      list: list(() => pathOf(employeeId)),
      key: ({ id }) => id,
      columns: [
        { key: "from", text: t("Valid from"), place: "name", cell: ({ from }) => day(from) },
        { key: "method", text: t("Origin"), place: "meta", cell: originOf },
        { key: "cost", text: t("An hour"), place: "figure", isFigure: true, cell: costOf },
      ],
      actions: (rate) => (may("payroll.write") ? [removal(employeeId, rate)] : []),
      empty: empty(t("No cost rates, so their time costs nothing.")),
    }),
  );

const originOf = ({ method, employerPercent }) => {
  if (method === "given") return t("given");
  return employerPercent === null ? t("from pay") : t("from pay + {percent}", { percent: percent(employerPercent) });
};

// The cost of today's pay and schedule; of a rate that is over or to come, the last or the first one.
const costOf = ({ costs }) => {
  const now = today();
  const present = costs.find(({ from, to }) => from <= now && (to === null || now <= to));
  const shown = present ?? (costs[0]?.from > now ? costs[0] : costs.at(-1));
  return shown ? money(shown.costRate, currency()) : "–";
};

const fields = () => [
  { name: "from", label: t("Valid from"), kind: "day" },
  {
    name: "method",
    label: t("Origin"),
    kind: "choice",
    start: "from_pay",
    options: [{ value: "from_pay", text: t("from pay") }, { value: "given", text: t("given") }],
  },
  {
    name: "hourlyCost",
    label: t("Cost of an hour"),
    kind: "money",
    currency,
    isShown: ({ method }) => method.value === "given",
  },
  {
    name: "employerPercent",
    label: t("Employer’s share in %"),
    kind: "number",
    isOptional: true,
    hint: t("Default: the contributions of the last approved payslip."),
    isShown: ({ method }) => method.value === "from_pay",
  },
];

const addRate = (employeeId) =>
  dialog({
    title: t("Add cost rate"),
    body: (close) => {
      const all = editable(fields(), null);
      const key = newKey();
      const run = async () => {
        await send("POST", pathOf(employeeId), all.body(), { key });
        renew();
        close();
        notify(t("Saved."), { kind: "good" });
      };
      return form({ run, submit: t("Add"), cancel: () => close(), label: t("Cost rate") }, all.controls);
    },
  });

const removal = (employeeId, { id, from }) => ({
  name: t("Delete"),
  icon: "trash-2",
  danger: true,
  asks: {
    title: t("Delete the cost rate from {day}?", { day: day(from) }),
    text: t("The one before it holds on. Approved time keeps its cost."),
    verb: t("Delete"),
    danger: true,
  },
  run: async () => {
    await send("DELETE", `${pathOf(employeeId)}/${id}`);
    renew();
  },
});
