// One of many: type to find, Enter takes. The list follows the pattern of ARIA 1.2; focus stays in the field.
import { t, tn } from "../core/i18n.js";
import { keyOf } from "../core/keys.js";
import { notify, say } from "../core/notices.js";
import { batch, effect, onDrop, signal, tags } from "../core/view.js";
import { shared } from "./input.js";
import { tie } from "./menu.js";

const PAUSE = 150; // ms after the last key before the server is asked
let count = 0;

const contains = (option, typed) => `${option.text} ${option.more ?? ""}`.toLowerCase().includes(typed.toLowerCase());

// `options` is a list or answers one for what was typed; `shown(value)` answers the text of a value that was not just
// chosen; `create(typed)` answers a new option; `next()` moves the focus on after a choice. With `isFree` the value is the
// text itself, and an option only fills it. A new option takes its time:
// a person who has gone on meanwhile stays where they are.
export function combobox(about) {
  const { options, shown = null, placeholder = null } = about;
  const id = `combobox-${(count += 1)}`;
  const state = {
    ...about,
    id,
    found: signal([]),
    active: signal(-1),
    isOpen: signal(false),
    isTyped: false,
    text: "",
    turn: 0,
    timer: null,
  };
  state.shown = state.isFree
    ? (held) => held
    : shown ?? ((held) => listed(options, "").find?.((option) => option.value === held)?.text ?? "");
  state.input = tags.input({
    class: "input",
    type: "text",
    role: "combobox",
    ...shared({ ...about, placeholder }),
    spellcheck: "false",
    "aria-autocomplete": "list",
    "aria-haspopup": "listbox",
    "aria-controls": id,
    "aria-expanded": () => String(state.isOpen.value),
    "aria-activedescendant":
      () => (state.isOpen.value && state.active.value >= 0 ? `${id}-${state.active.value}` : null),
    oninput: () => typing(state),
    onkeydown: (event) => onKey(event, state),
    onblur: () => leave(state),
    onsettle: () => leave(state),
    onfocus: () => focused(state),
    onclick: () => clicked(state),
  });
  state.list = listbox(state);
  follow(state);
  onDrop(() => clearTimeout(state.timer));
  return tags.div({ class: "combobox" }, state.input, chevron(state), state.list);
}

// A promise is taken as it is; a plain list is searched here.
function listed(options, typed) {
  const found = typeof options === "function" ? options(typed) : options;
  return Array.isArray(found) && typed ? found.filter((option) => contains(option, typed)) : found;
}

const chevron = (state) =>
  tags.span({
    class: "combobox-arrow",
    "aria-hidden": "true",
    onmousedown: (event) => {
      event.preventDefault();
      state.input.focus();
      state.isOpen.peek() ? close(state) : open(state, "");
    },
  });

// The text follows the value.
function follow(state) {
  effect(() => {
    const held = state.value.value;
    if (held === state.chosen?.value && state.chosen && !state.isFree) return void write(state, state.chosen.text);
    if (held === null || held === undefined || held === "") return void write(state, "");
    const text = state.shown(held);
    if (typeof text?.then !== "function") return void write(state, text);
    text.then((late) => state.value.peek() === held && writeLate(state, late), () => {});
    return undefined;
  });
}

function write(state, text) {
  state.text = text ?? "";
  if (!state.isTyped) state.input.value = state.text;
}

// Typing replaces it, as if it had been there when the field was entered.
function writeLate(state, text) {
  write(state, text);
  if (!state.isTyped && document.activeElement === state.input) state.input.select();
}

function listbox(state) {
  const list = tags.ul({
    class: "popover listbox",
    popover: "manual",
    role: "listbox",
    id: state.id,
    "aria-label": t("Suggestions"),
    onmousedown: (event) => event.preventDefault(),
  }, () => state.found.value.map((option, at) => item(state, option, at)));
  effect(() => {
    const isOpen = state.isOpen.value && state.found.value.length > 0;
    if (!list.isConnected) return;
    if (isOpen && !list.matches(":popover-open")) {
      tie(state.input, list);
      list.showPopover();
    }
    if (!isOpen && list.matches(":popover-open")) list.hidePopover();
  });
  return list;
}

function item(state, option, at) {
  return tags.li(
    {
      role: "option",
      id: `${state.id}-${at}`,
      class: `option${option.isNew ? " is-new" : ""}`,
      "aria-selected": () => String(state.active.value === at),
      onclick: () => take(state, at),
    },
    tags.span({ class: "option-text" }, option.text),
    option.figure && tags.span({ class: "option-figure" }, option.figure),
    option.more && tags.span({ class: "option-more" }, option.more),
  );
}

function typing(state) {
  state.isTyped = true;
  if (state.isFree) written(state, state.input.value);
  clearTimeout(state.timer);
  state.timer = setTimeout(
    () => open(state, state.input.value.trim()),
    typeof state.options === "function" ? PAUSE : 0,
  );
}

function written(state, text) {
  state.chosen = null;
  batch(() => void (state.value.value = text));
  if (!text) state.cleared?.();
}

