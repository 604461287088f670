// Columns of cards. A card moves by dragging (by touch after a long press), by Shift and arrows, or by its menu. On a phone
// one column is shown; its tabs and a swipe lead to the others. `selected` has the keys of the cards that are chosen.
import { t } from "../core/i18n.js";
import { bind, keyOf } from "../core/keys.js";
import { say } from "../core/notices.js";
import { each, signal, tags } from "../core/view.js";
import { iconButton } from "./button.js";
import { icon } from "./icon.js";
import { openMenu } from "./menu.js";
import { tabs } from "./tabs.js";

const LONG_PRESS = 350; // ms
const SLACK = 6; // px before a press is a drag
const SWIPE = 60; // px
const phone = matchMedia("(width < 40rem)");

export function board(about) {
  const shown = signal(about.columns()[0]?.key);
  const state = { ...about, shown, dragged: signal(null), touched: null };
  const element = tags.div(
    {
      class: "board",
      "aria-label": about.label,
      role: "group",
      onkeydown: (event) => onKey(event, state),
      onpointerdown: (event) => press(event, state),
      ontouchstart: (event) => touch(state, event),
    },
    tags.div(
      { class: "only-phone" },
      tabs({
        label: about.label,
        items: about.columns,
        current: () => shown.value,
        choose: (key) => void (shown.value = key),
      }),
    ),
    tags.div({ class: "board-columns" }, each(about.columns, ({ key }) => key, (get) => column(state, get))),
  );
  state.element = element;
  if (about.selected) {
    bind({ x: { text: t("Select the card"), isOn: () => element.isConnected, run: () => chooseFocused(state) } });
  }
  return element;
}

function column(state, get) {
  const { key } = get.peek();
  const count = () => get.value.count ?? state.cards(key).length;
  const heading = () => (get.value.href ? tags.a({ href: get.value.href }, get.value.text) : get.value.text);
  return tags.section(
    {
      class: () => `board-column${state.shown.value === key ? " is-shown" : ""}`,
      "data-column": key,
      "aria-label": () => get.value.text,
    },
    tags.header(tags.h2(heading), tags.span({ class: "soft small" }, () => String(count()))),
    tags.ul({ class: "board-cards" }, each(() => state.cards(key), state.key, (task) => card(state, task))),
    state.foot?.(key),
  );
}

function card(state, get) {
  const id = String(state.key(get.peek()));
  const menu = (event) =>
    void openMenu(event.currentTarget, [...targets(state, get.peek()), ...choosing(state, id)], {
      label: t("Move to"),
    });
  const look = () =>
    ["board-card", state.dragged.value === id && "is-dragged", isChosen(state, id) && "is-chosen"].filter(Boolean).join(
      " ",
    );
  return tags.li(
    { class: look, "data-card": id },
    () => isChosen(state, id) && tags.span({ class: "row small" }, icon("check"), t("Selected")),
    state.card(() => get.value),
    iconButton("ellipsis", t("Move {name} to", { name: state.name(get.peek()) }), menu, {
      isSmall: true,
      class: "card-menu",
    }),
  );
}

function choose({ selected }, id) {
  const next = new Set(selected.peek());
  if (!next.delete(id)) next.add(id);
  selected.value = next;
}

function chooseFocused(state) {
  const id = document.activeElement?.closest("[data-card]")?.getAttribute("data-card");
  return id ? choose(state, id) : false;
}

const isChosen = ({ selected }, id) => Boolean(selected?.value.has(id));

const place = (state, id) => {
  for (const { key, text } of state.columns()) {
    const cards = state.cards(key);
    const at = cards.findIndex((one) => String(state.key(one)) === id);
    if (at >= 0) return { task: cards[at], column: key, text, at, cards };
  }
  return null;
};

const targets = (state, task) => {
  const here = place(state, String(state.key(task)));
  return state.columns().filter(({ key }) => key !== here?.column).map(({ key, text }) => ({
    name: text,
    run: () => move(state, String(state.key(task)), key, 0),
  }));
};

const choosing = (state, id) =>
  state.selected
    ? [null, {
      name: isChosen(state, id) ? t("Deselect") : t("Select"),
      icon: "check",
      key: "x",
      run: () => choose(state, id),
    }]
    : [];

// Moves, says so, and keeps the focus on the card.
async function move(state, id, column, index) {
  const from = place(state, id);
  if (!from || (from.column === column && from.at === index)) return;
  const work = state.move(from.task, column, index);
  state.shown.value = column;
  queueMicrotask(() => focusCard(state, id));
  await work;
  const now = place(state, id);
  if (now) {
    say(
      t("{name}, {column}, {n} of {all}", {
        name: state.name(now.task),
        column: now.text,
        n: now.at + 1,
        all: now.cards.length,
      }),
    );
  }
}

