// The lines of a document or a journal entry: a grid one goes through by Tab, Enter and arrows. Each cell is a signal, so
// that a key changes one cell and nothing else.
import { t } from "../core/i18n.js";
import { keyOf } from "../core/keys.js";
import { say } from "../core/notices.js";
import { computed, each, effect, here, signal, tags } from "../core/view.js";
import { button, iconButton } from "./button.js";
import { pill } from "./pill.js";

let count = 0;

// What a cell has of an object: nothing of an empty one, as in a blank line.
export const orBlank = (value) => (Object.keys(value ?? {}).length ? value : "");

// The lines as signals. `blank()` answers a new line, `rows` those that are there already.
//
// A key in one of a hundred lines asks that line alone whether it is blank, and no line looks for itself among the others.
export function lineList({ blank, rows = [] }) {
  const held = signal([]);
  const sent = computed(() => held.value.filter((line) => !line.isBlank.value));
  const [places, placesSent] = [placesOf(held), placesOf(sent)];
  const plainOf = (line) => Object.fromEntries(Object.entries(line.cells).map(([name, cell]) => [name, cell.value]));
  const untouched = written(blank());
  const living = here(); // a line lives as long as the list, and not what adds it
  const made = (plain) => {
    const line = {
      key: count += 1,
      id: plain.id ?? null,
      plain,
      cells: Object.fromEntries(Object.entries({ ...blank(), ...plain }).map(([name, value]) => [name, signal(value)])),
      isOpen: signal(false),
      index: () => places.value.get(line.key) ?? 0,
      sentAt: () => placesSent.value.get(line.key) ?? -1, // where it is in the request; -1 for a blank line
      isBlank: living(() => computed(() => written(plainOf(line)) === untouched)),
    };
    return line;
  };
  const load = (plains) => void (held.value = plains.map(made));
  const add = (plain = {}, at = held.peek().length) => {
    const line = made(plain);
    held.value = held.peek().toSpliced(at, 0, line);
    return line;
  };
  const remove = (line) => void (held.value = held.peek().filter((one) => one !== line));
  load(rows.length ? rows : [{}]);
  return {
    rows: held,
    sent,
    load,
    add,
    remove,
    move: (line, by) => moved(held, line, by),
    plain: plainOf,
    values: () => sent.value.map(plainOf),
  };
}

// What was typed and taken out again leaves a null.
const written = (plain) => JSON.stringify(plain, (_name, value) => value ?? "");

const placesOf = (lines) => computed(() => new Map(lines.value.map((line, index) => [line.key, index])));

function moved(held, line, by) {
  const rows = held.peek();
  const [at, to] = [rows.indexOf(line), rows.indexOf(line) + by];
  if (to < 0 || to >= rows.length) return false;
  held.value = rows.toSpliced(at, 1).toSpliced(to, 0, line);
  return true;
}

// What catches a refusal: it names the lines that were sent, the form has those that are shown. A line opens whose details
// are refused, and they are drawn first.
export const atShownLines = (lines) => async (refusal) => {
  const [rows, sent] = [lines.rows.peek(), lines.sent.peek()];
  const details = refusal.details?.map((one) => {
    const [, n, rest] = one.field?.match(/^lines\[(\d+)\](.*)/) ?? [];
    const at = Math.max(0, rows.indexOf(sent[n]));
    if (n !== undefined && rest) rows[at].isOpen.value ||= !hasColumn(at, rest);
    return n === undefined ? one : { ...one, field: `lines[${at}]${rest}` };
  });
  await drawn(lines);
  throw Object.assign(refusal, { details });
};

// The module that draws the details of a line is loaded when they are first opened.
async function drawn(lines) {
  await lines.loadDetail?.();
  await null;
}

const hasColumn = (at, rest) => Boolean(document.querySelector(`[name="lines[${at}]${CSS.escape(rest)}"]`));

