// Time entries by their filters, with the sum of all: what a figure of Home is made of.
import { address } from "../../core/api.js";
import { dayShort, duration, money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { parametersOf } from "../../core/router.js";
import { currency, may } from "../../core/session.js";
import { list, resource } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { empty } from "../../ui/empty.js";
import { filterChips, periodChips } from "../../ui/filters.js";
import { sortOfAddress, table } from "../../ui/table.js";
import { projectChip } from "../names.js";

const LOGS = "/tasks/time-logs";
const FILTERS = ["userId", "project", "dateFrom", "dateTo", "isBillable", "isInvoiced"];

export default () => {
  const filter = () => {
    const { project, ...more } = parametersOf(FILTERS);
    return { ...more, projectId: project };
  };
  const logs = list(() => address(LOGS, { ...filter(), ...parametersOf(["sort"]) }));
  const groups = resource(() => address(LOGS, { ...filter(), groupBy: "user" }));
  const minutes = () => (groups.value ?? []).reduce((sum, one) => sum + one.minutes, 0);
  return {
    title: t("Time entries"),
    back: { href: "/time", text: t("Time") },
    state: () => tags.span({ class: "soft" }, duration(minutes())),
    body: tags.div(
      { class: "stack" },
      filterChips([
        ...periodChips(),
        projectChip(),
        yesOrNo("isBillable", t("Billable")),
        yesOrNo("isInvoiced", t("Invoiced")),
      ]),
      table({
        label: t("Time entries"),
        page: "/time/entries",
        list: logs,
        key: ({ id }) => id,
        href: ({ taskKey }) => `/tasks/${taskKey}`,
        columns: columns(),
        sort: sortOfAddress(),
        counted: (n, places) => tn("{n} entry", "{n} entries", n, places),
        empty: empty(t("No time entries.")),
      }),
    ),
  };
};

const yesOrNo = (key, text) => ({
  key,
  text,
  options: [{ value: "true", text: t("Yes") }, { value: "false", text: t("No") }],
});

const columns = () =>
  [
    { key: "date", text: t("Date"), place: "meta", width: "7rem", cell: ({ date }) => dayShort(date), sort: "date" },
    { key: "task", text: t("Task"), place: "name", cell: ({ taskKey, taskTitle }) => `${taskKey} ${taskTitle}` },
    { key: "who", text: t("Who"), isMinor: true, width: "12rem", cell: ({ userName }) => userName ?? "" },
    {
      key: "minutes",
      text: t("Time"),
      isFigure: true,
      place: "figure",
      width: "6rem",
      cell: (log) => duration(log.minutes),
    },
    may("money.read") &&
    {
      key: "amount",
      text: t("Amount"),
      isFigure: true,
      isMinor: true,
      width: "8rem",
      cell: ({ amount }) => money(amount, currency(), { dash: true }),
    },
  ].filter(Boolean);
