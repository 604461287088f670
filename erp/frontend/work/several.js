// Several of many: each that is chosen can be taken out again, and a field finds the next one.
import { t } from "../core/i18n.js";
import { signal, tags } from "../core/view.js";
import { iconButton } from "../ui/button.js";
import { combobox } from "../ui/combobox.js";

const { a, div, span } = tags;

// `value` is a signal of their ids and `options(typed)` answers those to choose from; `nameOf(id)` is the text of one
// that was not just chosen, and `href(id)` leads to it.
export function several({ value, name, options, nameOf, placeholder, href = null }) {
  const next = signal("");
  const chosen = new Map();
  const textOf = (id) => chosen.get(id) ?? nameOf(id);
  const left = async (typed) => (await options(typed)).filter((option) => !value.peek().includes(option.value));
  const choose = (option) => {
    chosen.set(option.value, option.chosenText ?? option.text);
    value.value = [...value.peek(), option.value];
    next.value = "";
  };
  const remove = (id) => {
    value.value = value.peek().filter((one) => one !== id);
    element.querySelector("input").focus();
  };
  const chip = (id) =>
    span(
      { class: "chip", role: "listitem" },
      href ? a({ class: "chip-open", href: href(id) }, textOf(id)) : span({ class: "chip-open" }, textOf(id)),
      iconButton("x", t("Remove {name}", { name: textOf(id) }), () => remove(id), { isSmall: true }),
    );
  const element = div(
    { class: "stack-tight" },
    combobox({ value: next, name, options: left, choose, placeholder }),
    () => (value.value.length ? div({ class: "row", role: "list" }, value.value.map(chip)) : null),
  );
  return element;
}
