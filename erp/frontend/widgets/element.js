// Make an element: its attributes (functions are listeners, true and false switches), then what is in it.
export function element(tag, attributes = {}, ...content) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (typeof value === "boolean") made.toggleAttribute(name, value);
    else if (value !== undefined) made.setAttribute(name, value);
  }
  made.append(...content.filter((each) => each));
  return made;
}

export const card = (...content) => element("section", { class: "card" }, ...content);
export const heading = (text) => element("h1", {}, text);
export const paragraph = (...content) => element("p", {}, ...content);
export const link = (href, text) => element("a", { href }, text);

// A sentence about something that went wrong.
export const alertOf = (problem) => element("p", { class: "alert", role: "alert" }, problem.message);

// A button; what goes wrong with it is told at the end of its card.
export function button(text, act, kind = "plain") {
  const made = element("button", { type: "button", class: kind }, text);
  made.addEventListener("click", async () => {
    const place = made.closest(".card");
    place.querySelector(":scope > .alert")?.remove();
    try {
      await act();
    } catch (problem) {
      place.append(alertOf(problem));
    }
  });
  return made;
}
