// Signals and the elements that follow them: the base of every screen.
//
// `signal` holds a value, `computed` derives one, `effect` acts on them; each runs again when what it read has changed,
// at most once a change and parents before children. `tags.p({ class: "soft" }, "text", () => name.value)` makes an
// element: functions among attributes and content follow signals, and those named `on…` are listeners. What is made
// inside an effect or a `scope` is dropped with it.

const [CLEAN, CHECK, DIRTY] = [0, 1, 2]; // CHECK: what it was computed from has perhaps changed
const MOST_ROUNDS = 100;

let reader = null; // the computation that notes what it reads
let owner = null; // the scope that what is made now is dropped with
let batches = 0;
let waiting = [];

class Signal {
  readers = new Set();
  #value;

  constructor(value) {
    this.#value = value;
  }

  get value() {
    reader?.reads(this);
    return this.#value;
  }

  set value(value) {
    if (reader && !reader.isEffect) throw new Error("A computed value must not change a signal.");
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    batch(() => markAll(this.readers, DIRTY));
  }

  // The value, without following it.
  peek() {
    return this.#value;
  }
}

class Scope {
  owned = new Set();
  isDropped = false;

  constructor() {
    this.owner = owner;
    this.level = owner ? owner.level + 1 : 0;
    owner?.owned.add(this);
  }

  clear() {
    const owned = [...this.owned].reverse();
    this.owned.clear();
    for (const one of owned) guarded(() => (one instanceof Scope ? one.drop() : one()));
  }

  drop() {
    this.isDropped = true;
    this.owner?.owned.delete(this);
    this.clear();
  }
}

class Computation extends Scope {
  readers = new Set();
  sources = new Set();
  state = DIRTY;

  constructor(work, isEffect) {
    super();
    this.work = work;
    this.isEffect = isEffect;
  }

  get value() {
    try {
      return this.peek();
    } finally {
      reader?.reads(this); // after it is up to date, so that its first run wakes no one who is reading it
    }
  }

  peek() {
    this.refresh();
    if (this.problem) throw this.problem.error;
    return this.held;
  }

  reads(source) {
    this.sources.add(source);
    source.readers.add(this);
  }

  mark(state) {
    if (this.isDropped || this.state >= state) return;
    const wasClean = this.state === CLEAN;
    this.state = state;
    if (!wasClean) return;
    if (this.isEffect) waiting.push(this);
    markAll(this.readers, CHECK);
  }

  // Run, if anything that was read has really changed.
  refresh() {
    if (this.isRunning) throw new Error("A value depends on itself.");
    if (this.state === CHECK) {
      for (const source of [...this.sources]) {
        if (source instanceof Computation) source.refresh();
        if (this.state === DIRTY) break;
      }
    }
    if (this.state === DIRTY) this.run();
    else this.state = CLEAN;
  }

  run() {
    this.forget();
    this.isRunning = true;
    this.state = CLEAN; // from here on, a change of what was read asks for another run
    const before = this.held;
    this.problem = null;
    try {
      this.held = within(this, this, this.work);
    } catch (error) {
      [this.held, this.problem] = [undefined, { error }];
    }
    this.isRunning = false;
    if (this.problem || !Object.is(before, this.held)) markAll(this.readers, DIRTY);
    if (this.problem && this.isEffect) throw this.problem.error;
  }

  forget() {
    this.clear();
    for (const source of this.sources) source.readers.delete(this);
    this.sources.clear();
  }

  drop() {
    super.drop();
    this.forget();
  }
}

function markAll(readers, state) {
  for (const one of [...readers]) one.mark(state);
}

function within(nextReader, nextOwner, work) {
  const before = [reader, owner];
  [reader, owner] = [nextReader, nextOwner];
  try {
    return work();
  } finally {
    [reader, owner] = before;
  }
}

// One that fails stops no other.
function guarded(work) {
  try {
    work();
  } catch (error) {
    reportError(error);
  }
}

export const signal = (value) => new Signal(value);
export const computed = (work) => new Computation(work, false);
export const untracked = (work) => within(null, owner, work);

