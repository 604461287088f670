// Clocking in and out, with the time of today that goes on by itself.
import { send } from "../../core/api.js";
import { duration, longDay, time } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { inverse } from "../../core/undo.js";
import { changed } from "../../core/store.js";
import { effect, onDrop, signal, tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { pill } from "../../ui/pill.js";

const MINUTE = 60_000; // ms
const { div, p } = tags;

// `get` answers `hr/me`; `correct(day)` asks for a correction of a day that was not ended.
export function clock(get, correct) {
  const passed = signal(0); // minutes since the answer
  effect(() => {
    get();
    passed.value = 0;
  });
  const timer = setInterval(() => void (passed.value += get()?.openAttendance ? 1 : 0), MINUTE);
  onDrop(() => clearInterval(timer));
  const worked = (part) => duration((part?.workedMinutes ?? 0) + passed.value);
  return div({ class: "clock stack-tight" }, () => {
    const { openAttendance: open, today, week } = get();
    return [
      button(
        open ? [t("Clock out"), div({ class: "key-figure" }, () => worked(today))] : t("Clock in"),
        () => (open ? clockOut() : clockIn()),
        { kind: "main", icon: open ? "log-out" : "log-in" },
      ),
      p(
        { class: "soft" },
        open
          ? t("Since {time}", { time: time(open.since) })
          : today?.workedMinutes
          ? t("Today {worked} of {due}", { worked: worked(today), due: duration(today.expectedMinutes) })
          : t("Not clocked in today."),
      ),
      open?.remedy &&
      p(
        { class: "row" },
        pill(t("not ended"), "warn"),
        button(t("Enter when you clocked out on {day}", { day: longDay(open.date) }), () => correct(open.date), {
          isSmall: true,
        }),
      ),
      week &&
      p(
        { class: "soft" },
        () => t("This week {worked} of {due}", { worked: worked(week), due: duration(week.expectedMinutes) }),
      ),
    ];
  });
}

const renew = () => changed("/hr/", "/workspace/home");

async function clockIn() {
  await send("POST", "/hr/attendance/clock-in", {});
  renew();
}

async function clockOut() {
  await send("POST", "/hr/attendance/clock-out", {});
  renew();
  inverse(t("Clocked out."), async () => {
    await send("POST", "/hr/attendance/clock-in", {});
    renew();
  });
}
