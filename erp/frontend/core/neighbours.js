// The records before and after one, in the order and with the filters of the list that it was opened from.
import { list } from "./store.js";
import { effect, signal, untracked } from "./signals.js";

const nameOf = (kind) => `list ${kind}`;

// Remember the list that records are opened from, in this tab and over a reload. `rows` is a list of core/store.
export function openedFrom({ path, items }) {
  const kept = { path, count: items.length, screen: location.pathname + location.search };
  sessionStorage.setItem(nameOf(path.split("?")[0]), JSON.stringify(kept));
}

export const forgetLists = () => sessionStorage.clear();

const remembered = (kind) => JSON.parse(sessionStorage.getItem(nameOf(kind)));

// The address, with its filters, of the screen at `path`, if the list was shown there.
export function listScreen(kind, path, otherwise = path) {
  const { screen } = remembered(kind) ?? {};
  return screen?.split("?")[0] === path ? screen : otherwise;
}

// A signal of { items, at, total }, or null while none are known: `items` are the list's records, `at` is where the one
// stands in them, counted from 0.
export function neighbours(kind, id) {
  const from = remembered(kind);
  return from ? neighboursIn(list(() => from.path), id, from.count) : signal(null);
}

// The same within a list that is shown. A record that leaves it, as an invoice that is paid, keeps its place.
export function neighboursIn(rows, id, count = 0) {
  const place = signal(null);
  effect(() => {
    const items = rows.items ?? [];
    const at = items.findIndex((row) => row.id === id);
    if (at >= 0) {
      place.value = { items, at, total: `${items.length}${rows.hasMore ? "+" : ""}` };
    }
    const isWanted = at < 0 ? items.length < count : at + 1 === items.length;
    if (isWanted && rows.hasMore) untracked(() => rows.more());
  });
  return place;
}
