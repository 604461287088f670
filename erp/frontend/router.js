// Which page is shown. A secret after the "#" is removed from the address at once, so that no one reads it over a
// shoulder or copies it with the address. It is stored with this one entry of the tab's history, where a reload finds
// it and no other page does, until the page forgets it.
import { alertOf } from "./widgets/element.js";

let main;
let pages;

export function start(element, routes) {
  main = element;
  pages = routes;
  addEventListener("hashchange", show);
  show();
}

// Replace the current page by another one of ours; its secret is forgotten.
export function go(name = "") {
  history.replaceState(null, "", name ? `/#${name}` : "/");
  show();
}

// Forget the secret of the current page, because it has been used.
export function forget() {
  history.replaceState(null, "", location.href);
}

async function show() {
  const [, name, secret] = location.hash.match(/^#(\w*)=?(.*)$/s) ?? [null, "", ""];
  if (secret) history.replaceState({ secret }, "", `/#${name}`);
  const shown = {};
  main.shown = shown;
  main.setAttribute("aria-busy", "true");
  const content = await (Object.hasOwn(pages, name) ? pages[name] : pages[""])(history.state?.secret).catch((problem) => [alertOf(problem)]);
  if (main.shown === shown) put(content);
}

function put(content) {
  main.replaceChildren(...content);
  main.removeAttribute("aria-busy");
  const heading = main.querySelector("h1");
  document.title = heading ? `${heading.textContent} – erp` : "erp";
  (main.querySelector("[autofocus]") ?? main).focus();
}

// Show the next step of the current page.
export function turn(content) {
  put(content);
  scrollTo(0, 0);
}
