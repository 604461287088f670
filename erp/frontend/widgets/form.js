// Fields with their labels, hints and errors, and forms that send them.
import { element } from "./element.js";

const NO_ADDRESS = "This is no e-mail address; one looks like anna@example.com.";
let count = 0;

// A field: `control` is its input, `name` that of the interface, by which refusals find it. `malformed` is what to say
// of a value that has not the form it should have.
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
  password(name, label, "new-password", "10 to 128 characters; a few words in a row are easy to keep in mind.");

export const oldPassword = () => password("password", "Password", "current-password");

export const select = (name, label, options, { hint, ...attributes } = {}) => {
  const control = element("select", attributes, ...options.map(([value, text]) => element("option", { value }, text)));
  return field(name, label, { hint, control });
};

// A form of fields: `send` gets their values by name; what it refuses is shown beside the fields that are named.
export function form(fields, action, send, ...below) {
  const alert = element("p", { class: "alert", role: "alert", hidden: true });
  const submit = element("button", { type: "submit", class: "primary" }, action);
  const made = element("form", { method: "post", novalidate: true }, ...fields.map((each) => each.box), alert, submit, ...below);
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
  for (const each of fields) each.complain();
}

function isIncomplete(fields) {
  const empty = fields.filter(({ input }) => input.required && !input.value);
  for (const each of empty) each.complain("Please fill this in.");
  empty[0]?.input.focus();
  return empty.length > 0;
}

function busy(made, submit, is) {
  submit.disabled = is;
  made.toggleAttribute("aria-busy", is);
}

function show(problem, fields, alert) {
  const wrong = new Map(fields.map((each) => [each.name, each]));
  const [placed, others] = [[], []];
  for (const detail of problem.details ?? []) (wrong.has(detail.field) ? placed : others).push(detail);
  for (const { field: name, code, message } of placed) {
    const { complain, malformed } = wrong.get(name);
    complain((code === "bad_format" && malformed) || message);
  }
  alert.textContent = [placed.length ? "" : problem.message, ...others.map((each) => each.message)].join(" ").trim();
  alert.hidden = !alert.textContent;
  fields.find((each) => each.input.hasAttribute("aria-invalid"))?.input.focus();
}
