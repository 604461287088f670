// The timer of the user: shown in the header of every screen, started on a task, stopped from anywhere.
import { send } from "../core/api.js";
import { duration } from "../core/format.js";
import { t } from "../core/i18n.js";
import { notify, tried } from "../core/notices.js";
import { changed, resource } from "../core/store.js";
import { may } from "../core/session.js";
import { effect, onDrop, signal, tags } from "../core/view.js";
import { icon } from "../ui/icon.js";

const MINUTE = 60_000; // ms
const TOUCHED = ["/tasks", "/projects", "/workspace/home"];

export async function startTimer(task) {
  await send("POST", `/tasks/${task.id}/timer/start`, {});
  changed(...TOUCHED);
}

export async function stopTimer() {
  const log = await send("POST", "/tasks/timer/stop", {});
  changed(...TOUCHED);
  notify(t("{duration} logged on {key}.", { duration: duration(log.minutes), key: log.taskKey }), { kind: "good" });
}

export function timerButton() {
  if (!may("time.write_own")) return null;
  const timer = resource("/tasks/timer");
  const passed = signal(0); // minutes since the answer
  effect(() => {
    timer.value;
    passed.value = 0;
  });
  const going = setInterval(() => void (passed.value += 1), MINUTE);
  onDrop(() => clearInterval(going));
  return () =>
    timer.value?.isRunning
      ? tags.button(
          { type: "button", class: "button is-plain", onclick: () => tried(stopTimer), "aria-label": t("Stop the timer on {key}", { key: timer.value.taskKey }) },
          icon("square"),
          () => duration(timer.value.minutes + passed.value),
          tags.span({ class: "only-wide" }, timer.value.taskKey),
        )
      : null;
}
