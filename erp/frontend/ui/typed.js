// Text that stands for a value: read while it is typed, written properly when it is left.
import { batch, effect, tags } from "../core/view.js";
import { mark, unmark } from "./errors.js";
import { shared } from "./input.js";

const PAUSE = 400; // ms after which half a day is read, as it might be meant

// `parse(text)` answers the value or null, `show(value)` its text, `wrong` what to say of text that makes no sense.
export function typedInput(
  { value, parse, show, wrong, isEager = true, type = "text", inputmode = null, class: more = "", ...about },
) {
  let isTouched = false;
  let pause = null;
  const input = tags.input({ class: `input ${more}`, type, inputmode, spellcheck: "false", ...shared(about) });
  const write = () => void (input.value = show(value.peek()));
  const read = () => {
    const text = input.value.trim();
    const found = text ? parse(text) : null;
    input.setCustomValidity(text && found === null ? wrong : "");
    return { found, isWrong: Boolean(text) && found === null };
  };
  const settle = () => {
    if (!isTouched) return;
    const { found, isWrong } = read();
    if (isWrong) return void mark(input, wrong);
    isTouched = false;
    batch(() => void (value.value = found));
    write();
  };
  input.addEventListener("input", () => {
    isTouched = true;
    const { found, isWrong } = read();
    clearTimeout(pause);
    if (isWrong) return;
    if (isEager) batch(() => void (value.value = found));
    else pause = setTimeout(() => isTouched && batch(() => void (value.value = found)), PAUSE);
  });
  input.addEventListener("blur", settle);
  input.addEventListener("settle", settle);
  input.addEventListener("focus", () => input.select());
  effect(() => {
    const text = show(value.value);
    if (isTouched && document.activeElement === input) return;
    isTouched = false;
    if (input.value === text) return; // an answer that changes nothing leaves the mark of a refusal
    input.setCustomValidity("");
    unmark(input);
    input.value = text;
  });
  input.settle = settle;
  return input;
}
