// Issuing a quote from its editor.
import { send } from "../../core/api.js";
import { money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { go } from "../../core/router.js";
import { changed } from "../../core/store.js";
import { confirm } from "../../ui/dialog.js";
import { nameOfContact } from "../contacts/choice.js";
import { namesOf } from "../documents/states.js";
import { numberOf, QUOTES, TOUCHED } from "./words.js";

// A new quote is saved before anything is asked, so that it is a draft whatever the answer.
// The record that `state` had before is still in it.
export async function issue({ record, fields, kept }, saved) {
  const isNew = !record.peek();
  record.value = saved;
  const party = fields.contactId.peek() ? await nameOfContact(fields.contactId.peek()) : "";
  if (!(await confirm(question(saved, party)))) {
    kept.clear({ goesOn: true });
    if (isNew) await go(`/quotes/${saved.id}/edit`, { replace: true });
    return;
  }
  const issued = await send("POST", `${QUOTES}/${saved.id}/issue`, {}, { version: saved.version });
  kept.clear();
  changed(...TOUCHED);
  notify(t("{number} issued.", { number: issued.number }), { kind: "good" });
  await go(`/quotes/${issued.id}`, { replace: true });
}

const question = (quote, party) => ({
  title: quote.number ? t("Issue {name}?", { name: numberOf(quote) }) : t("Issue this quote?"),
  text: t("The quote gets its number. Nothing is posted, and you can revise it later."),
  figures: [
    [namesOf({}).contactId, party],
    [t("Total"), money(quote.total, quote.currency, { withCurrency: true })],
  ],
  verb: t("Issue"),
});
