// One table of keys. A screen binds its own; the newest binding of a key counts, as long as it lives.
import { onDrop, signal } from "./signals.js";

const SEQUENCE = 1200; // ms between the two keys of "g i"
const tables = [];
let before = null;
let singleKeys = true;

// Single letters can be switched off, for people who speak to their computer.
export const useSingleKeys = (isOn) => void (singleKeys = isOn);

// What help shows: [{ key, text, isEverywhere }] of all that is bound now.
export const bound = signal([]);

// `bindings`: { "Control+Enter": { text, run } } or { j: run }; names as in KeyboardEvent.key. `isEverywhere`: of
// no one screen.
export function bind(bindings, { isEverywhere = false } = {}) {
  const table = new Map(
    Object.entries(bindings).map((
      [key, one],
    ) => [key, typeof one === "function" ? { run: one, text: null } : { ...one, isEverywhere }]),
  );
  tables.push(table);
  tell();
  onDrop(() => {
    tables.splice(tables.indexOf(table), 1);
    tell();
  });
}

function tell() {
  const byKey = new Map(tables.flatMap((table) => [...table]));
  bound.value = [...byKey].filter(([, { text }]) => text).map(([key, { text, isEverywhere }]) => ({
    key,
    text,
    isEverywhere,
  }));
}

// The key of an event; "" while a text is put together of several keys, as in Japanese, whose Enter is none of ours.
export const keyOf = (event) => (event.isComposing || event.keyCode === 229 ? "" : event.key);

const isField = (element) =>
  element?.closest?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=combobox]");

function nameOf(event) {
  const isTyped = event.getModifierState("AltGraph"); // as "[" on a German keyboard
  const held = [
    (event.ctrlKey || event.metaKey) && !isTyped ? "Control" : null,
    event.altKey && !isTyped ? "Alt" : null,
    event.shiftKey && event.key.length > 1 ? "Shift" : null,
  ];
  return [...held.filter(Boolean), event.key === " " ? "Space" : event.key].join("+");
}

function take(event) {
  if (event.defaultPrevented || !keyOf(event)) return;
  const name = nameOf(event);
  const isSingle = !name.includes("+") && (name.length === 1 || name === "Enter");
  if (isSingle && (isField(event.target) || (!singleKeys && name !== "Enter"))) return;
  if (document.querySelector("dialog[open]") && !event.target.closest("dialog") && isSingle) return;
  const sequence = before && event.timeStamp - before.at < SEQUENCE ? `${before.name} ${name}` : null;
  before = { name, at: event.timeStamp };
  const binding = found(sequence) ?? found(name);
  if (!binding) return;
  if (binding.run(event) === false) return;
  event.preventDefault();
  before = null;
}

// The newest binding of a key that is not switched off now.
function found(name) {
  const bindings = tables.map((table) => table.get(name)).filter((one) => one && (!one.isOn || one.isOn()));
  return name ? bindings.at(-1) : undefined;
}

addEventListener("keydown", take);
