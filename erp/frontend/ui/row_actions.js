// What can be done with a row of a table: choose it, act on it, edit it in place, bring the focus to it.
import { t } from "../core/i18n.js";
import { perform, possible } from "./actions.js";
import { openMenu } from "./menu.js";
import { look } from "./rows_in_view.js";

// The actions of a row, its inline editor first.
export function actionsOf(state, row) {
  const { editor } = state;
  const opens = editor && (!editor.shows || editor.shows(row))
    ? [{ name: editor.name, key: editor.key, icon: editor.icon, run: () => edit(state, state.key(row)) }]
    : [];
  return [...opens, ...possible(state.actions?.(row) ?? [])];
}

export const showMenu = (state, anchor, row) =>
  void openMenu(anchor, actionsOf(state, row).map((action) => ({ ...action, run: () => perform(action, row) })), {
    label: t("Actions"),
  });

export function focusRow(state, key) {
  const index = state.order.peek().get(key);
  if (index === undefined || !state.body) return;
  const find = () => state.body.querySelector(`[data-row="${CSS.escape(key)}"] [data-opens]`);
  if (!find()) {
    scrollBy(0, state.body.getBoundingClientRect().top + state.heights.between(0, index) - innerHeight / 2);
    look(state);
    queueMicrotask(() => find()?.focus());
  }
  find()?.focus();
  state.current.value = key;
}

// The editor that opens under a row.
export function edit(state, key) {
  const before = state.editing.peek();
  state.editing.value = key;
  if (key === null && before === null) return;
  queueMicrotask(() => (key === null ? focusRow(state, before) : focusEditor(state)));
}

function focusEditor(state) {
  const open = state.body?.querySelector(".editor-row");
  (open?.querySelector("[data-autofocus]") ?? open?.querySelector("input, select, textarea, button"))?.focus();
}

// With Shift, all rows from the one chosen before; none of them is unselected.
export function chooseRow(state, id, isRange = false) {
  const next = new Set(state.selected.peek());
  const keys = [...state.order.peek().keys()];
  const [from, to] = [keys.indexOf(state.lastChosen), keys.indexOf(id)].sort((one, other) => one - other);
  const isOn = isRange || !next.has(id);
  const range = isRange && from >= 0 ? keys.slice(from, to + 1) : [id];
  for (const one of range) isOn ? next.add(one) : next.delete(one);
  state.lastChosen = id;
  state.selected.value = next;
}
