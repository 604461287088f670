// Tables: the rows in view and a few around are drawn, keys go through them, and on a phone a row has two lines.
import { number } from "../core/format.js";
import { t, tn } from "../core/i18n.js";
import { openedFrom } from "../core/neighbours.js";
import { query, setQuery } from "../core/router.js";
import { computed, each, effect, signal, tags, untracked } from "../core/view.js";
import { perform, possible } from "./actions.js";
import { problem } from "./alert.js";
import { button, iconButton } from "./button.js";
import { icon } from "./icon.js";
import { columnsButton, columnsOf, exporting, register } from "./listed.js";
import { actionsOf, chooseRow, edit, focusRow, showMenu } from "./row_actions.js";
import { rowHeights } from "./row_heights.js";
import { bindKeys, follow, onKey } from "./row_keys.js";
import { bounds, FEW, watch } from "./rows_in_view.js";
import { skeleton } from "./skeleton.js";

const MARKED = 2000; // ms
const { tbody, td, tfoot, th, thead, tr } = tags;

export function table(about) {
  const state = stateOf(about);
  const element = tags.div(
    { class: "table-box" },
    problem(() => about.list?.problem, () => about.list.renew()),
    about.selected && about.bulk ? () => bulkBar(state) : null,
    about.list ? () => newcomers(about.list) : null,
    () => content(state),
  );
  state.box = element;
  if (about.page) register(state);
  watch(state);
  effect(() => state.isThere.value && !state.isEmpty.value && untracked(() => bindKeys(state)));
  return Object.assign(element, {
    edit: (key) => edit(state, key),
    closeEditor: () => edit(state, null),
    focusRow: (key) => focusRow(state, key),
  });
}

// Sorted by what the address says; without it a list is in the order `start`.
export const sortOfAddress = (start = null) => ({
  value: () => query.value.get("sort") ?? start,
  choose: (sort) => setQuery({ sort }),
});

const withoutHeld = ({ items, held }) => (held.size && items ? items.filter(({ id }) => !held.has(id)) : items);

// All that a list has on the server, but for what is not shown of it; null if it does not say.
const totalOf = ({ total, items }, shown) => (total === null ? null : total - (items.length - shown));

// What others have added does not move what one is looking at.
function newcomers(list) {
  const count = list.held.size;
  return count
    ? tags.div(
      { class: "newcomers" },
      button(tn("{n} new", "{n} new", count), list.show, { icon: "arrow-up", isSmall: true }),
    )
    : null;
}

function stateOf(about) {
  const all = computed(() => (about.list ? withoutHeld(about.list) : about.rows()));
  const rows = computed(() => (about.isHidden ? all.value?.filter((row) => !about.isHidden(row)) : all.value));
  const order = computed(() => new Map((rows.value ?? []).map((row, index) => [about.key(row), index])));
  const state = {
    ...about,
    rows,
    order,
    range: signal([0, FEW]),
    heights: rowHeights(order),
    current: signal(null),
    editing: signal(null),
  };
  state.isEmpty = computed(() => rows.value?.length === 0);
  state.isThere = computed(() => Boolean(rows.value));
  state.hasMore = () => Boolean(about.list?.hasMore);
  state.total = computed(() => (state.hasMore() ? totalOf(about.list, rows.value.length) : rows.value?.length ?? 0));
  state.readOn = () => about.list.more();
  state.hasMenus = Boolean(about.actions || about.editor);
  state.all = about.columns;
  state.columns = columnsOf(about);
  state.choosing = about.page && columnsButton(state);
  state.drawn = computed(() => drawn(state));
  return state;
}

function content(state) {
  if (!state.isThere.value) return state.list?.problem ? null : skeleton({ rows: 8 });
  if (state.isEmpty.value) return state.empty ?? null;
  const columns = state.columns.value;
  return untracked(() => grid(state, columns));
}

const widthOf = ({ columns, selected, hasMenus }) => columns.peek().length + (selected ? 1 : 0) + (hasMenus ? 1 : 0);

// The range in view, with the row that is edited, and that row's editor after it.
function drawn(state) {
  const rows = state.rows.value ?? [];
  const [from, to] = bounds(state, rows.length);
  const open = state.editing.value;
  return rows.slice(from, to).flatMap((row) => {
    const key = state.key(row);
    return key === open ? [{ id: key, row }, { id: `${key} editor`, row, isEditor: true }] : [{ id: key, row }];
  });
}

