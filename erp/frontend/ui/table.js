// Tables: the rows in view and a few around are drawn, keys go through them, and on a phone a row has two lines.
import { t, tn } from "../core/i18n.js";
import { bind } from "../core/keys.js";
import { computed, each, effect, listen, signal, tags, untracked } from "../core/view.js";
import { perform, possible } from "./actions.js";
import { problem } from "./alert.js";
import { button, iconButton } from "./button.js";
import { icon } from "./icon.js";
import { openMenu } from "./menu.js";
import { skeleton } from "./skeleton.js";

const AROUND = 20;
const FEW = 60; // all of them are drawn
const MARKED = 2000; // ms
const { tbody, td, tfoot, th, thead, tr } = tags;

export function table(about) {
  const state = stateOf(about);
  const element = tags.div(
    { class: "table-box" },
    problem(() => about.list?.problem, () => about.list.renew()),
    about.selected && about.bulk ? () => bulkBar(state) : null,
    () => content(state),
  );
  state.box = element;
  watch(state);
  passFocusOn(state);
  effect(() => state.isThere.value && !state.isEmpty.value && untracked(() => bindKeys(state)));
  return Object.assign(element, { edit: (key) => edit(state, key), closeEditor: () => edit(state, null), focusRow: (key) => focusRow(state, key) });
}

function stateOf(about) {
  const rows = computed(() => (about.list ? about.list.items : about.rows()));
  const order = computed(() => new Map((rows.value ?? []).map((row, index) => [about.key(row), index])));
  const state = { ...about, rows, order, range: signal([0, FEW]), height: signal(36), current: signal(null), editing: signal(null) };
  state.isEmpty = computed(() => rows.value?.length === 0);
  state.isThere = computed(() => Boolean(rows.value));
  state.total = computed(() => (about.list ? about.list.total : about.total?.()) ?? rows.value?.length ?? 0);
  state.hasMore = () => Boolean(about.list ? about.list.hasMore : about.hasMore?.());
  state.readOn = () => (about.list ? about.list.more() : about.more?.());
  state.width = about.columns.length + (about.selected ? 1 : 0) + (about.actions || about.editor ? 1 : 0);
  state.drawn = computed(() => drawn(state));
  return state;
}

function content(state) {
  if (!state.isThere.value) return state.list?.problem ? null : skeleton({ rows: 8 });
  if (state.isEmpty.value) return state.empty ?? null;
  return untracked(() => grid(state));
}

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

function bounds(state, length) {
  if (length <= FEW) return [0, length];
  const [from, to] = state.range.value;
  const at = state.order.value.get(state.editing.value) ?? from;
  return [Math.max(0, Math.min(from, at)), Math.min(length, Math.max(to, at + 1))];
}

function grid(state) {
  const space = (size) => tr({ class: "space", role: "presentation", hidden: () => size() <= 0 }, td({ colspan: state.width, style: () => ({ height: `${size()}px` }) }));
  const [before, after] = [() => bounds(state, state.rows.value.length)[0] * state.height.value, () => rest(state) * state.height.value];
  const body = tbody({ role: "rowgroup" }, space(before), each(() => state.drawn.value, ({ id }) => id, (get) => (get.peek().isEditor ? editorRow(state, get) : oneRow(state, get))), space(after));
  state.body = body;
  return tags.table(
    { class: "table", role: "table", "aria-label": state.label, "aria-rowcount": () => String((state.hasMore() ? -1 : state.total.value + 1)), onfocusin: (event) => follow(state, event), onkeydown: (event) => onKey(state, event) },
    head(state),
    body,
    sums(state),
  );
}

const rest = (state) => state.rows.value.length - bounds(state, state.rows.value.length)[1];

// The head: sorting, and choosing all that are loaded.
function head(state) {
  const all = state.selected && th({ class: "is-check", scope: "col", role: "columnheader" }, checkAll(state));
  const end = state.width > state.columns.length + (state.selected ? 1 : 0) ? th({ class: "is-menu", scope: "col", role: "columnheader" }, tags.span({ class: "visually-hidden" }, t("Actions"))) : null;
  return thead({ role: "rowgroup" }, tr({ role: "row", "aria-rowindex": "1" }, all, state.columns.map((column) => heading(state, column)), end));
}

