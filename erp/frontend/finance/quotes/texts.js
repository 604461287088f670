// The texts before and after the lines of a quote.
import { t } from "../../core/i18n.js";
import { tags } from "../../core/view.js";
import { field } from "../../ui/field.js";
import { textArea } from "../../ui/input.js";

export function textsAround(fields) {
  const text = (name, label) =>
    field({ label, name, isOptional: true, isWide: true }, textArea({ value: fields[name], name, rows: 3 }));
  return tags.div(
    { class: "fields" },
    text("intro", t("Text before the lines")),
    text("closing", t("Text after the lines")),
  );
}