function grid(state, columns) {
  const space = (size) =>
    tr(
      { class: "space", role: "presentation", hidden: () => size() <= 0 },
      td({ colspan: widthOf(state), style: () => ({ height: `${size()}px` }) }),
    );
  const [before, after] = [
    () => state.heights.between(0, bounds(state, state.rows.value.length)[0]),
    () => state.heights.between(bounds(state, state.rows.value.length)[1], state.rows.value.length),
  ];
  const body = tbody(
    { role: "rowgroup" },
    space(before),
    each(
      () => state.drawn.value,
      ({ id }) => id,
      (get) => (get.peek().isEditor ? editorRow(state, get) : oneRow(state, get)),
      (id) => !state.order.peek().has(id),
    ),
    space(after),
  );
  state.body = body;
  return tags.table(
    {
      class: [
        "table",
        (state.href || state.open) && "has-links",
        state.hasMenus && "has-menus",
        state.selected && "has-checks",
        columns.some(({ isExtra }) => isExtra) && "is-wide",
      ].filter(Boolean).join(" "),
      role: "table",
      "aria-label": state.label,
      "aria-rowcount": () => String(state.total.value === null ? -1 : state.total.value + 1),
      onfocusin: (event) => follow(state, event),
      onkeydown: (event) => onKey(state, event),
    },
    head(state, columns),
    body,
    sums(state, columns),
  );
}

// The head: sorting, choosing all that are loaded, and choosing the columns.
function head(state, columns) {
  const all = state.selected && th({ class: "is-check", scope: "col", role: "columnheader" }, checkAll(state));
  const end = state.hasMenus
    ? th(
      { class: "is-menu", scope: "col", role: "columnheader" },
      tags.span({ class: "visually-hidden" }, t("Actions")),
      state.choosing,
    )
    : null;
  const headings = columns.map((column) => heading(state, column));
  if (!end && state.choosing) headings.at(-1).append(state.choosing);
  return thead(
    { role: "rowgroup" },
    tr({ role: "row", "aria-rowindex": "1" }, all, headings, end),
  );
}

function heading(state, column) {
  const direction =
    () => (state.sort?.value() === column.sort
      ? "ascending"
      : state.sort?.value() === `-${column.sort}`
      ? "descending"
      : null);
  const canSort = state.sort && column.sort;
  const choose = () => state.sort.choose(direction() === "ascending" ? `-${column.sort}` : column.sort);
  const arrow = () => (direction() ? icon(direction() === "ascending" ? "arrow-up" : "arrow-down") : null);
  const content = canSort
    ? tags.button({ type: "button", class: "sort", onclick: choose }, tags.span(column.text), arrow)
    : column.text;
  return th(
    {
      scope: "col",
      role: "columnheader",
      class: classOf(column),
      ...sizeOf(column, column.width ? { width: column.width } : {}),
      "aria-sort": canSort ? direction : null,
    },
    content,
    state.page && edge(state, column),
  );
}

// The edge of a column, which the mouse draws; keys do in the menu of the columns.
const edge = (state, { key }) =>
  tags.span({
    class: "column-edge",
    "aria-hidden": "true",
    onpointerdown: async (event) => {
      if (event.pointerType === "mouse") (await import("./lists/columns.js")).drawEdge(state, key, event);
    },
  });

const sizeOf = ({ pixels }, usual = {}) =>
  pixels ? { "data-sized": "", style: { "--column": `${pixels}px` } } : { style: usual };

const classOf = (column) =>
  [
    isFigure(column) && "is-figure",
    (column.place || column.isExtra) && `at-${column.place ?? "meta"}`,
    column.isMinor && "is-minor",
    column.isLong && "is-long",
  ].filter(Boolean)
    .join(" ");
const isFigure = (column) => column.isFigure ?? column.place === "figure";

function checkAll(state) {
  const keys = () => [...state.order.value.keys()];
  const chosen = () => state.selected.value.size;
  const choose = (event) => void (state.selected.value = new Set(event.target.checked ? keys() : []));
  return tags.input({
    type: "checkbox",
    "aria-label": t("Select all"),
    checked: () => chosen() > 0 && chosen() >= keys().length,
    indeterminate: () => chosen() > 0 && chosen() < keys().length,
    onchange: choose,
  });
}

function oneRow(state, get) {
  const { id } = get.peek();
  const row = computed(() => get.value.row);
  const index = () => state.order.value.get(id) ?? 0;
  const isChosen = () => Boolean(state.selected?.value.has(id));
  const cells = state.columns.peek().map((column, at) => cell(state, column, row, at === 0));
  const look = () =>
    ["row-line", state.isStrong?.(row.value) && "is-strong", state.current.value === id && "is-current"].filter(Boolean)
      .join(" ");
  const element = tr(
    {
      role: "row",
      class: look,
      "data-row": id,
      "aria-rowindex": () => String(index() + 2),
      "aria-selected": () => (state.selected ? String(isChosen()) : null),
      onclick: (event) => clicked(state, event, row.peek()),
    },
    state.selected && td({ class: "is-check", role: "cell" }, checkOne(state, id, isChosen)),
    cells,
    state.hasMenus ? td({ class: "is-menu", role: "cell" }, rowTools(state, row)) : null,
  );
  markChanges(element, row);
  return element;
}

// What has changed while it is shown is marked for a while.
function markChanges(element, row) {
  let before = row.peek();
  effect(() => {
    const [now, then] = [row.value, before];
    before = now;
    if (now === then || JSON.stringify(now) === JSON.stringify(then)) return undefined;
    element.toggleAttribute("data-changed", true);
    const timer = setTimeout(() => element.toggleAttribute("data-changed", false), MARKED);
    return () => clearTimeout(timer);
  });
}

