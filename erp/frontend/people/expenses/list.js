// Expense claims: one's own receipts first, then what waits for a decision, and for the books.
import { address, send } from "../../core/api.js";
import { day } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { go, parameter, query } from "../../core/router.js";
import { employeeId, may } from "../../core/session.js";
import { changed, list } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { empty } from "../../ui/empty.js";
import { button } from "../../ui/button.js";
import { searchField } from "../../ui/input.js";
import { table } from "../../ui/table.js";
import { parameterTabs } from "../../ui/tabs.js";
import { cash, CLAIMS, claimState, TOUCHED } from "./claims.js";
import { askLine } from "./line.js";
import { waitingExpenses } from "./outbox.js";

const VIEWS = {
  mine: { isOwn: true },
  approve: { isOwn: false, status: "submitted" },
  post: { status: "approved" },
  all: {},
};

export default () => {
  const views = viewsOf();
  const usual = views[0][0];
  const view = () => query.value.get("view") ?? usual;
  const claims = list(() => address(CLAIMS, { ...VIEWS[view()], q: query.value.get("q"), total: true }));
  const selected = signal(new Set());
  const canAdd = () => Boolean(employeeId());
  return {
    title: () => (view() === "mine" ? t("My receipts") : t("Expense claims")),
    actions: [
      {
        name: t("Add a receipt"),
        key: "n",
        main: true,
        icon: "receipt",
        isShown: canAdd,
        run: () => askLine("receipt"),
      },
      { name: t("Add mileage"), icon: "map-pin", isShown: canAdd, run: () => askLine("mileage") },
      { name: t("Add a per diem"), icon: "calendar-days", isShown: canAdd, run: () => askLine("per_diem") },
      ...["categories", "rates"].map((name) => ({
        name: name === "rates" ? t("Expense rates") : t("Expense categories"),
        icon: "list-tree",
        may: "expenses.post",
        run: () => go(`/settings/expense-${name}`),
      })),
    ],
    body: tags.div(
      { class: "stack" },
      waitingExpenses(),
      parameterTabs({ name: "view", label: t("Views"), options: views }),
      tags.div({ class: "spread" }, searchField({ value: parameter("q"), label: t("Search expense claims") })),
      table({
        label: t("Expense claims"),
        page: "expenses",
        list: claims,
        key: ({ id }) => id,
        href: ({ id }) => `/expenses/${id}`,
        columns,
        selected: may("expenses.decide_reports") || may("expenses.post") ? selected : undefined,
        bulk: [approving(selected), posting(selected)],
        actions: () => [],
        counted: (n, places) => tn("{n} claim", "{n} claims", n, places),
        empty: empty(
          t("No expense claims here."),
          canAdd() && button(t("Add a receipt"), () => askLine("receipt"), { kind: "main" }),
        ),
      }),
    ),
  };
};

const viewsOf = () =>
  [
    employeeId() && ["mine", t("Mine")],
    may("expenses.decide_reports") && ["approve", t("To approve")],
    may("expenses.post") && ["post", t.of("claim", "To post")],
    (!employeeId() || may("expenses.read_reports") || may("expenses.read")) && ["all", t("All")],
  ].filter(Boolean);

const able = (rows, action) => rows.filter(({ can }) => can.includes(action));

const sumsOf = (rows) => rows.map((row) => [`${row.employeeName} · ${row.title}`, cash(row.total)]);

function finish(selected, done) {
  selected.value = new Set();
  changed(...TOUCHED);
  notify(done, { kind: "good" });
}

const approving = (selected) => ({
  name: t.of("request", "Approve"),
  key: "a",
  may: "expenses.decide_reports",
  asks: (rows) => ({
    title: tn("Approve {n} claim?", "Approve {n} claims?", able(rows, "approve").length),
    figures: sumsOf(able(rows, "approve")),
    verb: t.of("request", "Approve"),
  }),
  run: async (rows) => {
    const decisions = able(rows, "approve").map(({ id }) => ({ id, decision: "approve" }));
    await (await import("../../ui/lists/all.js")).inPartsOf(decisions, 200, async (some) => [
      await send("POST", `${CLAIMS}/decide`, { decisions: some }),
    ]);
    finish(selected, t("Approved."));
  },
});

const posting = (selected) => ({
  name: t.of("books", "Post"),
  key: "p",
  may: "expenses.post",
  asks: (rows) => ({
    title: tn("Post {n} claim?", "Post {n} claims?", able(rows, "post").length),
    figures: sumsOf(able(rows, "post")),
    verb: t.of("books", "Post"),
  }),
  run: async (rows) => {
    for (const { id, version } of able(rows, "post")) await send("POST", `${CLAIMS}/${id}/post`, {}, { version });
    finish(selected, t("Posted."));
  },
});

const columns = [
  { key: "title", text: t("Title"), place: "name", cell: ({ title }) => title },
  {
    key: "number",
    text: t.of("document", "Number"),
    place: "meta",
    width: "10rem",
    cell: ({ number }) => number ?? "",
  },
  { key: "who", text: t("Employee"), place: "meta", width: "12rem", cell: ({ employeeName }) => employeeName },
  {
    key: "when",
    text: t("Submitted on"),
    isMinor: true,
    width: "9rem",
    cell: ({ submittedAt }) => (submittedAt ? day(submittedAt.slice(0, 10)) : ""),
  },
  { key: "total", text: t("Total"), isFigure: true, place: "figure", width: "9rem", cell: ({ total }) => cash(total) },
  { key: "state", text: t("Status"), place: "state", width: "9rem", cell: claimState },
];
