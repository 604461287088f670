// A list that is read to its end, or to as many rows as one can choose at once.
import { tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";

const MOST = 2000;

export async function readOn({ list }) {
  while (list?.hasMore && list.items.length < MOST) {
    const before = list.items.length;
    await list.more();
    if (list.items.length === before) return;
  }
}

// All that match, as many as can be chosen at once.
export async function chooseAll(state) {
  await readOn(state);
  state.selected.value = new Set([...state.order.peek().keys()].slice(0, MOST));
  if (state.list.hasMore) notify(tn("Only {n} can be selected at once.", "Only {n} can be selected at once.", MOST));
}
