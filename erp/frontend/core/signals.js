// Values that are followed, and what is done when they change: what every screen is built on, without the page.
//
// `signal` holds a value, `computed` derives one, `effect` acts on them; each runs again when what it read has changed,
// at most once a change and parents before children. What is made inside an effect or a `scope` is dropped with it.

const [CLEAN, CHECK, DIRTY] = [0, 1, 2]; // CHECK: what it was computed from has perhaps changed
const MOST_ROUNDS = 100;

let reader = null; // the computation that notes what it reads
let owner = null; // the scope that what is made now is dropped with
let batches = 0;
let waiting = [];

// Sets are made when they are needed: most effects own nothing and most signals have one reader, and a long list makes
// thousands a second.
const NONE = new Set();

class Signal {
  readers = NONE;
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
  owned = NONE;
  isDropped = false;

  constructor() {
    this.owner = owner;
    this.level = owner ? owner.level + 1 : 0;
    owner?.own(this);
  }

  own(one) {
    if (this.owned === NONE) this.owned = new Set();
    this.owned.add(one);
  }

  clear() {
    if (!this.owned.size) return;
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
  readers = NONE;
  sources = NONE;
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
    if (this.sources === NONE) this.sources = new Set();
    if (source.readers === NONE) source.readers = new Set();
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

  /** @override */
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

// Later work whose effects live as long as what is made here.
export function here() {
  const home = owner;
  return (work) => within(null, home, work);
}

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

export const onDrop = (work) => void owner?.own(work);

// Listen until what surrounds this is dropped.
export function listen(target, type, act, options) {
  target.addEventListener(type, act, options);
  onDrop(() => target.removeEventListener(type, act, options));
}
