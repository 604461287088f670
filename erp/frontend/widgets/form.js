// Fields with labels, hints and errors, and forms that send them.
import { element } from "./element.js";

const NO_ADDRESS = "Enter an e-mail address, such as anna@example.com.";
let count = 0;

// A field: `control` is its input; `name` is that of the API, so that refusals can name it. `malformed` is the message
// for a value in the wrong format.
export function field(name, label, { hint, control, malformed, ...attributes } = {}) {
  const id = `field-${(count += 1)}`;
  const input = control ?? element("input", { type: "text", ...attributes });
  const error = element("p", { class: "error", id: `${id}-error`, hidden: true });
  const note = hint && element("p", { class: "hint", id: `${id}-hint` }, hint);
  Object.assign(input, { id, name });
  input.setAttribute("aria-describedby", note ? `${id}-error ${id}-hint` : `${id}-error`);
  const line = input.type === "password" ? element("div", { class: "with-button" }, input, reveal(input)) : input;
  const box = element("div", { class: "field" }, element("label", { for: id }, label), line, error, note);
  const complain = (message) => {
    error.textContent = message ?? "";
    error.hidden = !message;
    if (message) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  };
  input.addEventListener("input", () => complain());
  return { name, input, box, complain, malformed };
}

function reveal(input) {
  const shown = element("button", { type: "button", class: "plain" });
  const say = (word) => {
    shown.textContent = word;
    shown.setAttribute("aria-label", `${word} the password`);
  };
  shown.addEventListener("click", () => {
    const isHidden = input.type === "password";
    input.type = isHidden ? "text" : "password";
    say(isHidden ? "Hide" : "Show");
  });
  say("Show");
  return shown;
}

export const email = (name = "email", more = {}) =>
  field(name, "E-mail address", { type: "email", autocomplete: "username", spellcheck: "false", required: true, malformed: NO_ADDRESS, ...more });

export const password = (name, label, autocomplete, hint) =>
  field(name, label, { type: "password", autocomplete, hint, required: true });

export const newPassword = (name = "password", label = "Password") =>
  password(name, label, "new-password", "10 to 128 characters. A few words in a row are easy to remember.");

export const oldPassword = () => password("password", "Password", "current-password");

export const select = (name, label, options, { hint, ...attributes } = {}) => {
  const control = element("select", attributes, ...options.map(([value, text]) => element("option", { value }, text)));
  return field(name, label, { hint, control });
};

// A form of fields: `send` gets their values by name; its refusals are shown beside the fields that they name.
export function form(fields, action, send, ...below) {
  const alert = element("p", { class: "alert", role: "alert", hidden: true });
  const submit = element("button", { type: "submit", class: "primary" }, action);
  const made = element("form", { method: "post", novalidate: true }, ...fields.map(({ box }) => box), alert, submit, ...below);
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (submit.disabled) return;
    clear(fields, alert);
    if (isIncomplete(fields)) return;
    busy(made, submit, true);
    try {
      await send(Object.fromEntries(fields.map(({ name, input }) => [name, input.value])));
    } catch (problem) {
      busy(made, submit, false);
      show(problem, fields, alert);
      return;
    }
    busy(made, submit, false);
  });
  return made;
}

function clear(fields, alert) {
  alert.hidden = true;
  for (const { complain } of fields) complain();
}

function isIncomplete(fields) {
  const empty = fields.filter(({ input }) => input.required && !input.value);
  for (const { complain } of empty) complain("Please fill this in.");
  empty[0]?.input.focus();
  return empty.length > 0;
}

function busy(made, submit, isBusy) {
  submit.disabled = isBusy;
  made.toggleAttribute("aria-busy", isBusy);
}

function show(problem, fields, alert) {
  const byName = new Map(fields.map((one) => [one.name, one]));
  const [ours, others] = [[], []];
  for (const detail of problem.details ?? []) (byName.has(detail.field) ? ours : others).push(detail);
  for (const { field: name, code, message } of ours) {
    const { complain, malformed } = byName.get(name);
    complain((code === "bad_format" && malformed) || message);
  }
  alert.textContent = [ours.length ? "" : problem.message, ...others.map(({ message }) => message)].join(" ").trim();
  alert.hidden = !alert.textContent;
  fields.find(({ input }) => input.hasAttribute("aria-invalid"))?.input.focus();
}
