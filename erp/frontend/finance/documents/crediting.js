// Crediting what remains of an invoice or a bill, in the words of each: ours is issued, a supplier's is posted.
import { money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { go } from "../../core/router.js";
import { signal, tags } from "../../core/view.js";
import { dateField } from "../../ui/date.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { tellIssued } from "./issue.js";
import { isPurchase, nameOf, pathOf } from "./states.js";

const wordsOf = (document, amount) =>
  isPurchase(document)
    ? {
      title: t("Record a supplier credit note for {name}?", { name: nameOf(document) }),
      text: t("A supplier credit note is posted for the remaining amount: {amount}.", { amount }),
      verb: t("Post supplier credit note"),
    }
    : {
      title: t("Create a credit note for {name}?", { name: nameOf(document) }),
      text: t("A credit note is issued for the remaining amount: {amount}.", { amount }),
      verb: t("Issue credit note"),
    };

// `act` asks the server to do it, with the body.
export async function credit(document, act) {
  const { title, text, verb } = wordsOf(document, money(document.total, document.currency, { withCurrency: true }));
  const [reason, date] = [signal(""), signal("")];
  const body = () => ({ ...(reason.value && { reason: reason.value }), ...(date.value && { date: date.value }) });
  const note = await dialog({
    title,
    body: (close) =>
      form(
        { run: async () => close(await act("credit", body())), submit: verb, cancel: () => close() },
        tags.p(text),
        field({ label: t("Reason"), name: "reason", isOptional: true }, textInput({ value: reason, name: "reason" })),
        field(
          { label: t("Date"), name: "date", isOptional: true, hint: t("Default: today.") },
          dateField({ value: date, name: "date" }),
        ),
      ),
  });
  if (!note) return;
  tellIssued(note);
  await go(pathOf(note));
}
