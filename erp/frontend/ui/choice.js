// One of a few, yes or no.
import { batch, effect, tags } from "../core/view.js";

let count = 0;
const all = (options) => (typeof options === "function" ? options() : options);

// Options whose values are the keys of `words`, a table of functions.
export const optionsOf = (words) => Object.entries(words).map(([value, text]) => ({ value, text: text() }));

// `empty` is the words of choosing none.
export function choice({ value, name = null, label = null, options, empty = null, isOff = false }) {
  const write = (event) =>
    void (value.value = event.target.value === ""
      ? null
      : all(options)[event.target.selectedIndex - (empty === null ? 0 : 1)].value);
  const select = tags.select({ class: "input", name, "aria-label": label, disabled: isOff, onchange: write }, () => [
    empty !== null && tags.option({ value: "" }, empty),
    all(options).map((option) => tags.option({ value: String(option.value) }, option.text)),
  ]);
  effect(() => {
    const at = all(options).findIndex((option) => option.value === value.value);
    select.selectedIndex = at + (empty === null ? 0 : 1); // none is chosen, if the value is none of them
  });
  return select;
}

const words = (text, hint) =>
  tags.span(
    { class: "check-words" },
    tags.span({ class: "check-text" }, text),
    hint && tags.span({ class: "check-hint" }, hint),
  );

export function radios({ value, name = null, label, options, isRow = false }) {
  const group = `radios-${(count += 1)}`;
  const one = (option) =>
    tags.label(
      { class: "check" },
      tags.input({
        type: "radio",
        name: group,
        checked: () => value.value === option.value,
        onchange: () => void (value.value = option.value),
      }),
      words(option.text, option.hint),
    );
  return tags.fieldset(
    { class: `radios${isRow ? " is-row" : ""}`, "data-name": name, tabindex: "-1" },
    tags.legend({ class: "field-label" }, label),
    () => all(options).map(one),
  );
}

const yesOrNo = (about, role) => {
  const { value, name = null, text, hint = null, isOff = false, onchange = null } = about;
  const write = (event) => {
    batch(() => void (value.value = event.target.checked));
    onchange?.(event.target.checked);
  };
  return tags.label(
    { class: role ? "check is-switch" : "check" },
    tags.input({ type: "checkbox", role, name, disabled: isOff, checked: () => Boolean(value.value), onchange: write }),
    words(text, hint),
  );
};

export const checkbox = (about) => yesOrNo(about, null);

// A switch: it acts at once.
export const toggle = (about) => yesOrNo(about, "switch");