// Columns have a `control({ value, name, label, line, next })` or a `show(line)`; `detail(line)` opens under the line, by a
// button and by Alt-Enter, and `chips(line)` tells of it in words while it is closed.
// Where a module draws the details, `loadDetail()` loads it.
export function lineGrid(
  {
    label,
    name,
    lines,
    columns,
    detail = null,
    chips = null,
    loadDetail = null,
    addText = t.of("form", "Line"),
    least = 1,
    canAdd = true,
  },
) {
  lines.loadDetail = loadDetail;
  const state = { label, name, lines, columns, detail, chips, least, canAdd };
  const add = () => focusCell(state, state.lines.add(), 0);
  const body = tags.div(
    { class: "lines-body", role: "rowgroup" },
    each(() => lines.rows.value, ({ key }) => key, (get) => lineRow(state, get.peek())),
  );
  state.body = body;
  const sizes = [...columns.map(({ width }) => width ?? "minmax(10rem, 1fr)"), "var(--line-end)"].join(" ");
  const element = tags.div(
    { class: "lines" },
    tags.div(
      {
        class: detail ? "lines-grid has-more" : "lines-grid",
        role: "table",
        "aria-label": label,
        style: { "--sizes": sizes },
        onkeydown: (event) => onKey(event, state),
      },
      heads(columns),
      body,
    ),
    canAdd && tags.div({ class: "lines-foot" }, button(addText, add, { kind: "plain", icon: "plus", isSmall: true })),
  );
  return Object.assign(element, {
    focusFirst: () => focusCell(state, lines.rows.peek()[0], 0),
    focusLine: (line) => focusCell(state, line, 0),
  });
}

const heads = (columns) =>
  tags.div(
    { class: "lines-head", role: "rowgroup" },
    tags.div(
      { class: "lines-row", role: "row" },
      columns.map((column) =>
        tags.span({ role: "columnheader", class: column.isFigure ? "is-figure" : "" }, column.text)
      ),
      tags.span({ role: "columnheader" }, tags.span({ class: "visually-hidden" }, t("Remove"))),
    ),
  );

function lineRow(state, line) {
  const { lines, columns, detail, chips } = state;
  const gone = () => remove(state, line);
  return tags.div(
    { class: "line", "data-line": String(line.key), role: "presentation" },
    tags.div(
      { class: "lines-row", role: "row", "aria-rowindex": () => String(line.index() + 2) },
      columns.map((column, at) => cellOf(state, line, column, at)),
      tags.span(
        { role: "cell", class: "line-end" },
        detail && moreButton(state, line),
        iconButton("x", t("Remove line"), gone, {
          isSmall: true,
          tabindex: "-1",
          isOff: () => lines.rows.value.length <= state.least && line.isBlank.value,
        }),
      ),
    ),
    chips && chipRow(line, chips(line)),
    detail &&
      (() => (line.isOpen.value
        ? tags.div({ class: "line-detail", role: "row" }, tags.div({ role: "cell" }, detail(line)))
        : null)),
  );
}

function moreButton(state, line) {
  const name = () => t("More of line {n}", { n: line.index() + 1 });
  const more = iconButton("chevron-right", name, () => open(state, { line }), { isSmall: true, class: "line-more" });
  effect(() => more.setAttribute("aria-expanded", String(line.isOpen.value)));
  return more;
}

const chipRow = (line, chips) => () => {
  const shown = line.isOpen.value ? [] : chips();
  return shown.length
    ? tags.div({ class: "line-chips", role: "row" }, tags.div({ role: "cell" }, shown.map((text) => pill(text))))
    : null;
};

function cellOf(state, line, column, at) {
  const look = `cell${column.isFigure ? " is-figure" : ""}`;
  const words = tags.span({ class: "cell-label", "aria-hidden": "true" }, column.text);
  if (column.show) {
    return tags.span({ role: "cell", class: `${look} is-shown`, "data-column": at }, words, column.show(line));
  }
  const control = column.control({
    value: line.cells[column.key],
    label: t("{column}, line {n}", { column: column.text, n: line.index() + 1 }),
    line,
    next: () => focusCell(state, line, at + 1),
  });
  const input = control.matches("input, select, textarea") ? control : control.querySelector("input, select, textarea");
  effect(() => {
    input.name = `${state.name}[${line.index()}].${column.field ?? column.key}`;
    input.setAttribute("aria-label", t("{column}, line {n}", { column: column.text, n: line.index() + 1 }));
  });
  return tags.span({ role: "cell", class: look, "data-column": at }, words, control);
}

