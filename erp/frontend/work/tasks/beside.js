// A task beside the list or board that it was opened from.
import { address } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { bind } from "../../core/keys.js";
import { neighboursIn } from "../../core/neighbours.js";
import { tried } from "../../core/notices.js";
import { path, query } from "../../core/router.js";
import { may } from "../../core/session.js";
import { tags } from "../../core/view.js";
import { button, link } from "../../ui/button.js";
import { pager } from "../../ui/pager.js";
import { loaded } from "../../ui/skeleton.js";
import { comments } from "./comments.js";
import { taskForm } from "./form.js";
import { logTime } from "../time/dialog.js";
import { statusPill, waitingPill } from "../names.js";
import { partOf, subtasks } from "./subtasks.js";
import { spent } from "./time.js";
import { timer, timerAction, toggleTimer } from "../time/timer.js";

const { div } = tags;

export function taskBeside(task, id, rows) {
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
      () => [statusPill(get()), waitingPill(get())],
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
    loaded(
      task,
      () => div({ class: "stack" }, head(), partOf(get), taskForm(get), spent(id, get), subtasks(get), comments(id)),
    ),
  );
  queueMicrotask(() => element.closest("dialog")?.querySelector("h2").focus()); // not in a field, so that "l" is a key
  return element;
}
