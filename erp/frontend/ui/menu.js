// Menus and whatever else opens beside what was pressed. They close by Escape, by a click elsewhere, and when what was
// pressed is gone.
import { focusAgain } from "../core/focus.js";
import { t } from "../core/i18n.js";
import { keyOf } from "../core/keys.js";
import { scope, tags } from "../core/view.js";
import { once } from "./button.js";
import { icon } from "./icon.js";
import { keyHint } from "./key.js";

let count = 0;

// Tie an element of the top layer to the one that it belongs to; the style puts it beside that.
export function tie(anchor, floating) {
  const name = anchor.style.getPropertyValue("anchor-name") || `--anchor-${(count += 1)}`;
  anchor.style.setProperty("anchor-name", name);
  floating.style.setProperty("position-anchor", name);
}

// Show any content beside `anchor`; `make` gets a function that closes it, which is answered as well.
export function popover(anchor, make, { label = null, role = "dialog", class: more = "" } = {}) {
  const close = () => element.isConnected && element.hidePopover();
  /** @type {any} */
  let element = null;
  const made = scope(() => {
    element = tags.div({
      popover: "auto",
      role,
      tabindex: role === "menu" ? "0" : null, // by keys, too, it scrolls where it is longer than the page
      "aria-label": label,
      class: `popover ${more}`,
      ontoggle: (event) => event.newState === "closed" && finish(),
    });
    element.append(make(close));
  });
  const finish = () => {
    leaving.disconnect();
    const hadFocus = element.contains(document.activeElement) || document.activeElement === document.body;
    anchor.setAttribute("aria-expanded", "false");
    made.drop();
    element.remove();
    if (hadFocus) focusAgain(anchor);
  };
  (anchor.closest("dialog") ?? document.body).append(element);
  tie(anchor, element);
  const leaving = new MutationObserver(() => anchor.isConnected || close());
  leaving.observe(document.body, { childList: true, subtree: true });
  element.showPopover({ source: anchor });
  anchor.setAttribute("aria-expanded", "true");
  (element.querySelector("[data-autofocus], [aria-checked=true]") ??
    element.querySelector("[role=menuitem], input:not(:disabled), button, [tabindex='0']"))?.focus();
  return close;
}

// Entries: { name, run or href, icon, key, danger, isOff }; null is a line between groups.
export function openMenu(anchor, items, { label = null } = {}) {
  return popover(
    anchor,
    (close) =>
      tags.div(
        { class: "menu", onkeydown: (event) => onKey(event, close) },
        items.map((item) => (item ? entry(item, close) : tags.hr())),
      ),
    { label, role: "menu" },
  );
}

function entry(item, close) {
  const inside = [
    item.icon && icon(item.icon),
    tags.span({ class: "menu-text" }, item.name),
    item.key && keyHint(item.key),
  ];
  const about = { role: "menuitem", tabindex: "-1", class: `menu-item${item.danger ? " is-danger" : ""}` };
  if (item.href) {
    return tags.a({ ...about, href: item.href, target: item.target ?? null, onclick: () => close() }, inside);
  }
  const { act } = once(item.run);
  const choose = (event) => {
    close();
    return act(event);
  };
  return tags.button({ ...about, type: "button", disabled: item.isOff ?? false, onclick: choose }, inside);
}

const STEPS = { ArrowDown: 1, ArrowUp: -1 };

function onKey(event, close) {
  const entries = [...event.currentTarget.querySelectorAll("[role=menuitem]:not(:disabled)")];
  const at = entries.indexOf(document.activeElement);
  const next = place(keyOf(event), entries, at);
  if (keyOf(event) === "Tab") close();
  if (next === null) return;
  event.preventDefault();
  entries[(next + entries.length) % entries.length]?.focus();
}

function place(key, entries, at) {
  if (key in STEPS) return at + STEPS[key];
  if (key === "Home") return 0;
  if (key === "End") return entries.length - 1;
  if (key.length !== 1 || key === " ") return null;
  const rest = [...entries.slice(at + 1), ...entries.slice(0, at + 1)];
  const found = rest.find((one) =>
    one.querySelector(".menu-text").textContent.toLowerCase().startsWith(key.toLowerCase())
  );
  return found ? entries.indexOf(found) : null;
}

// A button that opens a menu. `label` is its words (or elements, then `title` names it); with neither it is ⋯.
export function menu({ label = null, title = null, items, icon: mark = null, class: look = null, kind = null }) {
  const list = () => (typeof items === "function" ? items() : items);
  const open = (event) =>
    void openMenu(event.currentTarget, list(), { label: title ?? (typeof label === "string" ? label : t("More")) });
  const content = label ?? icon("ellipsis");
  const isBare = label === null;
  return tags.button(
    {
      type: "button",
      class: look ?? `button ${isBare ? "is-plain is-icon" : ""} ${kind ? `is-${kind}` : ""}`,
      "aria-haspopup": "menu",
      "aria-expanded": "false",
      "aria-label": title ?? (isBare ? t("More") : null),
      title: title ?? (isBare ? t("More") : null),
      onclick: open,
    },
    mark && icon(mark),
    content,
    typeof label === "string" ? icon("chevron-down") : null,
  );
}
