// A task as a panel over the list or board it was opened from: `?task=` in the address, so that Back closes it and a link
// to it shows the same.
import { address } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { go, path, query, setQuery } from "../../core/router.js";
import { resource } from "../../core/store.js";
import { computed, effect, tags, untracked } from "../../core/view.js";
import { panel } from "../../ui/dialog.js";
import { later } from "../../ui/later.js";

const { div } = tags;

// The body of a screen whose links to tasks open beside it; `rows` has them as `items` in their order.
export function withPanel(rows, ...children) {
  const chosen = computed(() => query.value.get("task"));
  effect(() => {
    const id = chosen.value;
    return id ? untracked(() => opened(id, rows)) : undefined;
  });
  return div({ class: "stack", onclick: follow }, children);
}

function follow(event) {
  const id = event.target.closest("a[href^='/tasks/']")?.getAttribute("href").split("/").at(-1);
  if (!id || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(address(path.peek(), { ...Object.fromEntries(query.peek()), task: id }));
}

// After the page is there: it is put together only once its first screen is made.
function opened(id, rows) {
  let shut = () => {};
  const turn = setTimeout(async () => {
    const task = resource(`/tasks/${id}`);
    await panel({
      title: () => (task.value ? `${task.value.key} ${task.value.title}` : t("Task")),
      body: (
        close,
      ) => ((shut = close), div(later(async () => (await import("./beside.js")).taskBeside, task, id, rows))),
    });
    if (query.peek().get("task") === id) setQuery({ task: null });
  });
  return () => (clearTimeout(turn), shut());
}
