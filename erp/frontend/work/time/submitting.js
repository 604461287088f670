// One's own week of time: what state it is in, submitting it, and taking it back.
import { address, send } from "../../core/api.js";
import { days, duration } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { addDays } from "../../core/parse.js";
import { changed, resource } from "../../core/store.js";
import { alert } from "../../ui/alert.js";
import { pill } from "../../ui/pill.js";

export const WEEKS_TOUCHED = ["/tasks", "/workspace/home"];

/** @type {Record<string, [() => string, string]>} */
const STATES = {
  open: [() => t.of("week", "open"), "neutral"],
  missing: [() => t.of("week", "missing"), "bad"],
  submitted: [() => t.of("week", "submitted"), "info"],
  approved: [() => t.of("week", "approved"), "good"],
};

export const nameOfState = ({ status }) => STATES[status][0]();
export const kindOfState = ({ status }) => STATES[status][1];
export const stateOfWeek = (week) => pill(nameOfState(week), kindOfState(week));

// The week from a Monday on; two parts of it where the office parts weeks at the end of a month.
export function weeksOf(first) {
  const found = resource(() =>
    address("/tasks/time-weeks", { userId: "me", dateFrom: first(), dateTo: addDays(first(), 6), sort: "date" })
  );
  const all = () => found.value ?? [];
  const held = () => all().filter(({ status }) => status === "submitted" || status === "approved");
  const isSubmitting = () => all().some(({ status, can }) => status !== "open" || can.includes("submit"));
  return { all, held, shown: () => (isSubmitting() ? all() : []) };
}

// Why a week is open again, until it is submitted once more.
export const returned = ({ all }) =>
  all().filter(({ status, decidedByName, note }) => ["open", "missing"].includes(status) && decidedByName && note)
    .map(({ decidedByName: name, note: reason }) =>
      alert({ kind: "warn", text: t("{name} has returned this week: {reason}", { name, reason }) })
    );

// `settled` waits until what was typed is saved.
export function submitting(weeks, settled) {
  const those = (verb) => weeks.all().filter(({ can }) => can.includes(verb));
  const act = (verb, text) => async () => {
    const held = /** @type {HTMLElement} */ (document.activeElement);
    held.blur(); // what is half typed is saved
    held.focus();
    await settled();
    for (const { dateFrom } of those(verb)) await send("POST", `/tasks/time-weeks/${dateFrom}/${verb}`, {});
    changed(...WEEKS_TOUCHED);
    notify(text, { kind: "good" });
  };
  return [{
    name: t("Submit"),
    key: "Control+Enter",
    icon: "send",
    main: true,
    isShown: () => those("submit").length > 0,
    run: act("submit", t("Time submitted.")),
  }, {
    name: t("Withdraw"),
    icon: "undo-2",
    isShown: () => those("withdraw").length > 0,
    run: act("withdraw", t("Time withdrawn.")),
  }];
}

export const textOfWeek = (week) => `${duration(week.loggedMinutes)}\n${nameOfState(week)}`;
export const spanOfWeek = ({ dateFrom, dateTo }) => days(dateFrom, dateTo);
