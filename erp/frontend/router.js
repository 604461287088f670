// Which page is shown. A secret behind the "#" is taken out of the address at once, so that nobody reads it over a
// shoulder or copies it along; it is kept with this one entry of the tab's history, where a reload finds it and no
// other page does, until the page forgets it.
import { alertOf } from "./widgets/element.js";

let place;
let pages;

export function start(element, routes) {
  place = element;
  pages = routes;
  addEventListener("hashchange", show);
  show();
}

// Lead to another page of ours, in place of the present one, whose secret is then forgotten.
export function go(name = "") {
  history.replaceState(null, "", name ? `/#${name}` : "/");
  show();
}

// Forget the secret of the present page: it is spent.
export function forget() {
  history.replaceState(null, "", location.href);
}

async function show() {
  const [, name, secret] = location.hash.match(/^#(\w*)=?(.*)$/s) ?? [null, "", ""];
  if (secret) history.replaceState({ secret }, "", `/#${name}`);
  const shown = {};
  place.shown = shown;
  place.setAttribute("aria-busy", "true");
  const content = await (Object.hasOwn(pages, name) ? pages[name] : pages[""])(history.state?.secret).catch((problem) => [alertOf(problem)]);
  if (place.shown === shown) put(content);
}

function put(content) {
  place.replaceChildren(...content);
  place.removeAttribute("aria-busy");
  const heading = place.querySelector("h1");
  document.title = heading ? `${heading.textContent} – erp` : "erp";
  (place.querySelector("[autofocus]") ?? place).focus();
}

// Show the next step of the present page.
export function turn(content) {
  put(content);
  scrollTo(0, 0);
}
