// The tax rates of lines: the rates of the side, the usual one, and warnings where one hardly fits.
import { percent } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { resource } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { pill } from "../../ui/pill.js";

// What a line without a rate of its own has: the contact's, else the workspace's.
export function usualWords(contactId) {
  const rates = resource("/finance/tax-rates?limit=200");
  const contact = resource(() => contactId.value ? `/finance/contacts/${contactId.value}` : null);
  return () => {
    const id = contact.value?.defaultTaxRateId;
    const usual = (rates.value ?? []).find((one) => id ? one.id === id : one.isDefault);
    return usual ? t("as usual ({percent})", { percent: percent(usual.rate) }) : t("as usual");
  };
}

// The server numbers the lines that were sent; the form has blank ones between them.
export function warnings(lines, preview) {
  const at = ({ field }) => lines.rows.value.indexOf(lines.sent.value[Number(/^lines\[(\d+)\]/.exec(field)?.[1])]);
  const words = (one) => at(one) < 0 ? one.message : t("Line {n}: {message}", { n: at(one) + 1, message: one.message });
  return tags.div(
    { class: "stack-tight", role: "status" },
    () =>
      (preview.value?.warnings ?? []).filter(({ field }) => !field.startsWith("printedTax")).map((one) =>
        tags.p({ class: "row small" }, pill(t("Check"), "warn"), words(one))
      ),
  );
}
