// Erasing a person: what goes, what stays until when and why, and then a reason.
import { newKey, send } from "../core/api.js";
import { day } from "../core/format.js";
import { t, tn } from "../core/i18n.js";
import { notify } from "../core/notices.js";
import { changed } from "../core/store.js";
import { signal, tags } from "../core/view.js";
import { alert } from "./alert.js";
import { dialog } from "./dialog.js";
import { field } from "./field.js";
import { form } from "./form.js";
import { textInput } from "./input.js";
import { kindText } from "./personal_kinds.js";

const { div, h3, li, p, span, ul } = tags;

export async function erase(kind, { id, name }) {
  const path = `/workspace/people/${kind}/${id}/erase`;
  const planned = await send("POST", path, { dryRun: true });
  return dialog({
    title: t("Erase {name}", { name }),
    size: "wide",
    body: (close) => (planned.erases.length ? asking(planned, path, close) : shown(planned)),
  });
}

function asking(planned, path, close) {
  const reason = signal("");
  const key = newKey();
  const run = async () => {
    const done = await send("POST", path, { reason: reason.value }, { key });
    changed("/hr/", "/finance/contacts", "/workspace/");
    close();
    notify(t("Erased. The name is now {name}.", { name: done.name }), { kind: "good" });
  };
  return form(
    { run, submit: t("Erase for good"), kind: "danger", cancel: () => close(), label: t("Erasure") },
    shown(planned),
    alert({ kind: "warn", text: t("This cannot be undone. The log stays valid, and says that something was erased.") }),
    field(
      { label: t("Reason"), name: "reason", hint: t("It stays in the log, so leave the name out.") },
      textInput({ value: reason, name: "reason" }),
    ),
  );
}

const shown = ({ erases, keeps, mentions, redactedEvents, backupsUntil }) =>
  div(
    { class: "stack" },
    rows(t("Goes now"), erases, ({ kind, count }) => [kindText(kind), tn("{n} row", "{n} rows", count)]),
    rows(t("Stays"), keeps, ({ kind, until, why }) => [
      kindText(kind),
      until ? t("until {day}", { day: day(until) }) : null,
      why,
    ]),
    mentions.length > 0 && p(
      tn(
        "{n} text of projects, tasks, comments, time and file names has this name, and stays: search for it.",
        "{n} texts of projects, tasks, comments, time and file names have this name, and stay: search for them.",
        mentions.reduce((sum, { count }) => sum + count, 0),
      ),
    ),
    p(
      { class: "soft small" },
      tn("{n} entry of the log says less afterwards.", "{n} entries of the log say less afterwards.", redactedEvents),
      " ",
      t("Daily backups hold the data until {day}.", { day: day(backupsUntil) }),
    ),
  );

const rows = (title, all, texts) =>
  div(
    h3(title),
    all.length
      ? ul({ class: "plain-list" }, all.map((one) => li(line(texts(one)))))
      : p({ class: "soft" }, t("Nothing.")),
  );

const line = ([name, ...more]) =>
  span(name, ...more.filter(Boolean).map((text) => span({ class: "soft" }, ` · ${text}`)));
