// Drafts of invoices and bills that are deleted: gone from the list at once, deleted a little later, back if that is undone.
import { send } from "../../core/api.js";
import { forgetDraftsOf } from "../../core/drafts.js";
import { t } from "../../core/i18n.js";
import { go } from "../../core/router.js";
import { changed } from "../../core/store.js";
import { heldBackFrom } from "../../core/undo.js";
import { signal } from "../../core/view.js";
import { TOUCHED } from "../payments/touched.js";
import { isPurchase, listOf, partyOf } from "./states.js";

export const gone = signal(new Set());

export const isDiscarded = ({ id }) => gone.value.has(id);

export async function discard(document) {
  const { id, version } = document;
  await go(listOf(isPurchase(document)).href); // first: there is nothing left to see here
  const text = t("Draft for {name} deleted.", { name: partyOf(document).name ?? t("no one yet") });
  return heldBackFrom(gone, id, text, async (options) => {
    await send("DELETE", `/finance/invoices/${id}`, undefined, { ...options, version });
    forgetDraftsOf(id);
    changed(...TOUCHED);
  });
}
