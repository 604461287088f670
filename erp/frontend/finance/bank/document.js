// The document that a suggestion for a bank line is about, beside the list.
import { get } from "../../core/api.js";
import { day, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { link } from "../../ui/button.js";
import { panel } from "../../ui/dialog.js";
import { facts } from "../../ui/facts.js";
import { later } from "../../ui/later.js";
import { nameOf, partyOf, pathOf } from "../documents/states.js";

export async function showDocument({ suggestions, currency }) {
  const about = suggestions.find(({ items, entries }) => items.length + entries.length);
  const [item] = about.items;
  if (item?.documentType !== "invoice") return showEntry(item, about.entries[0], currency);
  const document = await get(`/finance/invoices/${item.documentId}`);
  const shown = (amount) => money(amount, document.currency, { withCurrency: true });
  return panel({
    title: nameOf(document),
    body: () => [
      facts([
        [t("Payer or payee"), partyOf(document).name],
        [t("Date"), day(document.issueDate)],
        [t.of("column", "Due date"), day(document.dueDate)],
        [t("Total"), shown(document.total)],
        [t("Amount due"), shown(document.amountDue)],
      ]),
      later(async () => (await import("../documents/papers.js")).paperOf, document, { isInside: true }),
    ],
    actions: () => [link(t("Show"), pathOf(document))],
  });
}

const showEntry = (item, entry, currency) =>
  panel({
    title: item?.itemNumber ?? entry.description,
    body: () =>
      facts([
        [t("Payer or payee"), item?.contactName],
        [t("Entry"), entry?.entryNumber],
        [t("Date"), entry && day(entry.date)],
        [t("Amount"), money((item ?? entry).amount, currency, { withCurrency: true })],
      ]),
    actions: () => (entry ? [link(t("Show"), `/journals/${entry.entryId}`)] : []),
  });
