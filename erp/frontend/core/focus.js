// The focus stays where it is when the page is drawn again. A control that has gone passes it, with what is selected in it,
// to the same control of the same record, else to the one of the record beside it, else to the heading above. What was
// scrolled stays so.

const CONTROLS = ":is(a[href], button, input, select, textarea, summary, [tabindex]):not(:disabled)";
const REGION = "dialog, [popover], main, body";

/**
 * What has gone: the box that it stood in, and what then stood in its place or beside it. Both are held weakly, since what
 * comes is what goes next: one old element that something holds would hold all that came after it.
 */
const places = new WeakMap();
/** How far each box has been scrolled. */
const scrolled = new Map();
let lost = null;
let isWaiting = false;

addEventListener("scroll", ({ target }) => {
  if (target instanceof Element) scrolled.set(target, [target.scrollLeft, target.scrollTop]);
}, { capture: true, passive: true });

// Elements have gone from a box; each heir is an element that is there now, or nothing.
export function gone(elements, box, heirs) {
  for (const [at, one] of elements.entries()) {
    const heir = heirs[Math.min(at, heirs.length - 1)];
    if (one instanceof Element) places.set(one, { box: new WeakRef(box), heir: heir && new WeakRef(heir) });
  }
}

// Change the page. Once all that follows from it is done, the focus is given to whom it belongs, unless it was set.
export function keepPlace(change) {
  const held = document.activeElement;
  change();
  if (held !== document.activeElement) lost = held;
  else if (!scrolled.size) return;
  if (!isWaiting) queueMicrotask(restore);
  isWaiting = true;
}

// Leave the focus to those who show another screen.
export const forgetPlace = () => void (lost = null);

function restore() {
  const held = lost;
  [lost, isWaiting] = [null, false];
  for (const [box, place] of scrolled) if (!box.isConnected) scrollAgain(box, place);
  if (held && document.activeElement === document.body) focusAgain(held, { preventScroll: true });
}

function scrollAgain(box, [left, top]) {
  scrolled.delete(box);
  const { heir } = standing(box);
  const alike = (root) =>
    [root, ...root.querySelectorAll(box.localName)].filter((one) => one.className === box.className);
  const other = heir && alike(heir)[alike(rootOf(box)).indexOf(box)];
  other?.scrollTo({ left, top, behavior: "instant" });
}

// Focus a control, or what has come in its place; answers whether there is anything.
export function focusAgain(control, options = {}) {
  for (const one of control.isConnected ? [control] : successors(control)) {
    one?.focus(options);
    if (!one || document.activeElement !== one) continue;
    if (one !== control) selectAgain(control, one);
    return true;
  }
  return false;
}

function selectAgain({ selectionStart, selectionEnd, selectionDirection, value }, found) {
  if ([selectionStart, found.selectionStart].every(Number.isInteger) && found.value === value) {
    found.setSelectionRange(selectionStart, selectionEnd, selectionDirection);
  }
}

const rootOf = (element) => (element.parentElement ? rootOf(element.parentElement) : element);

// What stands now where an element has gone: its box, and its heir if that has one.
function standing(element) {
  let { box, heir } = placeOf(element);
  while (heir && !heir.isConnected) heir = placeOf(heir).heir;
  if (heir) return { box: heir.parentElement, heir };
  return !box || box.isConnected ? { box, heir } : standing(box);
}

function placeOf(element) {
  const place = places.get(rootOf(element));
  return { box: place?.box.deref(), heir: place?.heir?.deref() };
}

function* successors(control) {
  const { box, heir } = standing(control);
  if (!box) return;
  const near = heir && withControls(heir);
  yield named(control, near);
  yield named(control, box.closest(REGION));
  yield near && alikeIn(control, near);
  yield headingOver(box);
}

const controlsIn = (root) => [root, ...root.querySelectorAll("*")].filter((one) => one.matches(CONTROLS));

// The element itself, or the nearest beside it that can have the focus.
function withControls(element) {
  for (const way of ["nextElementSibling", "previousElementSibling"]) {
    for (let one = element; one; one = one[way]) if (controlsIn(one).length) return one;
  }
  return null;
}

const nameOf = (one) =>
  [
    one.localName,
    one.id || one.name || one.getAttribute("href") || one.getAttribute("aria-label") || one.textContent,
  ].join(" ");

// The only control of that name.
function named(control, root) {
  const found = root ? controlsIn(root).filter((one) => nameOf(one) === nameOf(control)) : [];
  return found.length === 1 ? found[0] : null;
}

// The control at the same place as in what has gone.
function alikeIn(control, root) {
  const controls = controlsIn(root);
  return controls[Math.min(controlsIn(rootOf(control)).indexOf(control), controls.length - 1)];
}

function headingOver(box) {
  for (let one = box; one; one = one.parentElement) {
    const heading = one.querySelector("h1, h2, h3");
    if (!heading) continue;
    if (!heading.hasAttribute("tabindex")) heading.setAttribute("tabindex", "-1");
    return heading;
  }
  return null;
}
