// What a document or payment has posted: the lines of its journal entry, read when they are opened.
import { money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { currency } from "../../core/session.js";
import { resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { loaded } from "../../ui/skeleton.js";

const { a, details, div, summary, table, tbody, td, th, thead, tr } = tags;

export function entry(id, number) {
  if (!id) return null;
  const isOpen = signal(false);
  return details(
    { class: "more", ontoggle: (event) => void (isOpen.value = event.currentTarget.open) },
    summary(t("Entry {number}", { number })),
    div(
      { class: "more-body" },
      () => isOpen.value && loaded(resource(`/finance/journals/${id}`), (get) => lines(get(), number), { rows: 3 }),
    ),
  );
}

function lines(journal, number) {
  const figure = (amount) => td({ class: "figure" }, amount ? money(amount, currency()) : "");
  return div(
    { class: "stack-tight" },
    grid(journal, number, figure),
    a({ href: `/journals/${journal.id}` }, t("Open the entry")),
  );
}

function grid(journal, number, figure) {
  return div(
    { class: "scrolls", tabindex: "0", role: "group", "aria-label": t("Entry {number}", { number }) },
    table(
      { class: "plain" },
      thead(
        tr(
          th({ scope: "col" }, t("Account")),
          th({ scope: "col", class: "figure" }, t.of("side", "Debit")),
          th({ scope: "col", class: "figure" }, t.of("side", "Credit")),
        ),
      ),
      tbody(
        journal.lines.map((line) =>
          tr(td(`${line.accountCode} ${line.accountName}`), figure(line.debit), figure(line.credit))
        ),
      ),
    ),
  );
}
