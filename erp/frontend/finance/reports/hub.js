// All reports, each with a sentence and the figure of its last period.
import { address, get } from "../../core/api.js";
import { money, number } from "../../core/format.js";
import { language, t } from "../../core/i18n.js";
import { list } from "../../core/store.js";
import { effect, onDrop, signal, tags, untracked } from "../../core/view.js";
import { card } from "../../ui/card.js";
import { periodOf } from "./period.js";
import { offered, pathOf, REPORTS, viewsOf } from "./reports.js";

const { a, div, li, p, span, ul } = tags;
const FURTHER = [
  {
    href: "/budgets",
    text: () => t("Budgets"),
    about: () => t("Plan income and expenses, and compare them with the books."),
  },
  {
    href: "/report-proof",
    text: () => t("Verify a report"),
    about: () => t("Check whether a printed report still agrees with the books."),
  },
];

export default () => {
  const shown = offered().map((name) => ({ name, found: signal(null) }));
  const views = list("/workspace/views?limit=200");
  effect(() => views.hasMore && untracked(() => void views.more()));
  let isLeft = false;
  onDrop(() => void (isLeft = true));
  fill(shown, () => isLeft);
  return {
    title: t("Reports"),
    body: div(
      { class: "hub" },
      shown.map(({ name, found }) =>
        entry(
          `/reports/${name}`,
          REPORTS[name].text(),
          REPORTS[name].about(),
          () => found.value && figure(found.value),
          () => saved(name, views.items?.filter(({ page }) => page === viewsOf(name)) ?? []),
        )
      ),
      FURTHER.map(({ href, text, about }) => entry(href, text(), about())),
    ),
  };
};

const entry = (href, title, about, ...more) => card({ title, href }, p({ class: "soft" }, about), more);

const saved = (name, views) =>
  views.length > 0 &&
  ul(
    { class: "plain-list", "aria-label": t("Views of {report}", { report: REPORTS[name].text() }) },
    views.map((view) => li(a({ href: address(`/reports/${name}`, { saved: view.id }) }, view.name))),
  );

const figure = ({ period, label, value }) =>
  div(
    { class: "hub-figure" },
    span({ class: "soft small" }, [period, label].filter(Boolean).join(" · ")),
    span({ class: "figure-value" }, value),
  );

// One after another: each is some work for the server.
async function fill(shown, isLeft) {
  for (const { name, found } of shown.filter((one) => REPORTS[one.name].figure)) {
    if (isLeft()) return;
    found.value = await read(name).catch(() => null); // without it, the report says why
  }
}

async function read(name) {
  const { asks = {}, figureAsks = asks, days = () => ({}), figure } = REPORTS[name];
  const [rowKey, column, isByColumn = rowKey === "total"] = figure;
  const answer = await get(address(pathOf(name), { ...days(), ...figureAsks, language: language().slice(0, 2) }));
  const tree = answer.tree ?? answer;
  if ("total" in tree) return { period: periodOf(tree), label: t("Journal lines"), value: number(`${tree.total}`) };
  if (!rowKey) {
    const missing = tree.rows.reduce((sum, { cells }) => sum + Number(cells[column]?.value ?? 0), 0);
    return { period: periodOf(tree), label: t("Missing"), value: number(String(missing)) };
  }
  const row = tree.rows.find((one) => one.key === rowKey && one.cells[column]);
  return row && {
    period: periodOf(tree),
    label: isByColumn ? tree.columns.find(({ key }) => key === column).label : row.label,
    value: money(row.cells[column].value, tree.currency, { dash: true }),
  };
}
