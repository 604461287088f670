// Create an element with attributes (functions are listeners, booleans are switches) and content.
export function element(tag, attributes = {}, ...content) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (typeof value === "boolean") made.toggleAttribute(name, value);
    else if (value !== undefined) made.setAttribute(name, value);
  }
  made.append(...content.filter(Boolean));
  return made;
}

export const card = (...content) => element("section", { class: "card" }, ...content);
export const heading = (text) => element("h1", {}, text);
export const paragraph = (...content) => element("p", {}, ...content);
export const link = (href, text) => element("a", { href }, text);

// An error message.
export const alertOf = (problem) => element("p", { class: "alert", role: "alert" }, problem.message);

// A button; its errors are shown at the end of its card.
export function button(text, act, kind = "plain") {
  const made = element("button", { type: "button", class: kind }, text);
  made.addEventListener("click", async () => {
    const box = made.closest(".card");
    box.querySelector(":scope > .alert")?.remove();
    try {
      await act();
    } catch (problem) {
      box.append(alertOf(problem));
    }
  });
  return made;
}
