// Chosen records archived, or taken out of the archive, with a way back.
import { send } from "../../core/api.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { changed } from "../../core/store.js";
import { inverse } from "../../core/undo.js";

export async function archiveAll(rows, path, selected = null, verb = "archive") {
  const done = await each(rows, path, verb);
  if (selected) selected.value = new Set();
  const text = verb === "archive"
    ? tn("{n} archived.", "{n} archived.", done.length)
    : tn("{n} unarchived.", "{n} unarchived.", done.length);
  if (done.length) inverse(text, () => each(done, path, verb === "archive" ? "unarchive" : "archive"));
}

// One by one; those that are refused stay as they are, and their reasons are told.
async function each(rows, path, verb) {
  const [done, reasons] = [[], new Set()];
  for (const { id, version } of rows) {
    const sent = send("POST", `${path}/${id}/${verb}`, {}, { version });
    const now = await sent.catch((refusal) => void reasons.add(refusal.reason));
    if (now) done.push(now);
  }
  changed(path);
  const left = rows.length - done.length;
  if (left) notify(t("{n} not: {reason}", { n: left, reason: [...reasons].join(" ") }), { kind: "bad" });
  return done;
}
