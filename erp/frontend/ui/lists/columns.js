// Which columns a list shows, in which order, and how wide.
import { t } from "../../core/i18n.js";
import { keyOf } from "../../core/keys.js";
import { say } from "../../core/notices.js";
import { setQuery } from "../../core/router.js";
import { each, signal, tags } from "../../core/view.js";
import { button } from "../button.js";
import { dialog } from "../dialog.js";
import { isViewed, keepColumns, NONE } from "../listed.js";
import { popover } from "../menu.js";
import { moveIn, movers, stepOf } from "./order.js";

const { div, input, label, p, span } = tags;
const WIDER = { ArrowLeft: -16, ArrowRight: 16 }; // px
const [NARROW, WIDE] = [40, 800]; // px

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
    /** @type {any} */
    const focused = document.activeElement;
    let at;
    for (let n = stepsOver(order.peek(), key, by, chosen.peek()); n > 0; n -= 1) at = moveIn(order, key, by);
    apply();
    focused.focus();
    say(t("{column}: place {n}", { column: textOf(key), n: at + 2 }));
  };
  const textOf = (key) => state.all.find((one) => one.key === key).text;
  const onKey = (event) => {
    const [key, by, wider] = [event.target.name, stepOf(event), event.altKey && WIDER[keyOf(event)]];
    if (!key || !(by || wider)) return;
    event.preventDefault();
    if (wider) {
      const n = widen(state, key, wider);
      return void (n && say(t("{column}: {n} px", { column: textOf(key), n })));
    }
    if (event.altKey) return void (key !== first.key && move(key, by));
    const boxes = [...list.querySelectorAll("input")];
    boxes[(boxes.indexOf(event.target) + by + boxes.length) % boxes.length]?.focus();
  };
  const box = (about, text) => label({ class: "check" }, input({ type: "checkbox", ...about }), span(text));
  const list = div(
    { class: "choices", onkeydown: onKey },
    box(
      { name: first.key, checked: true, "aria-disabled": "true", onclick: (event) => event.preventDefault() },
      first.text,
    ),
    each(() => order.value, (key) => key, (get) => {
      const key = get.peek();
      return div(
        { class: "spread" },
        box({
          name: key,
          checked: () => chosen.value.has(key),
          onchange: () => toggle(key),
          ...(key === order.peek()[0] && { "data-autofocus": "" }),
        }, textOf(key)),
        movers(textOf(key), (by) => move(key, by)),
      );
    }),
  );
  const reset = () => {
    keep(state, state.ofView ?? null);
    close();
  };
  return div(
    { class: "stack-tight" },
    list,
    p({ class: "soft small" }, t("Alt with ↑ and ↓ moves a column, with ← and → makes it narrower or wider.")),
    button(t("As it was"), reset, { isSmall: true }),
  );
}

// A column that is shown moves past the next one that is shown, and the hidden ones in between.
function stepsOver(order, key, by, chosen) {
  const at = order.indexOf(key);
  const ahead = by < 0 ? order.slice(0, at).reverse() : order.slice(at + 1);
  return chosen.has(key) ? ahead.findIndex((one) => chosen.has(one)) + 1 || 1 : 1;
}

// A column as the address has it, with its width in pixels where it has one.
const textOfColumn = ({ key, pixels }) => (pixels ? `${key}:${pixels}` : key);

// Columns under their names, with the widths that they have; the first is named for its width alone.
function choose(state, keys, widths = new Map(state.columns.peek().map(({ key, pixels }) => [key, pixels]))) {
  const [first] = state.all;
  const columns = [...(widths.get(first.key) ? [first.key] : []), ...keys];
  keep(state, columns.map((key) => textOfColumn({ key, pixels: widths.get(key) })).join() || NONE);
}

// In the address; without a view this browser keeps them for the next time, too.
function keep({ page }, text) {
  if (!isViewed()) keepColumns(page, text);
  setQuery({ columns: text });
}

// Make a column wider by some pixels; its width then.
function widen(state, key, by) {
  const columns = state.columns.peek();
  const at = columns.findIndex((one) => one.key === key);
  return at < 0 ? 0 : resize(state, key, (columns[at].pixels ?? headingOf(state, at).offsetWidth) + by);
}

function resize(state, key, width) {
  const columns = state.columns.peek();
  const pixels = Math.round(Math.min(WIDE, Math.max(NARROW, width)));
  const widths = new Map(columns.map((one) => [one.key, one.key === key ? pixels : one.pixels]));
  choose(state, columns.slice(1).map((one) => one.key), widths);
  return pixels;
}

const headingOf = (state, at) => state.box.querySelectorAll("thead th:not(.is-check)")[at];

// Draw the edge of a column by the mouse: its heading follows, and the column when the button is let go.
export function drawEdge(state, key, event) {
  const [edge, start] = [event.target, event.clientX];
  const heading = edge.closest("th");
  const width = heading.offsetWidth;
  edge.setPointerCapture(event.pointerId);
  edge.onpointermove = ({ clientX }) => heading.style.setProperty("--column", `${width + clientX - start}px`);
  heading.toggleAttribute("data-sized", true);
  edge.onpointerup = ({ clientX }) => {
    edge.onpointermove = edge.onpointerup = null;
    if (clientX !== start) resize(state, key, width + clientX - start);
  };
}