function heading(state, column) {
  const direction = () => (state.sort?.value() === column.sort ? "ascending" : state.sort?.value() === `-${column.sort}` ? "descending" : null);
  const canSort = state.sort && column.sort;
  const choose = () => state.sort.choose(direction() === "ascending" ? `-${column.sort}` : column.sort);
  const arrow = () => (direction() ? icon(direction() === "ascending" ? "arrow-up" : "arrow-down") : null);
  const content = canSort ? tags.button({ type: "button", class: "sort", onclick: choose }, tags.span(column.text), arrow) : column.text;
  return th({ scope: "col", role: "columnheader", class: classOf(column), style: column.width ? { width: column.width } : {}, "aria-sort": canSort ? direction : null }, content);
}

const classOf = (column) => [isFigure(column) && "is-figure", column.place && `at-${column.place}`, column.isMinor && "is-minor"].filter(Boolean).join(" ");
const isFigure = (column) => column.isFigure || column.place === "figure";

function checkAll(state) {
  const keys = () => [...state.order.value.keys()];
  const chosen = () => state.selected.value.size;
  const choose = (event) => void (state.selected.value = new Set(event.target.checked ? keys() : []));
  return tags.input({ type: "checkbox", "aria-label": t("Select all"), checked: () => chosen() > 0 && chosen() >= keys().length, indeterminate: () => chosen() > 0 && chosen() < keys().length, onchange: choose });
}

function oneRow(state, get) {
  const { id } = get.peek();
  const row = computed(() => get.value.row);
  const index = () => state.order.value.get(id) ?? 0;
  const isChosen = () => Boolean(state.selected?.value.has(id));
  const cells = state.columns.map((column, at) => cell(state, column, row, at === 0, index));
  const look = () => ["row-line", state.isStrong?.(row.value) && "is-strong", state.current.value === id && "is-current"].filter(Boolean).join(" ");
  const element = tr(
    { role: "row", class: look, "data-row": id, "aria-rowindex": () => String(index() + 2), "aria-selected": () => (state.selected ? String(isChosen()) : null), onclick: (event) => clicked(state, event, row.peek()) },
    state.selected && td({ class: "is-check", role: "cell" }, checkOne(state, id, isChosen)),
    cells,
    state.width > cells.length + (state.selected ? 1 : 0) ? td({ class: "is-menu", role: "cell" }, () => rowTools(state, row.value)) : null,
  );
  markChanges(element, row);
  return element;
}

// What has changed while it is shown is marked for a while.
function markChanges(element, row) {
  let before = JSON.stringify(row.peek());
  effect(() => {
    const now = JSON.stringify(row.value);
    if (now === before) return undefined;
    before = now;
    element.toggleAttribute("data-changed", true);
    const timer = setTimeout(() => element.toggleAttribute("data-changed", false), MARKED);
    return () => clearTimeout(timer);
  });
}

function cell(state, column, row, isFirst) {
  const content = () => column.cell(row.value);
  const depth = isFirst && state.indent ? { style: () => ({ "padding-inline-start": `${0.75 + 1.25 * (state.indent(row.value) ?? 0)}rem` }) } : {};
  return td({ role: "cell", class: classOf(column), ...depth }, isFirst ? opener(state, row, content) : content);
}

function opener(state, row, content) {
  const about = { class: "row-link", "data-opens": "" };
  if (state.href) return () => (state.href(row.value) ? tags.a({ ...about, href: state.href(row.value) }, content) : tags.span({ ...about, tabindex: "-1" }, content));
  if (state.open) return tags.button({ ...about, type: "button", onclick: () => state.open(row.peek()) }, content);
  return tags.span({ ...about, tabindex: "-1" }, content);
}

function checkOne(state, id, isChosen) {
  const choose = (event) => chooseRow(state, id, event.shiftKey);
  return tags.input({ type: "checkbox", "aria-label": t("Select"), tabindex: "-1", checked: isChosen, onclick: choose });
}

