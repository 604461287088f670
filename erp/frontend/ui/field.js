// A control with its label, its hint and a place for what is wrong.
import { t } from "../core/i18n.js";
import { tags } from "../core/view.js";

let count = 0;

export const inputOf = (
  control,
) => (control.matches("input, select, textarea") ? control : control.querySelector("input, select, textarea"));

export function field(
  {
    label,
    name = null,
    hint = null,
    isOptional = false,
    note = isOptional ? t("optional") : null,
    isWide = false,
    isHidden = false,
  },
  control,
) {
  const id = `field-${(count += 1)}`;
  const input = inputOf(control);
  if (input) {
    input.id ||= `${id}-input`;
    if (name && !input.name) input.name = name;
    if (hint) {
      input.setAttribute(
        "aria-describedby",
        [input.getAttribute("aria-describedby"), `${id}-hint`].filter(Boolean).join(" "),
      );
    }
  }
  const words = tags.label(
    { class: isHidden ? "visually-hidden" : "", for: input?.id ?? null },
    tags.span({ class: "field-label" }, label),
    note && tags.span({ class: "field-optional" }, note),
  );
  return tags.div(
    { class: `field${isWide ? " is-wide" : ""}` },
    words,
    control,
    hint && tags.p({ class: "field-hint", id: `${id}-hint` }, hint),
  );
}
