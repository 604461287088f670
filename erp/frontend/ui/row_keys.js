// Going through the rows of a table by keys. The link of a row has the focus, so that Enter opens it.
import { t } from "../core/i18n.js";
import { bind, keyOf } from "../core/keys.js";
import { effect, untracked } from "../core/view.js";
import { perform, possible } from "./actions.js";
import { actionsOf, chooseRow, edit, focusRow, showMenu } from "./row_actions.js";

export function follow(state, event) {
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

// Shift and arrows choose all rows from where they began.
function chooseOn(state, by) {
  const at = state.current.peek();
  if (state.run?.at !== at) state.run = { from: at, before: state.selected.peek() };
  move(state, by);
  state.run.at = state.current.peek();
  const keys = [...state.order.peek().keys()];
  const [from, to] = [state.run.from, state.run.at].map((key) => keys.indexOf(key)).sort((one, other) => one - other);
  state.lastChosen = state.run.at;
  state.selected.value = new Set([...state.run.before, ...keys.slice(from, to + 1)]);
}

const row = (state) => state.rows.peek()?.[state.order.peek().get(state.current.peek())];

export function onKey(state, event) {
  const inRow = event.target.closest("[data-row]");
  if (keyOf(event) === "Escape" && event.target.closest(".editor-row") && !event.defaultPrevented) {
    event.preventDefault();
    return edit(state, null);
  }
  const by = { ArrowDown: 1, ArrowUp: -1 }[keyOf(event)];
  if (!inRow || !by || event.altKey || event.target.matches("input:not([type=checkbox]), select")) return undefined;
  event.preventDefault();
  return event.shiftKey && state.selected ? chooseOn(state, by) : move(state, by);
}

export function bindKeys(state) {
  const isOn = () => state.box.isConnected;
  const at = (act) => () => (row(state) ? act(row(state)) : false);
  bind({
    j: { text: t("Next row"), isOn, run: () => move(state, 1) },
    k: { text: t("Previous row"), isOn, run: () => move(state, -1) },
  });
  if (state.selected) {
    bind({
      x: { text: t("Select the row"), isOn, run: at((one) => chooseRow(state, state.key(one))) },
      X: { text: t("Select up to the row"), isOn, run: at((one) => chooseRow(state, state.key(one), true)) },
      "Control+a": { text: t("Select all"), isOn, run: (event) => chooseAll(state, event) },
    });
    effect(() => bindBulk(state, isOn));
  }
  if (!state.actions && !state.editor) return;
  bind({
    ".": {
      text: t("Actions of the row"),
      isOn,
      run: at((one) => showMenu(state, state.body.querySelector(".is-current .is-menu button") ?? state.body, one)),
    },
  });
  effect(() => bindActions(state, isOn));
}

// Not the text of a field, which the same key selects.
function chooseAll(state, { target }) {
  if (target.matches("input:not([type=checkbox]), textarea, dialog *")) return false;
  state.selected.value = new Set(state.order.peek().keys());
  return true;
}

// The keys of what can be done with the rows that are chosen.
export function bindBulk(state, isOn) {
  const rows = (state.rows.value ?? []).filter((one) => state.selected.value.has(state.key(one)));
  const keyed = rows.length ? possible(state.bulk ?? []).filter(({ key, fits }) => key && (!fits || fits(rows))) : [];
  untracked(() =>
    bind(
      Object.fromEntries(
        keyed.map((action) => [action.key, { text: action.name, isOn, run: () => void perform(action, rows) }]),
      ),
    )
  );
}

// The keys of the row that has the focus; without one, of the first.
function bindActions(state, isOn) {
  const rows = state.rows.value ?? [];
  const one = rows[state.order.value.get(state.current.value) ?? 0];
  const keyed = one ? actionsOf(state, one).filter(({ key }) => key) : [];
  const entries = keyed.map((
    action,
  ) => [action.key, { text: action.name, isOn, run: () => void perform(action, one) }]);
  untracked(() => bind(Object.fromEntries(entries)));
}