// With Shift, all rows from the one chosen before.
function chooseRow(state, id, isRange = false) {
  const next = new Set(state.selected.peek());
  const keys = [...state.order.peek().keys()];
  const [from, to] = [keys.indexOf(state.lastChosen), keys.indexOf(id)].sort((one, other) => one - other);
  const isOn = !next.has(id);
  const range = isRange && from >= 0 ? keys.slice(from, to + 1) : [id];
  for (const one of range) isOn ? next.add(one) : next.delete(one);
  state.lastChosen = id;
  state.selected.value = next;
}

// The whole row opens, unless something in it was pressed or text is being selected.
function clicked(state, event, row) {
  if (event.target.closest("a, button, input, label, select") || String(getSelection())) return;
  if (event.target.closest(".is-check")) return void chooseRow(state, state.key(row), event.shiftKey);
  const link = event.currentTarget.querySelector("[data-opens]");
  if (event.ctrlKey || event.metaKey) return void (link.href && window.open(link.href));
  link.click();
}

// The actions of a row, its inline editor first.
function actionsOf(state, row) {
  const { editor } = state;
  const opens = editor && (!editor.shows || editor.shows(row)) ? [{ name: editor.name, key: editor.key, icon: editor.icon, run: () => edit(state, state.key(row)) }] : [];
  return [...opens, ...possible(state.actions?.(row) ?? [])];
}

function rowTools(state, row) {
  const actions = actionsOf(state, row);
  if (!actions.length) return null;
  const open = (event) => showMenu(state, event.currentTarget, row);
  return iconButton("ellipsis", t("Actions"), open, { isSmall: true, tabindex: "-1" });
}

const showMenu = (state, anchor, row) => void openMenu(anchor, actionsOf(state, row).map((action) => ({ ...action, run: () => perform(action, row) })), { label: t("Actions") });

// Moving by keys. The link of a row has the focus, so that Enter opens it.
function follow(state, event) {
  const key = event.target.closest("[data-row]")?.dataset.row;
  if (key === undefined) return;
  const found = [...state.order.peek().keys()].find((one) => String(one) === key);
  state.current.value = found ?? null;
}

function move(state, by) {
  const keys = [...state.order.peek().keys()];
  const at = keys.indexOf(state.current.peek());
  const next = at < 0 ? (by > 0 ? 0 : keys.length - 1) : Math.max(0, Math.min(keys.length - 1, at + by));
  if (keys.length) focusRow(state, keys[next]);
}

function focusRow(state, key) {
  const index = state.order.peek().get(key);
  if (index === undefined || !state.body) return;
  const find = () => state.body.querySelector(`[data-row="${CSS.escape(key)}"] [data-opens]`);
  if (!find()) {
    scrollBy(0, state.body.getBoundingClientRect().top + index * state.height.peek() - innerHeight / 2);
    look(state);
  }
  find()?.focus();
  state.current.value = key;
}

// A row that goes while it has the focus gives it to the next.
function passFocusOn(state) {
  let last = 0;
  effect(() => {
    const order = state.order.value;
    const key = state.current.value;
    if (key === null) return;
    if (order.has(key)) return void (last = order.get(key));
    const next = [...order.keys()][Math.min(last, order.size - 1)];
    queueMicrotask(() => document.activeElement === document.body && state.body?.isConnected && (next === undefined ? null : focusRow(state, next)));
  });
}

const row = (state) => state.rows.peek()?.[state.order.peek().get(state.current.peek())];

function onKey(state, event) {
  const inRow = event.target.closest("[data-row]");
  if (event.key === "Escape" && event.target.closest(".editor-row") && !event.defaultPrevented) {
    event.preventDefault();
    return edit(state, null);
  }
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!inRow || !by || event.altKey || event.target.matches("input:not([type=checkbox]), select")) return undefined;
  event.preventDefault();
  return move(state, by);
}

