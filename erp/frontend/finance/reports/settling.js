// Posting what a filed VAT return comes to, on a day and to an account, and reversing it.
import { newKey, send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { postable } from "../../ui/accounts.js";
import { combobox } from "../../ui/combobox.js";
import { dateField } from "../../ui/date.js";
import { dialog } from "../../ui/dialog.js";
import { facts } from "../../ui/facts.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { amountOf, daysOf, TOUCHED } from "./tax_return.js";

const { p } = tags;

export const settling = (filed) =>
  dialog({
    title: t("Post VAT payable?"),
    body: (close) => {
      const date = signal(null);
      const accountId = signal(null);
      const accounts = postable(({ type }) => type === "liability");
      return posting(filed, "settle", close, {
        text: t("Posts the VAT of this period to the account VAT payable."),
        submit: t("Post"),
        body: () => ({ date: date.value, accountId: accountId.value }),
        told: ({ journalEntryNumber: number }) => t("VAT payable posted as {number}.", { number }),
        fields: [
          dayField(date, t("By default the last day of the period, or today if that is locked.")),
          field(
            {
              label: t("Account"),
              name: "accountId",
              isOptional: true,
              hint: t("By default the account VAT payable."),
            },
            combobox({ value: accountId, name: "accountId", options: accounts.options, shown: accounts.name }),
          ),
        ],
      });
    },
  });

export const undoing = (filed) =>
  dialog({
    title: t("Reverse VAT payable entry?"),
    body: (close) => {
      const date = signal(null);
      return posting(filed, "settle/undo", close, {
        text: t("The entry is reversed. The return stays filed and can be posted again."),
        submit: t("Reverse entry"),
        body: () => ({ date: date.value }),
        told: () => t("The VAT payable entry has been reversed."),
        fields: dayField(date, t("By default today.")),
      });
    },
  });

const dayField = (value, hint) =>
  field({ label: t("Date"), name: "date", isOptional: true, hint }, dateField({ value, name: "date" }));

function posting(filed, verb, close, { text, submit, body, told, fields }) {
  const key = newKey();
  const run = async () => {
    const made = await send("POST", `/finance/tax-returns/${filed.id}/${verb}`, body(), { key });
    close();
    changed(...TOUCHED);
    notify(told(made));
  };
  return form(
    { run, submit, cancel: () => close() },
    p(text),
    facts([[t("Period"), daysOf(filed)], [t("VAT payable"), amountOf(filed)]]),
    fields,
  );
}
