// Where the data is, its last backup, warnings, and a button for a backup.
import { get, post } from "../api.js";
import { element, paragraph } from "./element.js";
import { form } from "./form.js";

export function upkeep({ dataDirectory, backups, warnings }) {
  const last = paragraph(lastBackup(backups.lastGoodAt));
  const backUp = form([], "Back up now", async () => {
    await post("/system/backups");
    last.textContent = lastBackup((await get("/system/info")).backups.lastGoodAt);
  });
  last.setAttribute("role", "status");
  return element(
    "div",
    {},
    paragraph("All data is in ", element("code", {}, dataDirectory), ". Its backups are in the folder ", element("code", {}, "backups"), " there."),
    last,
    ...[...restoring(backups.restoredAtNextStart), ...warnings].map((text) => element("p", { class: "note" }, text)),
    backUp,
  );
}

function restoring(name) {
  return name ? [`The backup ${name} will be restored at the next start. Changes made until then are set aside.`] : [];
}

function lastBackup(at) {
  if (!at) return "There is no backup yet. One is made every day.";
  const when = new Date(at).toLocaleString("en", { dateStyle: "long", timeStyle: "short" });
  return `The last good backup is from ${when}. One is made every day.`;
}
