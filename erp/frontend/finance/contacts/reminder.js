// The figures of a reminder as text: what of a customer is overdue, copied at once.
import { address, getAll } from "../../core/api.js";
import { day, money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { notify, tried } from "../../core/notices.js";
import { tags } from "../../core/view.js";
import { dialog } from "../../ui/dialog.js";

export const remindOf = (contact) => tried(() => remind(contact));

async function remind({ id, name }) {
  const items = await getAll(
    address("/finance/open-items", { contactId: id, side: "receivable", isOverdue: "true", sort: "dueDate" }),
  );
  if (!items.length) return void notify(t("{name} has no overdue amounts.", { name }));
  const text = items.map(lineOf).join("\n");
  const shown = tags.textarea({
    class: "input",
    rows: Math.min(12, items.length + 1),
    readonly: true,
    "aria-label": t("Payment reminder"),
    autofocus: true,
    onfocus: (event) => event.target.select(),
  }, text);
  const left = dialog({
    title: t("Overdue of {name}", { name }),
    size: "wide",
    body: () =>
      tags.div({ class: "stack" }, tags.p({ class: "soft" }, t("Copied. Paste it into your message.")), shown),
  });
  await copied(shown, text);
  await left;
}

const lineOf = ({ number, documentDate, dueDate, daysOverdue, open, currency }) =>
  tn(
    "{number} of {date}, due {due} ({n} day ago): {amount}",
    "{number} of {date}, due {due} ({n} days ago): {amount}",
    daysOverdue,
    {
      number: number ?? "",
      date: day(documentDate),
      due: day(dueDate),
      amount: money(open, currency, { withCurrency: true }),
    },
  );

// Browsers offer no clipboard over plain http from another computer: then the selected text is copied.
async function copied(shown, text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    shown.select();
    document.execCommand("copy");
  }
}
