// What the address says that is looked for: a field by its name, or an action of the page by its key. It is marked, and has
// the focus as soon as it is drawn.
import { query } from "../core/router.js";
import { effect, onDrop } from "../core/view.js";
import { inputOf } from "./field.js";

// A page, answered as it is. What is drawn once more has the focus again, unless someone has moved it.
export function pointing(page) {
  const watcher = new MutationObserver(() => look());
  let [find, last] = [null, null];
  const look = () => {
    const control = find();
    if (!control || control === last || (last && !document.activeElement?.matches("body, h1"))) return;
    last = control;
    point(page, control);
  };
  effect(() => {
    const [name, key] = ["field", "key"].map((one) => query.value.get(one));
    watcher.disconnect();
    if (!name && !key) return;
    [find, last] = [() => (name ? fieldIn(page, CSS.escape(name)) : actionIn(page, CSS.escape(key))), null];
    watcher.observe(page, { childList: true, subtree: true });
    requestAnimationFrame(look);
  });
  onDrop(() => watcher.disconnect());
  return page;
}

const fieldIn = (page, name) => page.querySelector(`[name="${name}"], [data-name="${name}"], [name^="${name}"]`);
const actionIn = (page, key) => page.querySelector(`.page-actions [aria-keyshortcuts="${key}"]`);

// As it may be drawn before the page gives the focus to its head, that is told as well.
function point(page, control) {
  page.querySelectorAll(".is-found").forEach((one) => one.classList.remove("is-found"));
  (control.closest(".field, .check") ?? control).classList.add("is-found");
  const input = inputOf(control) ?? control;
  input.dataset.autofocus = "";
  input.focus();
}
