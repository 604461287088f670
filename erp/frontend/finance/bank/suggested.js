// The first suggestion for a bank line: what it is, why, and the button that takes it.
import { t, tn } from "../../core/i18n.js";
import { tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { pill } from "../../ui/pill.js";

const { div, span } = tags;

export function suggested({ suggestions }, take) {
  const [first, ...others] = suggestions;
  if (!first) return pill(t("no match"), "info");
  const sign = first.isSure ? ["●", t("sure")] : ["○", t("likely")];
  return div(
    { class: "suggested" },
    span({ class: first.isSure ? "good" : "soft", "aria-hidden": "true" }, sign[0]),
    span({ class: "visually-hidden" }, sign[1]),
    span(
      { class: "suggested-words" },
      span(nameOf(first)),
      span({ class: "small soft" }, first.reason, others.length > 0 && ` · ${more(others.length)}`),
    ),
    take && button(t.of("verb", "Match"), () => take(first), { isSmall: true }),
  );
}

const more = (n) => tn("{n} other", "{n} others", n);

function nameOf({ items, entries, accountCode, accountName }) {
  if (accountCode) return `→ ${accountCode} ${accountName}`;
  if (items.length) return `${items.map(({ itemNumber }) => itemNumber).join(", ")} ${items[0].contactName}`;
  const [{ documentNumber, entryNumber, description }] = entries;
  const number = documentNumber ?? entryNumber;
  if (entries.length > 1) return `${number} …`;
  return description.includes(number) ? description : `${number} ${description}`;
}
