// One budget: its lines, each with the amount of the year or of every month.
import { send } from "../../core/api.js";
import { draft } from "../../core/drafts.js";
import { money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { listScreen } from "../../core/neighbours.js";
import { notify } from "../../core/notices.js";
import { go } from "../../core/router.js";
import { may } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { batch, signal, tags, untracked } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { change } from "../../ui/changing.js";
import { combobox } from "../../ui/combobox.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { atShownLines, lineGrid, lineList } from "../../ui/lines.js";
import { moneyInput } from "../../ui/number.js";
import { loaded } from "../../ui/skeleton.js";
import { postable } from "../../ui/accounts.js";
import { projectBox } from "../../ui/projects.js";
import { BUDGETS, comparedWith, copyOf } from "./list.js";

const { div, p } = tags;
const MONTHS = Array.from({ length: 12 }, (_, at) => `months[${at}]`);
const blank = () => ({
  accountId: "",
  projectId: "",
  year: "",
  ...Object.fromEntries(MONTHS.map((name) => [name, ""])),
});

export default ({ params }) => {
  const path = `${BUDGETS}/${params.id}`;
  const budget = resource(path);
  const get = () => budget.value;
  let editor = null;
  return {
    title: () => get()?.name ?? "",
    state: () => get() && String(get().year),
    back: { href: listScreen(BUDGETS, "/budgets"), text: t("Budgets") },
    actions: () => (get() ? actionsOn(get(), path, () => editor) : []),
    body: loaded(budget, () => {
      editor = untracked(() => editing(get(), path));
      return div({ class: "stack" }, editor);
    }),
  };
};

const actionsOn = (now, path, editor) => [
  {
    name: t("Save"),
    key: "Control+Enter",
    main: true,
    may: "finance.write",
    run: () => editor().send(),
  },
  { name: t("Compare"), icon: "chart-column", run: () => go(comparedWith(now)) },
  { ...copyOf(now), may: "finance.write" },
  {
    name: t("Delete"),
    icon: "trash-2",
    danger: true,
    may: "finance.write",
    asks: {
      title: t("Delete {name}?", now),
      text: t("The books do not change."),
      verb: t("Delete"),
      danger: true,
    },
    run: async () => {
      await send("DELETE", path, undefined, { version: now.version });
      changed(BUDGETS);
      go("/budgets");
    },
  },
];

// A year that is spread evenly is shown as one amount, all others by their months.
const lineOf = (line) => ({
  accountId: line.accountId,
  projectId: line.projectId ?? "",
  year: line.isEven ? line.year : "",
  ...Object.fromEntries(MONTHS.map((name, at) => [name, line.isEven ? "" : line.months[at]])),
  total: line.year,
});

const rowsOf = ({ lines }) => (lines.length ? lines.map(lineOf) : [blank()]);

function bodyOf(name, lines) {
  const sent = lines.values().map((line) => {
    const months = MONTHS.map((month) => line[month]);
    const isByMonth = months.some((amount) => amount !== "");
    return {
      accountId: line.accountId,
      ...(line.projectId ? { projectId: line.projectId } : {}),
      ...(line.year === "" ? {} : { year: line.year }),
      ...(isByMonth ? { months: months.map((amount) => (amount === "" ? "0" : amount)) } : {}),
    };
  });
  return { name: name.value, lines: sent };
}

function editing(budget, path) {
  const name = signal(budget.name);
  const lines = lineList({ blank, rows: rowsOf(budget) });
  let held = budget;
  const kept = draft("budget", budget.id, {
    read: () => ({ name: name.value, lines: lines.values() }),
    write: (before) =>
      batch(() => {
        name.value = before.name;
        lines.load(before.lines.length ? before.lines : [blank()]);
      }),
  });
  const accounts = postable();
  const run = async (element) => {
    const saved = await change(element, path, held, bodyOf(name, lines)).catch(atShownLines(lines));
    if (!saved) return;
    held = saved;
    name.value = saved.name;
    lines.load(rowsOf(saved));
    kept.clear();
    changed(BUDGETS, path);
    notify(t("{name} saved.", { name: saved.name }), { kind: "good" });
  };
  return form(
    { run, label: t("Budget"), draft: kept },
    card(
      {},
      field({ label: t("Name"), name: "name" }, textInput({ value: name, name: "name" })),
      p({ class: "soft" }, t("Without months, the amount of the year is spread evenly.")),
      lineGrid({
        label: t.of("journal", "Lines"),
        name: "lines",
        lines,
        columns: columnsOf(accounts),
        detail: detailOf,
        canAdd: may("finance.write"),
      }),
    ),
  );
}

const columnsOf = (accounts) => [
  {
    key: "accountId",
    text: t("Account"),
    width: "minmax(12rem, 2fr)",
    control: ({ value, name, label }) =>
      combobox({ value, name, label, options: accounts.options, shown: accounts.name }),
  },
  {
    key: "year",
    text: t("Amount of the year"),
    isFigure: true,
    width: "10rem",
    control: ({ value, name, label }) => moneyInput({ value, name, label }),
  },
  {
    key: "total",
    text: t("Saved"),
    isFigure: true,
    width: "9rem",
    show: ({ plain }) => (plain.total ? money(plain.total) : ""),
  },
  {
    key: "months",
    text: t("Months"),
    width: "7rem",
    show: ({ isOpen }) =>
      button(t("Months"), () => void (isOpen.value = !isOpen.peek()), {
        kind: "plain",
        isSmall: true,
        "aria-expanded": () => String(isOpen.value),
      }),
  },
];

function detailOf(line) {
  const name = (one) => `lines[${line.index()}].${one}`;
  return div(
    { class: "fields" },
    field(
      { label: t("Project"), name: name("projectId"), isOptional: true },
      projectBox(line.cells.projectId, name("projectId")),
    ),
    MONTHS.map((month, at) =>
      field(
        { label: t("Month {n}", { n: at + 1 }), name: name(month) },
        moneyInput({ value: line.cells[month], name: name(month) }),
      )
    ),
  );
}
