// The elements of the page, which follow signals: the base of every screen.
//
// `tags.p({ class: "soft" }, "text", () => name.value)` makes an element: functions among attributes and content follow
// signals, and those named `on…` are listeners. What is made inside an effect or a `scope` is dropped with it.
import { gone, keepPlace } from "./focus.js";
import { batch, effect, here, scope, signal } from "./signals.js";

export { batch, computed, effect, here, listen, onDrop, scope, signal, untracked } from "./signals.js";

const PROPERTIES = new Set(["value", "checked", "indeterminate", "selected"]);
const SAFE_LINKS = new Set(["http:", "https:", "mailto:", "blob:"]);
/** @type {(make: (name: string) => Element) => Record<string, (...parts: any[]) => any>} */
const factory = (make) => new Proxy({}, { get: (_, name) => (...parts) => fill(make(String(name)), parts) });

export const tags = factory((name) => document.createElement(name));
export const svg = factory((name) => document.createElementNS("http://www.w3.org/2000/svg", name));

/** @type {(element: any, parts: any[]) => any} */
function fill(element, [first, ...rest]) {
  const isAttributes = first?.constructor === Object;
  if (isAttributes) { for (const [name, value] of Object.entries(first)) follow(element, name, value); }
  const content = isAttributes ? rest : [first, ...rest];
  if (content.length === 1 && typeof content[0] === "function") {
    effect(() => show(element, null, null, nodes([content[0]()])));
  } else element.append(...nodes(content));
  return element;
}

function follow(element, name, value) {
  if (name.startsWith("on")) element.addEventListener(name.slice(2), (event) => batch(() => value(event)));
  else if (typeof value === "function") effect(() => set(element, name, value()));
  else set(element, name, value);
}

function set(element, name, value) {
  if (PROPERTIES.has(name)) element[name] = value ?? "";
  else if (name === "style") { for (const [key, one] of Object.entries(value)) element.style.setProperty(key, one); }
  else if (value === null || value === undefined || (name === "href" && !isSafe(value))) element.removeAttribute(name);
  else if (typeof value === "boolean" && !name.startsWith("aria-")) element.toggleAttribute(name, value);
  else element.setAttribute(name, value);
}

const isSafe = (address) => SAFE_LINKS.has(URL.parse(address, location.href)?.protocol);

const nodes = (content) => content.flat(Infinity).map(node);

function node(content) {
  if (typeof content === "function") return following(content);
  return content instanceof Node ? content : String(content === false ? "" : (content ?? ""));
}

// Content that changes stands between two comments; empty texts would not outlive `normalize()`, which extensions call.
function between() {
  const range = new DocumentFragment();
  range.append(new Comment(), new Comment());
  return [range.firstChild, range.lastChild, range];
}

function following(content) {
  const [start, end, range] = between();
  effect(() => show(start.parentNode, start, end, nodes([content()])));
  return range;
}

// Put content between two nodes of a box, in place of what is there. Nodes that stay are not touched, and a text is
// changed where it is.
function show(box, start, end, content) {
  const first = start ? start.nextSibling : box.firstChild;
  if (first === end) return end ? end.before(...content) : box.append(...content);
  if (isOneText(first, end, content)) return void (first.data === content[0] || (first.data = content[0]));
  const next = content.flatMap((one) => (one instanceof DocumentFragment ? [...one.childNodes] : one));
  const staying = new Set(next);
  const going = [];
  for (let one = first; one !== end; one = one.nextSibling) if (!staying.has(one)) going.push(one);
  keepPlace(() => {
    for (const one of going) one.remove();
    place(box, start ? start.nextSibling : box.firstChild, end, next);
    gone(going.filter(isElement), box, next.filter(isElement));
  });
}

const isElement = (one) => one instanceof Element;
const isOneText = (first, end, content) =>
  first.nextSibling === end && first instanceof Text && content.length === 1 && typeof content[0] === "string";

function place(box, from, end, next) {
  if (from === end) return end ? end.before(...next) : box.append(...next);
  let at = from;
  for (const one of next) {
    if (one === at) at = at.nextSibling;
    else box.insertBefore(one instanceof Node ? one : new Text(one), at);
  }
}

// One element for each item of a list: `make` gets a signal of the item, and its element moves with the item's key. One
// that goes passes the focus on, unless it `isGone` only from view.
export function each(list, key, make, isGone = (_name) => true) {
  const [start, end, range] = between();
  const rows = new Map();
  const lasting = here();
  effect(() => {
    const items = new Map(list().map((item) => [key(item), item]));
    keepPlace(() => {
      for (const [name, row] of rows) if (!items.has(name)) remove(rows, name, row, isGone(name));
      let at = start.nextSibling;
      for (const [name, item] of items) {
        if (!rows.has(name)) rows.set(name, lasting(() => added(item, make)));
        rows.get(name).held.value = item;
        at = arrange(rows.get(name).value, at, end);
      }
    });
  });
  return range;
}

function added(item, make) {
  const held = signal(item);
  return { ...scope(() => make(held)), held };
}

function remove(rows, name, row, isGone) {
  row.drop();
  const { parentNode, nextElementSibling, previousElementSibling } = row.value;
  row.value.remove();
  if (isGone) gone([row.value], parentNode, [nextElementSibling ?? previousElementSibling]);
  rows.delete(name);
}

// Put a row at its place, and answer the next place. If the row after it is wanted, the one here has moved down: it
// moves alone, and all others, and the focus in them, stay.
function arrange(element, place, end) {
  if (element === place) return place.nextSibling;
  if (place !== end && place.nextSibling === element) {
    end.before(place);
    return element.nextSibling;
  }
  place.before(element);
  return place;
}
