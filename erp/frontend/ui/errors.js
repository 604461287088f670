// What was refused, at the fields that it concerns: all are marked, the first has the focus, a summary names them.
import { t } from "../core/i18n.js";
import { alarm } from "../core/notices.js";
import { tags } from "../core/view.js";
import { icon } from "./icon.js";

let count = 0;
/** The controls that were marked, with what each of them held then. */
const refused = new WeakMap();

const named = (form, field) => form.querySelector(`[name="${CSS.escape(field)}"], [data-name="${CSS.escape(field)}"]`);

// The control of a field; `lines[2]` alone is its first control, and one text can hold a whole list.
function controlOf(form, field) {
  if (!field) return null;
  return named(form, field) ??
    form.querySelector(`[name^="${CSS.escape(field)}["], [name^="${CSS.escape(field)}."]`) ??
    named(form, field.replace(/\[\d+\]$/, ""));
}

export function labelOf(control) {
  const legend = control.closest("fieldset")?.querySelector("legend");
  const label = control.labels?.[0]?.querySelector(".field-label, .check-text") ?? control.labels?.[0];
  return control.getAttribute("aria-label") ?? label?.textContent ?? legend?.textContent ?? control.name;
}

// Mark a control until it is changed.
export function mark(control, message) {
  unmark(control);
  const box = control.closest(".field, .cell, fieldset") ?? control.parentElement;
  control.closest("details")?.setAttribute("open", "");
  const text = tags.p({ class: "field-error", id: `error-${(count += 1)}` }, icon("circle-alert"), tags.span(message));
  box.append(text);
  box.classList.add("has-error");
  control.setAttribute("aria-invalid", "true");
  control.setAttribute(
    "aria-describedby",
    [control.getAttribute("aria-describedby"), text.id].filter(Boolean).join(" "),
  );
  refused.set(control, heldBy(control));
  for (const type of ["input", "change"]) control.addEventListener(type, unmarkChanged);
}

// To leave a field that was typed in and sent by a key is a change to the browser, though nothing has changed since.
function unmarkChanged({ currentTarget: control }) {
  if (!("value" in control) || heldBy(control) !== refused.get(control)) unmark(control);
}

const heldBy = (control) =>
  control.files?.[0] ?? (["checkbox", "radio"].includes(control.type) ? control.checked : control.value);

export function unmark(control) {
  if (control.getAttribute("aria-invalid") !== "true") return;
  control.removeAttribute("aria-invalid");
  const box = control.closest(".has-error");
  const ids = (control.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => !id.startsWith("error-"));
  ids.join("") ? control.setAttribute("aria-describedby", ids.join(" ")) : control.removeAttribute("aria-describedby");
  box?.querySelectorAll(":scope > .field-error").forEach((one) => one.remove());
  box?.classList.remove("has-error");
}

export function clearErrors(form) {
  form.querySelectorAll("[aria-invalid=true]").forEach(unmark);
  form.querySelectorAll(":scope > .form-errors").forEach((one) => one.remove());
}

// Show a refusal { message, details: [{ field, message }] } in a form, or in any element with controls.
export function fieldErrors(form, refusal) {
  clearErrors(form);
  const found = (refusal.details ?? []).map((detail) => ({ ...detail, control: controlOf(form, detail.field) }));
  const marked = new Set();
  for (const { control, message } of found) {
    if (!control || marked.has(control)) continue;
    marked.add(control);
    mark(control, message);
  }
  const box = summary(refusal, found);
  form.prepend(box);
  alarm([refusal.message, ...found.map(({ message }) => message)].join(" "));
  const first = form.querySelector("[aria-invalid=true]");
  if (!first) box.focus();
  else first.focus();
}

// Where what refuses can be changed.
const PLACES = { period_locked: () => tags.a({ href: "/close" }, t.of("books", "Close")) };

function summary({ message, code }, found) {
  const line = ({ control, field, message: text }) =>
    tags.li(control ? pointer(control, text) : [field && tags.code(field), " ", text]);
  return tags.div(
    { class: "form-errors alert is-bad", tabindex: "-1" },
    icon("circle-alert"),
    tags.div({ class: "alert-text" }, tags.p(message), PLACES[code]?.(), found.length > 0 && tags.ul(found.map(line))),
  );
}

const pointer = (
  control,
  text,
) => [
  tags.button({ type: "button", class: "as-link", onclick: () => control.focus() }, labelOf(control)),
  tags.span(" – "),
  text,
];