function bindKeys(state) {
  const isOn = () => state.box.isConnected;
  const at = (act) => () => (row(state) ? act(row(state)) : false);
  bind({ j: { text: t("Next row"), isOn, run: () => move(state, 1) }, k: { text: t("Row before"), isOn, run: () => move(state, -1) } });
  if (state.selected) bind({ x: { text: t("Select the row"), isOn, run: at((one) => chooseRow(state, state.key(one))) } });
  if (!state.actions && !state.editor) return;
  bind({ ".": { text: t("Actions of the row"), isOn, run: at((one) => showMenu(state, state.body.querySelector(".is-current .is-menu button") ?? state.body, one)) } });
  effect(() => bindActions(state, isOn));
}

// The keys of the row that has the focus; without one, of the first.
function bindActions(state, isOn) {
  const rows = state.rows.value ?? [];
  const one = rows[state.order.value.get(state.current.value) ?? 0];
  const keyed = one ? actionsOf(state, one).filter(({ key }) => key) : [];
  const entries = keyed.map((action) => [action.key, { text: action.name, isOn, run: () => void perform(action, one) }]);
  untracked(() => bind(Object.fromEntries(entries)));
}

// The editor that opens under a row.
function edit(state, key) {
  const before = state.editing.peek();
  state.editing.value = key;
  if (key === null && before === null) return;
  queueMicrotask(() => (key === null ? focusRow(state, before) : focusEditor(state)));
}

function focusEditor(state) {
  const open = state.body?.querySelector(".editor-row");
  (open?.querySelector("[autofocus]") ?? open?.querySelector("input, select, textarea, button"))?.focus();
}

function editorRow(state, get) {
  const { row: one } = get.peek();
  return tr({ class: "editor-row", role: "row" }, td({ colspan: state.width, role: "cell" }, state.editor.make(one, () => edit(state, null))));
}

function sums(state) {
  if (!state.sumText && !state.columns.some(({ sum }) => sum)) return null;
  const first = state.columns.findIndex(({ sum }) => sum);
  const words = td({ colspan: Math.max(1, first < 0 ? state.columns.length : first) + (state.selected ? 1 : 0), role: "cell", class: "sum-text" }, () => (typeof state.sumText === "function" ? state.sumText() : state.sumText));
  const others = first < 0 ? [] : state.columns.slice(Math.max(1, first));
  const end = state.width > state.columns.length + (state.selected ? 1 : 0) ? td({ class: "is-menu", role: "cell" }) : null;
  return tfoot({ role: "rowgroup" }, tr({ role: "row" }, words, others.map((column) => td({ class: classOf(column), role: "cell" }, column.sum ?? null)), end));
}

function bulkBar(state) {
  const count = state.selected.value.size;
  if (!count) return null;
  const chosen = () => state.rows.peek().filter((one) => state.selected.peek().has(state.key(one)));
  return tags.div(
    { class: "bulk-bar", role: "region", "aria-label": t("Selected rows") },
    tags.strong({ role: "status" }, tn("{n} selected", "{n} selected", count)),
    possible(state.bulk).map((action) => button(action.name, () => perform(action, chosen()), { kind: action.danger ? "danger" : null, isSmall: true, icon: action.icon })),
    iconButton("x", t("Select none"), () => void (state.selected.value = new Set()), { isSmall: true }),
  );
}

// Which rows are in view; near the end, more are asked for.
function watch(state) {
  let isWaiting = false;
  const later = () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      look(state);
    });
  };
  listen(document, "scroll", later, { capture: true, passive: true });
  listen(window, "resize", later);
  effect(() => state.rows.value && later());
}

function look(state) {
  const rows = state.rows.peek();
  if (!state.body?.isConnected || !rows?.length) return;
  const line = state.body.querySelector(".row-line");
  if (line) state.height.value = line.getBoundingClientRect().height;
  const height = state.height.peek() || 36;
  const top = state.body.getBoundingClientRect().top;
  const from = Math.max(0, Math.floor(-top / height) - AROUND);
  const to = Math.ceil((innerHeight - top) / height) + AROUND;
  const [before, after] = state.range.peek();
  if (from !== before || to !== after) state.range.value = [from, to];
  if (to >= rows.length && state.hasMore()) untracked(() => state.readOn());
}
