// A task as a panel over the list or board it was opened from: `?task=` in the address, so that Back closes it and a link
// to it shows the same.
import { address } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { bind } from "../../core/keys.js";
import { neighboursIn } from "../../core/neighbours.js";
import { tried } from "../../core/notices.js";
import { go, path, query, setQuery } from "../../core/router.js";
import { may } from "../../core/session.js";
import { resource } from "../../core/store.js";
import { computed, effect, tags, untracked } from "../../core/view.js";
import { button, link } from "../../ui/button.js";
import { panel } from "../../ui/dialog.js";
import { pager } from "../../ui/pager.js";
import { loaded } from "../../ui/skeleton.js";
import { comments } from "./comments.js";
import { taskForm } from "./form.js";
import { logTime } from "../time/dialog.js";
import { statusPill } from "../names.js";
import { spent } from "./time.js";
import { timer, timerAction, toggleTimer } from "../time/timer.js";

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
      body: (close) => ((shut = close), body(task, id, rows)),
    });
    if (query.peek().get("task") === id) setQuery({ task: null });
  });
  return () => (clearTimeout(turn), shut());
}

function body(task, id, rows) {
  const running = timer();
  const get = () => task.value;
  const log = () => get() && logTime(get());
  const time = () => get() && toggleTimer(get());
  const isWorker = may("time.write_own");
  if (isWorker) {
    bind({
      l: { text: t("Log time"), run: log },
      s: { text: t("Start or stop timer"), run: () => void tried(time) },
    });
  }
  const timerText = () => timerAction(get(), running.value).name;
  const head = () =>
    div(
      { class: "row" },
      () => statusPill(get()),
      isWorker &&
        [
          button(t("Log time"), log, { icon: "clock", key: "l", isSmall: true }),
          button(timerText, time, { icon: "play", key: "s", isSmall: true }),
        ],
      pager(neighboursIn(rows, id), (other) =>
        address(path.peek(), { ...Object.fromEntries(query.peek()), task: other.id })),
      link(t("Open as a page"), `/tasks/${id}`, { kind: "plain" }),
    );
  const element = div(
    { class: "stack" },
    loaded(task, () => div({ class: "stack" }, head(), taskForm(get), spent(id, get), comments(id))),
  );
  queueMicrotask(() => element.closest("dialog")?.querySelector("h2").focus()); // not in a field, so that "l" is a key
  return element;
}