const focusCard = (state, id) => state.element.querySelector(`[data-card="${CSS.escape(id)}"] :is(a, button)`)?.focus();

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// Arrows go between cards, with Shift they take the card along.
function onKey(event, state) {
  const arrow = ARROWS[keyOf(event)];
  const id = event.target.closest("[data-card]")?.dataset.card;
  if (!arrow || !id || event.target.matches("input, textarea, select") || event.ctrlKey || event.altKey) return;
  const from = place(state, id);
  if (!from) return;
  event.preventDefault();
  event.stopPropagation();
  const [across, down] = arrow;
  const columns = state.columns().map(({ key }) => key);
  const column = columns[columns.indexOf(from.column) + across];
  if (event.shiftKey) {
    return void (column && from.at + down >= 0 &&
      move(
        state,
        id,
        column,
        Math.min(
          across ? Math.min(from.at, state.cards(column).length) : from.at + down,
          state.cards(column).length - (across ? 0 : 1),
        ),
      ));
  }
  const next = across ? beside(state, columns, from, across) : from.cards[from.at + down];
  if (next) focusCard(state, String(state.key(next)));
}

// The card at the same height in the nearest column that has any.
function beside(state, columns, from, across) {
  for (let at = columns.indexOf(from.column) + across; columns[at] !== undefined; at += across) {
    const cards = state.cards(columns[at]);
    if (cards.length) return cards[Math.min(from.at, cards.length - 1)];
  }
  return null;
}

// A touch ends at the element where it began, even if that has been replaced since and is no longer on the board.
function touch(state, { touches, target }) {
  state.touched = touches.length === 1 ? touches[0] : null;
  target.addEventListener("touchend", ({ changedTouches }) => swipe(state, changedTouches[0]), { once: true });
}

function swipe(state, { clientX, clientY }) {
  const { touched } = state;
  state.touched = null;
  if (!touched || !phone.matches) return;
  const [across, down] = [clientX - touched.clientX, clientY - touched.clientY];
  if (Math.abs(across) < SWIPE || Math.abs(across) < 2 * Math.abs(down)) return;
  const columns = state.columns();
  const next = columns[columns.findIndex(({ key }) => key === state.shown.peek()) + (across < 0 ? 1 : -1)];
  if (!next) return;
  state.shown.value = next.key;
  say(next.text);
}

// Dragging.
function press(event, state) {
  const card = event.target.closest("[data-card]");
  if (!card || event.button !== 0 || event.target.closest("button, input, select, textarea")) return;
  const drag = {
    state,
    card,
    id: card.dataset.card,
    x: event.clientX,
    y: event.clientY,
    isOn: false,
    isTouch: event.pointerType === "touch",
    ends: new AbortController(),
  };
  const { signal: until } = drag.ends;
  if (drag.isTouch) drag.timer = setTimeout(() => begin(drag), LONG_PRESS);
  document.addEventListener("pointermove", (moved) => drags(drag, moved), { signal: until });
  document.addEventListener("pointerup", () => drop(drag), { signal: until });
  document.addEventListener("pointercancel", () => stop(drag), { signal: until });
  document.addEventListener("touchmove", (moved) => drag.isOn && moved.preventDefault(), {
    signal: until,
    passive: false,
  });
  document.addEventListener("dragstart", (started) => started.preventDefault(), { signal: until });
  document.addEventListener("keydown", (key) => keyOf(key) === "Escape" && stop(drag), { signal: until });
}

function begin(drag) {
  drag.isOn = true;
  drag.state.touched = null;
  drag.state.dragged.value = drag.id;
  const box = drag.card.getBoundingClientRect();
  drag.ghost = drag.card.cloneNode(true);
  drag.ghost.classList.add("is-ghost");
  drag.ghost.setAttribute("aria-hidden", "true");
  drag.ghost.style.setProperty("width", `${box.width}px`);
  [drag.dx, drag.dy] = [drag.x - box.left, drag.y - box.top];
  document.body.append(drag.ghost);
  drag.line = tags.li({ class: "board-place", "aria-hidden": "true" });
}

function drags(drag, event) {
  const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > SLACK;
  if (!drag.isOn && far) drag.isTouch ? stop(drag) : begin(drag);
  if (!drag.isOn) return;
  event.preventDefault();
  drag.ghost.style.setProperty("translate", `${event.clientX - drag.dx}px ${event.clientY - drag.dy}px`);
  const column = document.elementsFromPoint(event.clientX, event.clientY).find((one) => one.matches?.("[data-column]"));
  if (!column || !drag.state.element.contains(column)) return;
  /** @type {any[]} */
  const others = [...column.querySelectorAll("[data-card]")].filter((one) => one !== drag.card);
  const next = others.find((one) => event.clientY < one.getBoundingClientRect().top + one.offsetHeight / 2);
  drag.to = { column: column.getAttribute("data-column"), index: next ? others.indexOf(next) : others.length };
  const list = column.querySelector(".board-cards");
  next ? next.before(drag.line) : list.append(drag.line);
}

function drop(drag) {
  const { isOn, to } = drag;
  stop(drag);
  if (!isOn) return;
  document.addEventListener("click", (event) => event.preventDefault(), { capture: true, once: true });
  setTimeout(() => document.dispatchEvent(new Event("dropped")));
  if (to) move(drag.state, drag.id, columnKey(drag.state, to.column), to.index);
}

const columnKey = (state, name) => state.columns().find(({ key }) => String(key) === name)?.key;

function stop(drag) {
  clearTimeout(drag.timer);
  drag.ends.abort();
  drag.ghost?.remove();
  drag.line?.remove();
  drag.isOn = false;
  drag.state.dragged.value = null;
}
