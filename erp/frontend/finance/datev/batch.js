// A batch for DATEV: made, and downloaded at once.
import { download, newKey, send } from "../../core/api.js";
import { tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { changed } from "../../core/store.js";

export const STACKS = "/finance/datev/stacks";

export async function makeBatch({ dateFrom, dateTo }, { key = newKey(), close = () => {} } = {}) {
  const made = await send("POST", STACKS, { dateFrom, dateTo }, { key });
  changed(STACKS, "/finance/periods");
  close();
  notify(tn("{n} entry in the batch.", "{n} entries in the batch.", made.entries), { kind: "good" });
  await download(`${STACKS}/${made.id}/file`);
}
