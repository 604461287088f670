// Draft quotes that are deleted: gone from the list at once, deleted a little later, back if that is undone.
import { send } from "../../core/api.js";
import { forgetDraftsOf } from "../../core/drafts.js";
import { t } from "../../core/i18n.js";
import { go } from "../../core/router.js";
import { changed } from "../../core/store.js";
import { heldBackFrom } from "../../core/undo.js";
import { signal } from "../../core/view.js";
import { numberOf, QUOTES, TOUCHED } from "./words.js";

const gone = signal(new Set());

export const isDiscarded = ({ id }) => gone.value.has(id);

export async function discard(quote) {
  const { id, version, number, customerName } = quote;
  await go("/quotes"); // first: there is nothing left to see here
  const text = number
    ? t("Draft of {name} deleted.", { name: numberOf(quote) })
    : t("Draft for {name} deleted.", { name: customerName });
  return heldBackFrom(gone, id, text, async (options) => {
    await send("DELETE", `${QUOTES}/${id}`, undefined, { ...options, version });
    forgetDraftsOf(id);
    changed(...TOUCHED);
  });
}
