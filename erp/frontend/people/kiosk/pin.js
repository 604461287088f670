// The keys of a telephone, on which a person types the PIN. It closes when no one types for a while, but not while the
// PIN is sent: the answer is for this person.
import { t } from "../../core/i18n.js";
import { effect, onDrop, signal, tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { inputOf } from "../../ui/field.js";
import { textInput } from "../../ui/input.js";

const { div, form, h2, p } = tags;
const LEFT = 30_000; // ms
const SHORTEST = 4;
const LONGEST = 8;

export function pinPad({ person, run, close }) {
  const pin = signal("");
  const problem = signal("");
  const isBusy = signal(false);
  const leave = () => isBusy.peek() || close();
  let timer;
  effect(() => {
    pin.value;
    clearTimeout(timer);
    timer = setTimeout(leave, LEFT);
  });
  onDrop(() => clearTimeout(timer));
  const send = async (event) => {
    event.preventDefault();
    if (isBusy.peek() || pin.peek().length < SHORTEST) return;
    isBusy.value = true;
    try {
      await run(person, pin.peek());
    } catch (refusal) {
      problem.value = refusal.reason;
      pin.value = "";
      inputOf(input).focus();
    } finally {
      isBusy.value = false;
    }
  };
  const type = (digit) => () => {
    problem.value = "";
    if (pin.peek().length < LONGEST) pin.value += digit;
  };
  const key = (digit) => button(digit, type(digit), { class: "kiosk-key" });
  const input = textInput({
    value: pin,
    type: "password",
    inputmode: "none",
    autocomplete: "one-time-code", // no browser offers to keep it
    label: t("PIN"),
    maxlength: LONGEST,
  });
  setTimeout(() => inputOf(input).focus());
  return form(
    { class: "kiosk-pin", onsubmit: send, "aria-busy": () => (isBusy.value ? "true" : null) },
    h2(person.name),
    input,
    p({ role: "alert", class: "field-error" }, () => problem.value),
    div(
      { class: "kiosk-keys" },
      [..."123456789"].map(key),
      button("←", () => void (pin.value = pin.peek().slice(0, -1)), {
        class: "kiosk-key",
        name: t("Delete the last digit"),
      }),
      key("0"),
      button(() => (person.isIn ? t("Clock out") : t("Clock in")), null, {
        class: "kiosk-key",
        kind: "main",
        type: "submit",
      }),
    ),
    button(t("Back"), leave, { class: "kiosk-back", isOff: () => isBusy.value }),
  );
}