function cell(state, column, row, isFirst) {
  const content = () => column.cell(row.value);
  const depth = isFirst && state.indent && !column.pixels
    ? { style: () => ({ "padding-inline-start": `${0.75 + 1.25 * (state.indent(row.value) ?? 0)}rem` }) }
    : sizeOf(column);
  const named = column.isExtra ? { "data-label": column.text } : {};
  return td(
    { role: "cell", class: classOf(column), ...named, ...depth },
    isFirst ? opener(state, row, content) : content,
  );
}

function opener(state, row, content) {
  const about = { class: "row-link", "data-opens": "" };
  if (state.href) {
    const href = computed(() => state.href(row.value));
    return () => (href.value
      ? tags.a({ ...about, href: href.value, onclick: () => state.list && openedFrom(state.list) }, content)
      : tags.span({ ...about, tabindex: "-1" }, content));
  }
  if (state.open) return tags.button({ ...about, type: "button", onclick: () => state.open(row.peek()) }, content);
  return tags.span({ ...about, tabindex: "-1" }, content);
}

function checkOne(state, id, isChosen) {
  const choose = (event) => chooseRow(state, id, event.shiftKey);
  return tags.input({
    type: "checkbox",
    "aria-label": t("Select"),
    tabindex: "-1",
    checked: isChosen,
    onclick: choose,
  });
}

// The whole row opens, unless something in it was pressed or text is being selected.
function clicked(state, event, row) {
  if (event.shiftKey && state.selected && !event.target.closest("a, button, input, label, select")) {
    getSelection().removeAllRanges(); // of the text in between
    return void chooseRow(state, state.key(row), true);
  }
  if (event.target.closest("a, button, input, label, select") || String(getSelection())) return;
  if (event.target.closest(".is-check")) return void chooseRow(state, state.key(row), event.shiftKey);
  const link = event.currentTarget.querySelector("[data-opens]");
  if (event.ctrlKey || event.metaKey) return void (link.href && globalThis.open(link.href));
  link.click();
}

// The button stays when the row changes, and with it a menu that is open beside it. Its dots are text: an icon in each
// row took half of the time in which a long list scrolls.
function rowTools(state, row) {
  const hasActions = computed(() => actionsOf(state, row.value).length > 0);
  const open = (event) => showMenu(state, event.currentTarget, row.peek());
  return () => (hasActions.value
    ? iconButton(tags.span({ class: "dots" }), t("Actions"), open, { isSmall: true, tabindex: "-1" })
    : null);
}

function editorRow(state, get) {
  const { row: one } = get.peek();
  return tr(
    { class: "editor-row", role: "row" },
    td({ colspan: widthOf(state), role: "cell" }, state.editor.make(one, () => edit(state, null))),
  );
}

function sums(state, columns) {
  if (!state.counted && !columns.some(({ sum }) => sum)) return null;
  const words = td(
    { colspan: state.selected ? 2 : 1, role: "cell", class: "sum-text" },
    () => state.counted?.(...countOf(state)),
  );
  const others = columns.slice(1).map((column) => td({ class: classOf(column), role: "cell" }, column.sum ?? null));
  const end = state.hasMenus ? td({ class: "is-menu", role: "cell" }) : null;
  return tfoot({ role: "rowgroup" }, tr({ role: "row" }, words, others, end));
}

// How many rows there are; of a list that is read in part and does not say how long it is, as many as are read, and more.
function countOf({ total, rows }) {
  const read = rows.value.length;
  return total.value === null ? [read, { n: `${number(read)}+` }] : [total.value];
}

// What can be done with the rows that are chosen: `selected` holds their keys, also of rows that have gone since.
export function bulkBar(state) {
  const chosen = (state.rows.value ?? []).filter((one) => state.selected.value.has(state.key(one)));
  if (!chosen.length) return null;
  return tags.div(
    { class: "bulk-bar", role: "region", "aria-label": t("Selected rows") },
    tags.strong({ role: "status" }, tn("{n} selected", "{n} selected", chosen.length), state.sumOf?.(chosen)),
    allThatMatch(state, chosen.length),
    [...possible(state.bulk), ...possible(state.page && [exporting(state)])].filter(({ fits }) => !fits || fits(chosen))
      .map((action) =>
        button(action.name, () => perform(action, chosen), {
          kind: action.danger ? "danger" : null,
          isSmall: true,
          icon: action.icon,
        })
      ),
    iconButton("x", t("Select none"), () => void (state.selected.value = new Set()), { isSmall: true }),
  );
}

// Of a list that is read in part, once all that is read is chosen.
function allThatMatch(state, count) {
  if (!state.hasMore?.() || count < state.rows.value.length) return null;
  const total = state.total.value;
  return button(
    total === null ? t("All that match") : tn("All {n} that match", "All {n} that match", total),
    async () => (await import("./lists/all.js")).chooseAll(state),
    { isSmall: true, kind: "plain" },
  );
}
