// The one table of keys.
import { deepEqual as equal } from "node:assert/strict";
import { bind, bound, useSingleKeys } from "../../../erp/frontend/core/keys.js";
import { scope } from "../../../erp/frontend/core/signals.js";

/** @type {any} */ (globalThis).document = { querySelector: () => null }; // no dialog is open

class Key extends Event {
  constructor(key, about = {}) {
    super("keydown", { cancelable: true });
    Object.assign(this, { key, getModifierState: (name) => Boolean(about[name]), ...about });
  }
}

// The actions that keys do with these bindings.
function did(keys, ...tables) {
  const done = [];
  const { drop } = scope(() =>
    tables.forEach((table) => bind(Object.fromEntries(table.map((key) => [key, () => void done.push(key)]))))
  );
  for (const [key, about] of keys) dispatchEvent(new Key(key, about));
  drop();
  return done;
}

Deno.test("a key does what is bound to it, with its modifiers by their names", () => {
  equal(did([["j"], ["k"]], ["j"]), ["j"]);
  equal(did([["k", { ctrlKey: true }], ["k", { metaKey: true }]], ["Control+k"]), ["Control+k", "Control+k"]);
  equal(did([["ArrowUp", { altKey: true }], ["Tab", { shiftKey: true }]], ["Alt+ArrowUp", "Shift+Tab"]), [
    "Alt+ArrowUp",
    "Shift+Tab",
  ]);
  equal(did([["?", { shiftKey: true }]], ["?"]), ["?"]);
});

Deno.test("a character that another keyboard types with AltGr is that character", () => {
  equal(did([["[", { ctrlKey: true, altKey: true, AltGraph: true }]], ["["]), ["["]);
});

Deno.test("two keys after each other are one binding, and the second alone is another", () => {
  equal(did([["g"], ["i"], ["i"]], ["g i", "i"]), ["g i", "i"]);
});

Deno.test("the newest binding counts for as long as it lives", () => {
  const done = [];
  const outer = scope(() => bind({ n: { text: "New invoice", run: () => void done.push("outer") } }));
  const inner = scope(() => bind({ n: { text: "New task", run: () => void done.push("inner") } }));
  equal(bound.peek(), [{ key: "n", text: "New task", isEverywhere: false }]);
  dispatchEvent(new Key("n"));
  inner.drop();
  dispatchEvent(new Key("n"));
  outer.drop();
  dispatchEvent(new Key("n"));
  equal([done, bound.peek()], [["inner", "outer"], []]);
});

Deno.test("a key of every screen is told apart from a screen's own", () => {
  const made = scope(() => {
    bind({ F1: { text: "Help", run: () => {} } }, { isEverywhere: true });
    bind({ n: { text: "New task", run: () => {} } });
  });
  equal(bound.peek().map(({ key, isEverywhere }) => [key, isEverywhere]), [["F1", true], ["n", false]]);
  made.drop();
});

Deno.test("single keys can be switched off, but Enter and those with modifiers stay", () => {
  useSingleKeys(false);
  equal(did([["j"], ["Enter"], ["s", { ctrlKey: true }]], ["j", "Enter", "Control+s"]), ["Enter", "Control+s"]);
  useSingleKeys(true);
});

Deno.test("keys that put characters together are left to that", () => {
  equal(did([["j", { isComposing: true }], ["j", { keyCode: 229 }]], ["j"]), []);
});