// With `opensOnFocus` the suggestions are there at once; one that `isLikely` is ready for Enter.
function focused(state) {
  state.input.select();
  if (state.opensOnFocus && !state.value.peek()) open(state, "");
}

function clicked(state) {
  if (state.isFree || state.isOpen.peek() || state.isTyped) return;
  state.input.select();
  open(state, "");
}

async function open(state, typed) {
  const turn = (state.turn += 1);
  state.lastTyped = typed;
  const found = await Promise.resolve(listed(state.options, typed)).catch((problem) =>
    void notify(problem.reason ?? problem.message, { kind: "bad" })
  );
  if (!found || turn !== state.turn || document.activeElement !== state.input) return;
  const isExact = found.some(({ text }) => text.toLowerCase() === typed.toLowerCase());
  const createText = state.createText ?? ((name) => t("Create “{name}”", { name }));
  const fresh = state.create && typed && !isExact ? [{ isNew: true, typed, text: createText(typed) }] : [];
  const none = { isNone: true, value: null, text: t("None") };
  batch(() => {
    state.found.value = [...(state.isOptional && !typed ? [none] : []), ...found, ...fresh];
    const held = state.found.peek().findIndex((option) => !option.isNone && option.value === state.value.peek());
    state.active.value = typed
      ? state.isFree && !found.length ? -1 : 0
      : held < 0 && state.opensOnFocus
      ? state.found.peek().findIndex(({ isLikely }) => isLikely)
      : held;
    state.isOpen.value = true;
  });
  if (typed) say(found.length ? tn("{n} suggestion", "{n} suggestions", found.length) : t("No match."));
}

function close(state) {
  state.turn += 1;
  clearTimeout(state.timer);
  state.isOpen.value = false;
}

async function take(state, at) {
  const option = state.found.peek()[at];
  if (!option) return;
  close(state);
  const made = option.isNew
    ? await Promise.resolve(state.create(option.typed)).catch((problem) =>
      void notify(problem.reason ?? problem.message, { kind: "bad" })
    )
    : option;
  if (!made) return;
  choose(state, made);
}

function choose(state, option) {
  state.isTyped = false;
  state.chosen = option.isNone ? null : option;
  batch(() => void (state.value.value = option.value));
  write(state, option.isNone ? "" : state.isFree ? option.value : option.text);
  state.input.dispatchEvent(new Event("change", { bubbles: true }));
  state.choose?.(option.isNone ? null : option);
  if (document.activeElement === state.input) state.next?.();
}

const KEYS = {
  ArrowDown: (state, event) => step(state, event, 1),
  ArrowUp: (state, event) => step(state, event, -1),
  Enter: enter,
  Escape: escape,
  Tab: (state) => !state.isFree && state.isOpen.peek() && state.isTyped && take(state, state.active.peek()),
};

const onKey = (event, state) => KEYS[keyOf(event)]?.(state, event);

// In a grid the plain arrows go through its rows; Alt opens.
function step(state, event, by) {
  const isOpen = state.isOpen.peek();
  if (!isOpen && (keyOf(event) === "ArrowUp" || (!event.altKey && state.input.closest(".lines")))) return;
  event.preventDefault();
  if (!isOpen) return void open(state, state.isTyped ? state.input.value.trim() : "");
  const length = state.found.peek().length;
  if (length) state.active.value = (state.active.peek() + by + length) % length;
  state.list.children[state.active.peek()]?.scrollIntoView({ block: "nearest" });
}

// Enter may come before the suggestions do: then they are waited for.
async function enter(state, event) {
  if (event.ctrlKey || event.metaKey) return;
  if (!state.isTyped && !state.isOpen.peek()) return;
  if (!state.input.value.trim() && !state.isOpen.peek()) return;
  if (state.isFree && (!state.isOpen.peek() || state.active.peek() < 0)) return void close(state);
  event.preventDefault();
  event.stopPropagation();
  const typed = state.input.value.trim();
  if (state.isTyped && (!state.isOpen.peek() || state.lastTyped !== typed)) {
    clearTimeout(state.timer);
    await open(state, typed);
  }
  if (state.opensOnFocus && state.active.peek() < 0) return;
  take(state, Math.max(0, state.active.peek()));
}

function escape(state, event) {
  if (!state.isOpen.peek() && (state.isFree || !state.isTyped)) return;
  event.preventDefault();
  event.stopPropagation();
  state.isTyped = state.isFree;
  close(state);
  write(state, state.text);
}

// What was typed and not taken is not a choice; an empty field is, where none may be chosen.
function leave(state) {
  close(state);
  if (!state.isTyped) return;
  if (state.isFree) return void (state.isTyped = false);
  const typed = state.input.value.trim();
  const exact = state.found.peek().find((option) => !option.isNew && option.text.toLowerCase() === typed.toLowerCase());
  state.isTyped = false;
  if (exact) return void choose(state, exact);
  if (!typed && state.isOptional) return void choose(state, { isNone: true, value: null });
  write(state, state.text);
}
