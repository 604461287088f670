// Answers of the server, kept by their address and by how it is read, and shared by all who show them. What has changed
// is asked for again while it is shown; until the new answer is here, the old one stays.
import { get, getAll, page } from "./api.js";
import { sameWhereEqual } from "./same.js";
import { batch, computed, effect, signal, untracked } from "./signals.js";

const LONGEST_KEPT = 200;
const PAGE = 200;
const kept = new Map();

class Answer {
  value = signal(undefined);
  problem = signal(null);
  isLoading = signal(false);
  isStale = signal(false);
  users = 0;
  isByOthers = false; // whether what is read now was changed elsewhere
  /** @type {Promise<void>} */
  arrival = Promise.resolve();

  constructor(path, read) {
    this.path = path;
    this.read = read;
  }

  // Ask for it, and again if it is out of date by the time it is here.
  load() {
    if (this.isLoading.peek()) this.isStale.value = true;
    else this.arrival = this.arrive();
    return this.arrival;
  }

  async arrive() {
    this.isLoading.value = true;
    this.isStale.value = false;
    const [value, problem] = await this.read(this).then((found) => [found, null], (refusal) => [undefined, refusal]);
    batch(() => {
      if (!problem) this.value.value = sameWhereEqual(this.value.peek(), value);
      this.problem.value = problem;
      this.isLoading.value = false;
    });
    if (this.isStale.peek()) await this.arrive();
  }

  renew(isByOthers) {
    this.isByOthers = isByOthers && this.users > 0;
    if (this.users) return this.load();
    this.isStale.value = true;
  }
}

// What is read in different ways differs in shape, so each is kept under a name of its own.
function answerAt(path, read) {
  const id = `${WAYS.indexOf(read)} ${path}`;
  const answer = kept.get(id) ?? new Answer(path, read);
  kept.delete(id);
  kept.set(id, answer); // the one used last is dropped last
  for (const [name, { users }] of kept) if (kept.size > LONGEST_KEPT && !users) kept.delete(name);
  return answer;
}

function shared(path, read) {
  const answer = computed(() => {
    const name = path();
    return name === null ? null : untracked(() => answerAt(name, read));
  });
  effect(() => {
    const one = answer.value;
    if (!one) return undefined;
    one.users += 1;
    untracked(() => (isMissing(one) || one.isStale.peek()) && one.load());
    return () => void (one.users -= 1);
  });
  return answer;
}

const isMissing = ({ value, isLoading }) => value.peek() === undefined && !isLoading.peek();

// Ask for what a screen that is about to open shows first.
export function askAhead(path) {
  const answer = answerAt(path, ask);
  if (isMissing(answer)) answer.load();
}

const ask = ({ path }) => getAll(path);
const askOnce = ({ path }) => get(path);
const WAYS = [ask, askOnce, readAll];
const asFunction = (path) => (typeof path === "function" ? path : () => path);

// The answer at an address, which may follow signals; of a list, all of it. null asks for nothing.
export const resource = (path) => answering(shared(asFunction(path), ask));

// The same in one request; of a list, its first page.
export const firstPage = (path) => answering(shared(asFunction(path), askOnce));

function answering(answer) {
  return {
    get path() {
      return answer.peek()?.path ?? null;
    },
    get value() {
      return answer.value?.value.value;
    },
    get problem() {
      return answer.value?.problem.value ?? null;
    },
    get isLoading() {
      return answer.value?.isLoading.value ?? false;
    },
    get isStale() {
      return Boolean(
        answer.value &&
          (answer.value.isStale.value || (answer.value.isLoading.value && answer.value.value.value !== undefined)),
      );
    },
    // The value, once it is here.
    known: async () => {
      const one = answer.peek();
      await one.arrival;
      if (one.value.peek() === undefined) throw one.problem.peek();
      return one.value.peek();
    },
    renew: () => answer.peek()?.load(),
  };
}

// A list that is read a page at a time; `more` reads on.
export function list(path) {
  const answer = shared(() => sized(asFunction(path)()), readAll);
  const of = (name, otherwise) => answer.value?.value.value?.[name] ?? otherwise;
  return {
    get path() {
      return answer.peek()?.path ?? null;
    },
    get items() {
      return of("items", undefined);
    },
    get total() {
      return of("page", null)?.total ?? null;
    },
    get page() {
      return of("page", null);
    },
    get hasMore() {
      return of("cursor", null) !== null;
    },
    get problem() {
      return answer.value?.problem.value ?? null;
    },
    get isLoading() {
      return answer.value?.isLoading.value ?? false;
    },
    // The ids of records that others have added since; `show` lets them in.
    get held() {
      return of("held", NONE);
    },
    show: () => void (answer.peek().value.value = { ...answer.peek().value.peek(), held: NONE }),
    more: () => answer.peek() && readOn(answer.peek()),
    renew: () => answer.peek()?.load(),
  };
}

const sized = (
  path,
) => (path === null || /[?&]limit=/.test(path) ? path : `${path}${path.includes("?") ? "&" : "?"}limit=${PAGE}`);

// As many pages as are shown already, so that nothing below is lost.
async function readAll(answer) {
  const { isByOthers } = answer;
  const before = answer.value.peek();
  const shown = before?.items.length ?? 0;
  let found = await page(answer.path);
  while (found.cursor !== null && found.items.length < shown) {
    found = joined(found, await page(following(answer.path, found.cursor)));
  }
  answer.isByOthers = false;
  return { ...found, held: isByOthers && shown ? added(before, found.items) : NONE };
}

// What is counted and added up stands on the first page.
const following = (path, cursor) => `${path.replace("total=true&", "")}&cursor=${cursor}`;

const NONE = new Set();

// What has come in between the rows that were there; what follows the last of them is only read further.
function added({ items, held }, now) {
  const known = new Set(items.filter(({ id }) => !held.has(id)).map(({ id }) => id));
  const last = now.findLastIndex(({ id }) => known.has(id));
  return new Set(now.slice(0, last).map(({ id }) => id).filter((id) => !known.has(id)));
}

const joined = (first, second) => ({
  held: first.held ?? NONE,
  items: [...first.items, ...second.items],
  cursor: second.cursor,
  page: first.page,
});

async function readOn(answer) {
  const found = answer.value.peek();
  if (!found?.cursor || answer.isLoading.peek()) return;
  answer.isLoading.value = true;
  const [next, problem] = await page(following(answer.path, found.cursor)).then(
    (one) => [one, null],
    (refusal) => [null, refusal],
  );
  batch(() => {
    if (next) answer.value.value = joined(found, next);
    answer.problem.value = problem;
    answer.isLoading.value = false;
  });
  if (answer.isStale.peek()) answer.load();
}

// Answers at addresses that begin so are out of date; kept once those that are shown are read again.
export const changed = (...beginnings) => renewed(beginnings, false);

// The same by someone else: what they have added to a list waits until it is asked for.
export const changedByOthers = (...beginnings) => renewed(beginnings, true);

function renewed(beginnings, isByOthers) {
  const stale = [...kept.values()].filter(({ path }) => beginnings.some((one) => path.startsWith(one)));
  return Promise.all(stale.map((answer) => answer.renew(isByOthers)));
}

export const forgetAll = () => kept.clear();