const inputAt = (state, line, at) =>
  state.body.querySelector(`[data-line="${line.key}"] [data-column="${at}"] :is(input, select, textarea)`);

// Once what has changed is drawn.
function focusCell(state, line, at) {
  queueMicrotask(() => {
    const input = inputAt(state, line, at) ??
      state.body.querySelector(`[data-line="${line.key}"] :is(input, select, textarea)`);
    input?.focus();
    input?.select?.();
  });
}

function remove(state, line) {
  const rows = state.lines.rows.peek();
  const at = rows.indexOf(line);
  state.lines.remove(line);
  if (state.lines.rows.peek().length < state.least) state.lines.add();
  const left = state.lines.rows.peek();
  focusCell(state, left[Math.min(at, left.length - 1)], 0);
  say(t("Line {n} removed", { n: at + 1 }));
}

const held = (event) =>
  [event.ctrlKey || event.metaKey ? "Control" : null, event.altKey ? "Alt" : null, keyOf(event)].filter(Boolean).join(
    "+",
  );

const KEYS = {
  Enter: (state, at) => down(state, at),
  ArrowDown: (state, at) => step(state, at, 1),
  ArrowUp: (state, at) => step(state, at, -1),
  "Alt+ArrowDown": (state, at) => move(state, at, 1),
  "Alt+ArrowUp": (state, at) => move(state, at, -1),
  "Control+Delete": (state, at) => remove(state, at.line),
  "Alt+Enter": (state, at) => open(state, at),
};

function onKey(event, state) {
  if (event.defaultPrevented || event.shiftKey) return;
  const act = KEYS[held(event)];
  const at = act && placeOf(event.target, state);
  if (!at || (keyOf(event).startsWith("Arrow") && !event.altKey && at.control.matches("select"))) return;
  if (act(state, at) === false) return;
  event.preventDefault();
  event.stopPropagation();
}

function placeOf(control, state) {
  const key = control.closest("[data-line]")?.dataset.line;
  const column = control.closest("[data-column]")?.dataset.column;
  const line = state.lines.rows.peek().find((one) => String(one.key) === key);
  return line && column !== undefined && control.matches("input, select, textarea") ? { line, column, control } : null;
}

// Down in the same column; in the last line a new one, at its beginning.
function down(state, { line, column, control }) {
  const rows = state.lines.rows.peek();
  const next = rows[rows.indexOf(line) + 1];
  if (next) return focusCell(state, next, column);
  if (!state.canAdd) return false;
  control.dispatchEvent(new Event("settle"));
  return focusCell(state, state.lines.add(), 0);
}

function step(state, { line, column }, by) {
  const rows = state.lines.rows.peek();
  const next = rows[rows.indexOf(line) + by];
  return next ? focusCell(state, next, column) : false;
}

function move(state, { line, column }, by) {
  if (!state.lines.move(line, by)) return;
  focusCell(state, line, column);
  say(t("Line {n}", { n: state.lines.rows.peek().indexOf(line) + 1 }));
}

// By the button, the focus stays on it when the details close.
function open(state, { line, column = null }) {
  if (!state.detail) return false;
  line.isOpen.value = !line.isOpen.peek();
  const first = () => state.body.querySelector(`[data-line="${line.key}"] .line-detail :is(input, select, textarea)`);
  if (!line.isOpen.peek()) return column === null ? undefined : focusCell(state, line, 0);
  const here = document.activeElement;
  return void drawn(state.lines).then(() => document.activeElement === here && first()?.focus());
}
