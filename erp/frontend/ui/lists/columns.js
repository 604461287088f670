// Which columns a list shows, and in which order.
import { t } from "../../core/i18n.js";
import { keyOf } from "../../core/keys.js";
import { say } from "../../core/notices.js";
import { setQuery } from "../../core/router.js";
import { each, signal, tags } from "../../core/view.js";
import { button } from "../button.js";
import { dialog } from "../dialog.js";
import { isViewed, keepColumns } from "../listed.js";
import { popover } from "../menu.js";

const { div, input, label, p, span } = tags;
const STEPS = { ArrowDown: 1, ArrowUp: -1 };

export const columnsMenu = (state, anchor) =>
  popover(anchor, (close) => menu(state, close), { label: t("Columns"), class: "columns-menu" });

export const columnsDialog = (state) => dialog({ title: t("Columns"), body: (close) => menu(state, close) });

function menu(state, close) {
  const [first, ...others] = state.all;
  const shown = () => state.columns.peek().slice(1).map(({ key }) => key);
  const chosen = signal(new Set(shown()));
  const order = signal([...new Set([...shown(), ...others.map(({ key }) => key)])]);
  const apply = () => choose(state, order.peek().filter((key) => chosen.peek().has(key)));
  const toggle = (key) => {
    chosen.value = chosen.peek().symmetricDifference(new Set([key]));
    apply();
  };
  const move = (key, by) => {
    const next = order.peek().filter((one) => one !== key);
    const at = Math.max(0, Math.min(next.length, order.peek().indexOf(key) + by));
    order.value = next.toSpliced(at, 0, key);
    apply();
    list.querySelector(`[name="${CSS.escape(key)}"]`)?.focus();
    say(t("{column}: place {n}", { column: textOf(key), n: at + 2 }));
  };
  const textOf = (key) => others.find((one) => one.key === key).text;
  const onKey = (event) => {
    const by = STEPS[keyOf(event)];
    if (!by) return;
    event.preventDefault();
    if (event.altKey && event.target.name) return move(event.target.name, by);
    const boxes = [...list.querySelectorAll("input:not(:disabled)")];
    boxes[(boxes.indexOf(event.target) + by + boxes.length) % boxes.length]?.focus();
  };
  const box = (about, text) => label({ class: "check" }, input({ type: "checkbox", ...about }), span(text));
  const list = div(
    { class: "choices", onkeydown: onKey },
    box({ checked: true, disabled: true }, first.text),
    each(() => order.value, (key) => key, (get) => {
      const key = get.peek();
      return box({ name: key, checked: () => chosen.value.has(key), onchange: () => toggle(key) }, textOf(key));
    }),
  );
  const reset = () => {
    choose(state, null);
    close();
  };
  return div(
    { class: "stack-tight" },
    list,
    p({ class: "soft small" }, t("Alt and an arrow key move a column.")),
    button(t("As it was"), reset, { isSmall: true }),
  );
}

// In the address; without a view this browser keeps them for the next time, too.
function choose({ page, ofView = null }, keys) {
  const text = keys ? keys.join() || "-" : ofView;
  if (!isViewed()) keepColumns(page, text);
  setQuery({ columns: text });
}
