// The timer of the user: shown in the header of every screen, and started and stopped from each by "s".
import { get, send } from "../../core/api.js";
import { duration } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { bind } from "../../core/keys.js";
import { notify, tried } from "../../core/notices.js";
import { changed, firstPage, resource } from "../../core/store.js";
import { may } from "../../core/session.js";
import { effect, onDrop, signal, tags } from "../../core/view.js";
import { perform } from "../../ui/actions.js";
import { icon } from "../../ui/icon.js";
import { menu } from "../../ui/menu.js";
import { TOUCHED } from "../names.js";

const MINUTE = 60_000; // ms

// What runs now, of those who log time.
export const timer = () => resource(() => (may("time.write_own") ? "/tasks/timer" : null));

// One task at a time: what runs is logged before another one begins, and "s" on the task that runs stops it.
export async function toggleTimer({ id }) {
  const running = await get("/tasks/timer");
  if (running.isRunning) await stopTimer();
  if (running.taskId === id) return;
  await send("POST", `/tasks/${id}/timer/start`, {});
  changed(...TOUCHED);
}

async function stopTimer() {
  const log = await send("POST", "/tasks/timer/stop", {});
  changed(...TOUCHED);
  notify(t("{duration} logged on {key}.", { duration: duration(log.minutes), key: log.taskKey }), { kind: "good" });
}

// The action of a task, for its screen, its row and its panel.
export const timerAction = (task, running) => ({
  name: running?.taskId === task.id ? t("Stop timer") : t("Start timer"),
  key: "s",
  icon: running?.taskId === task.id ? "square" : "play",
  may: "time.write_own",
  run: () => toggleTimer(task),
});

// What has run is not logged.
const discard = async () => {
  await send("DELETE", "/tasks/timer");
  changed(...TOUCHED);
};

const discarding = ({ key, minutes }) => ({
  name: t("Discard timer"),
  icon: "ban",
  danger: true,
  may: "time.write_own",
  asks: {
    title: t("Discard the timer on {key}?", { key }),
    text: t("{duration} will not be logged.", { duration: duration(minutes) }),
  },
  run: discard,
});

export const discardAction = ({ id, key }, running) =>
  running?.taskId === id && discarding({ key, minutes: running.minutes });

// In the header: what runs, or the task that was worked on last, to go on with.
export function timerButton() {
  if (!may("time.write_own")) return null;
  const now = timer();
  const logs = firstPage(() => (now.value && !now.value.isRunning ? "/tasks/time-logs?userId=me&limit=1" : null));
  const at = () => (now.value?.isRunning ? now.value : (logs.value?.[0] ?? null));
  const passed = minutesSince(() => now.value);
  const run = () => void tried(() => toggleTimer({ id: at().taskId }));
  bind({ s: { text: t("Start or stop timer"), isOn: () => Boolean(at()), run } }, { isEverywhere: true });
  const button = (name, ...content) =>
    tags.button(
      { type: "button", class: "button is-plain timer", onclick: run, "aria-label": name, title: name },
      content,
    );
  const text = (task) => tags.span({ class: "only-wide" }, task.taskKey);
  const more = tags.span({ class: "only-wide" }, menu({ title: t("Timer"), items: () => [menuEntry(at(), passed)] }));
  return () => {
    const task = at();
    if (!task) return null;
    if (!now.value.isRunning) {
      return button(t("Start timer on {key}", { key: task.taskKey }), icon("play"), text(task));
    }
    return [
      button(
        t("Stop timer on {key}", { key: task.taskKey }),
        icon("square"),
        () => duration(task.minutes + passed.value),
        text(task),
      ),
      more,
    ];
  };
}

function menuEntry({ taskKey, minutes }, passed) {
  const action = discarding({ key: taskKey, minutes: minutes + passed.peek() });
  return { ...action, run: () => perform(action) };
}

// Minutes since the last answer.
function minutesSince(answer) {
  const passed = signal(0);
  effect(() => {
    answer();
    passed.value = 0;
  });
  const going = setInterval(() => void (passed.value += 1), MINUTE);
  onDrop(() => clearInterval(going));
  return passed;
}