// Do the work now and after each change of what it reads; a function that it returns is called before the next run.
export function effect(work) {
  const made = new Computation(() => {
    const undo = work();
    if (typeof undo === "function") onDrop(undo);
  }, true);
  batch(() => guarded(() => made.refresh()));
  return () => made.drop();
}

// Change several signals, and run what follows them once.
export function batch(work) {
  batches += 1;
  try {
    return work();
  } finally {
    if (batches === 1) settle();
    batches -= 1;
  }
}

function settle() {
  for (let round = 0; waiting.length; round += 1) {
    const effects = waiting.sort((one, other) => one.level - other.level);
    waiting = [];
    if (round > MOST_ROUNDS) return reportError(new Error("Effects change each other without end."));
    for (const one of effects) if (!one.isDropped) guarded(() => one.refresh());
  }
}

// What the work makes lives until `drop` is called, or until what surrounds it is dropped.
export function scope(work) {
  const made = new Scope();
  return { value: within(null, made, work), drop: () => made.drop() };
}

export const onDrop = (work) => void owner?.owned.add(work);

// Listen until what surrounds this is dropped.
export function listen(target, type, act, options) {
  target.addEventListener(type, act, options);
  onDrop(() => target.removeEventListener(type, act, options));
}

const PROPERTIES = new Set(["value", "checked", "indeterminate", "selected"]);
const SAFE_LINKS = new Set(["http:", "https:", "mailto:", "blob:"]);
const factory = (make) => new Proxy({}, { get: (_, name) => (...parts) => fill(make(name), parts) });

export const tags = factory((name) => document.createElement(name));
export const svg = factory((name) => document.createElementNS("http://www.w3.org/2000/svg", name));

function fill(element, [first, ...rest]) {
  const isAttributes = first?.constructor === Object;
  if (isAttributes) for (const [name, value] of Object.entries(first)) follow(element, name, value);
  element.append(...(isAttributes ? rest : [first, ...rest]).flat(Infinity).map(node));
  return element;
}

function follow(element, name, value) {
  if (name.startsWith("on")) element.addEventListener(name.slice(2), (event) => batch(() => value(event)));
  else if (typeof value === "function") effect(() => set(element, name, value()));
  else set(element, name, value);
}

function set(element, name, value) {
  if (PROPERTIES.has(name)) element[name] = value ?? "";
  else if (name === "style") for (const [key, one] of Object.entries(value)) element.style.setProperty(key, one);
  else if (value === null || value === undefined || (name === "href" && !isSafe(value))) element.removeAttribute(name);
  else if (typeof value === "boolean" && !name.startsWith("aria-")) element.toggleAttribute(name, value);
  else element.setAttribute(name, value);
}

const isSafe = (address) => SAFE_LINKS.has(URL.parse(address, location.href)?.protocol);

function node(content) {
  if (typeof content === "function") return following(content);
  return content instanceof Node ? content : String(content === false ? "" : (content ?? ""));
}

// Content that changes stands between two empty texts.
function between() {
  const range = new DocumentFragment();
  range.append(new Text(), new Text());
  return [range.firstChild, range.lastChild, range];
}

function following(content) {
  const [start, end, range] = between();
  effect(() => {
    const nodes = [content()].flat(Infinity).map(node);
    while (start.nextSibling !== end) start.nextSibling.remove();
    end.before(...nodes);
  });
  return range;
}

// One element for each item of a list: `make` gets a signal of the item, and its element moves with the item's key.
export function each(list, key, make) {
  const [start, end, range] = between();
  const rows = new Map();
  const home = owner;
  effect(() => {
    const items = new Map(list().map((item) => [key(item), item]));
    for (const [name, row] of rows) if (!items.has(name)) remove(rows, name, row);
    let place = start.nextSibling;
    for (const [name, item] of items) {
      if (!rows.has(name)) rows.set(name, within(null, home, () => added(item, make)));
      rows.get(name).held.value = item;
      place = arrange(rows.get(name).value, place, end);
    }
  });
  return range;
}

function added(item, make) {
  const held = signal(item);
  return { ...scope(() => make(held)), held };
}

function remove(rows, name, row) {
  row.drop();
  row.value.remove();
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
