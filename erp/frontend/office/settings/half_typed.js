// Text that makes no sense as it is typed: kept in the draft, and shown again, as it was left, on the page of its field.

// `texts` is the signal of all such texts by field; answers what clears the fields of this form.
export function follow(form, texts) {
  const named = (name) => form.querySelector(`input[name="${CSS.escape(name)}"]`);
  const wrong = () => [...form.querySelectorAll("input[name]")].filter((one) => one.validity.customError);
  const write = (input, text, ...events) => {
    input.value = text;
    events.forEach((type) => input.dispatchEvent(new Event(type, { bubbles: true })));
  };
  form.addEventListener("input", () => {
    const others = Object.entries(texts.peek()).filter(([name]) => !named(name));
    texts.value = Object.fromEntries([...others, ...wrong().map((one) => [one.name, one.value])]);
  });
  for (const [name, text] of Object.entries(texts.peek())) {
    if (named(name)) write(named(name), text, "input", "settle");
  }
  return () => wrong().forEach((input) => write(input, "", "input"));
}
