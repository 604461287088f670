// Where everything is kept, how safe it is there, and a backup at a click.
import { get, post } from "../api.js";
import { element, paragraph } from "./element.js";
import { form } from "./form.js";

export function upkeep({ dataDirectory, backups, warnings, workspaces }) {
  const last = paragraph(lastBackup(backups.lastGoodAt));
  const broken = workspaces.filter((each) => each.fault).map((each) => `${each.name}: ${each.fault}`);
  const backUp = form([], "Make a backup now", async () => {
    await post("/system/backups");
    last.textContent = lastBackup((await get("/system/info")).backups.lastGoodAt);
  });
  last.setAttribute("role", "status");
  return element(
    "div",
    {},
    paragraph("All data is in ", element("code", {}, dataDirectory), ", a backup of it in the folder ", element("code", {}, "backups"), " there."),
    last,
    ...[...restoring(backups.restoredAtNextStart), ...broken, ...warnings].map((each) => element("p", { class: "note" }, each)),
    backUp,
  );
}

function restoring(name) {
  return name ? [`The next start puts the backup ${name} in place of this data; what is done until then is set aside.`] : [];
}

function lastBackup(at) {
  if (!at) return "There is no backup yet; one is made every day.";
  const when = new Date(at).toLocaleString("en", { dateStyle: "long", timeStyle: "short" });
  return `The last good backup was made on ${when}; one is made every day.`;
}
