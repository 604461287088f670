// A list that is read to its end, or to as many rows as one can choose at once.
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";

const MOST = 2000;

export async function readOn({ list }) {
  while (list?.hasMore && list.items.length < MOST) {
    const before = list.items.length;
    await list.more();
    if (list.items.length === before) return;
  }
}

// Rows in parts, each as large as a request may be.
export const partsOf = (rows, most) =>
  Array.from({ length: Math.ceil(rows.length / most) }, (_, n) => rows.slice(n * most, (n + 1) * most));

// One part after the other. What was done before a part is refused stays done, and the reason is told; the first refusal is
// the answer where nothing was done.
export async function inParts(parts, act) {
  const done = [];
  for (const part of parts) {
    const some = await act(part).catch((refusal) => {
      if (!done.length) throw refusal;
      notify(t("The others were not: {reason}", { reason: refusal.reason }), { kind: "bad" });
    });
    if (!some) break;
    done.push(...some);
  }
  return done;
}

export const inPartsOf = (rows, most, act) => inParts(partsOf(rows, most), act);

// All that match, as many as can be chosen at once.
export async function chooseAll(state) {
  await readOn(state);
  state.selected.value = new Set([...state.order.peek().keys()].slice(0, MOST));
  if (state.list.hasMore) notify(tn("Only {n} can be selected at once.", "Only {n} can be selected at once.", MOST));
}
