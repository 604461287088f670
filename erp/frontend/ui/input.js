// Text.
import { t } from "../core/i18n.js";
import { bind, keyOf } from "../core/keys.js";
import { effect, onDrop, tags } from "../core/view.js";
import { icon } from "./icon.js";

// What every control of text may be told.
export function shared(
  {
    name = null,
    label = null,
    placeholder = null,
    autocomplete = "off",
    maxlength = null,
    isReadOnly = false,
    isOff = false,
    autofocus = false,
    id = null,
  },
) {
  return {
    name,
    id,
    "aria-label": label,
    placeholder,
    autocomplete,
    maxlength,
    readonly: isReadOnly,
    disabled: isOff,
    "data-autofocus": autofocus ? "" : null,
    dir: "auto",
  };
}

export const textInput = ({ value, type = "text", onkeydown = () => {}, inputmode = null, ...about }) =>
  tags.input({
    class: "input",
    type,
    inputmode,
    spellcheck: type === "text" ? null : "false",
    ...shared(about),
    value: () => value.value ?? "",
    oninput: (event) => void (value.value = event.target.value),
    onkeydown,
  });

// Grows with what is typed.
export const textArea = ({ value, rows = 3, ...about }) =>
  tags.textarea({
    class: "input",
    rows,
    ...shared(about),
    value: () => value.value ?? "",
    oninput: (event) => void (value.value = event.target.value),
  });

// Writes after a short pause; `/` goes there and Escape clears it.
export function searchField({ value, label = t("Search"), delay = 200, key = "/" }) {
  let timer = null;
  const write = (text) => void (value.value = text);
  const input = tags.input({
    class: "input",
    type: "search",
    dir: "auto",
    "aria-label": label,
    placeholder: label,
    autocomplete: "off",
    "aria-keyshortcuts": key,
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(() => write(input.value.trim()), delay);
    },
    onkeydown: (event) => {
      if (keyOf(event) !== "Escape" || !input.value) return;
      event.preventDefault();
      [input.value, value.value] = ["", ""];
    },
  });
  effect(() => {
    const text = value.value ?? "";
    if (document.activeElement !== input) input.value = text;
  });
  onDrop(() => clearTimeout(timer));
  if (key) bind({ [key]: { text: label, run: () => input.focus() } });
  return tags.div({ class: "search" }, icon("search"), input);
}
