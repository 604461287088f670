// Open items that settle each other: a credit pays what is due on the same account, and an offset sets what a contact owes
// against what it is owed.
import { get, newKey, send } from "../../core/api.js";
import { day, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { changed } from "../../core/store.js";
import { inverse } from "../../core/undo.js";
import { OFFSETS } from "../offsets/list.js";
import { TOUCHED } from "../payments/touched.js";
import { pairs } from "./pairs.js";

const ALLOCATIONS = "/finance/allocations";

const isOne = (items, name) => new Set(items.map((item) => item[name])).size === 1;
const canSettle = (items) => isOne(items, "contactId") && isOne(items, "currency") && pairs(items).length > 0;

// What can be done with the items that are chosen in a table, while `isOffered()`.
export const settlings = (selected, isOffered) => {
  const finish = () => {
    selected.value = new Set();
    renew();
  };
  return [settling(finish), offsetting(finish)].map((one) => ({
    ...one,
    fits: (items) => isOffered() && canSettle(items) && one.fits(items),
  }));
};

const renew = () => changed(OFFSETS, ...TOUCHED);

const settling = (finish) => ({
  name: t("Allocate"),
  icon: "arrow-right-left",
  may: "finance.write",
  fits: (items) => isOne(items, "accountId"),
  asks: aboutToAllocate,
  run: async (items) => {
    const made = [];
    for (const { from, to, amount } of pairs(items)) {
      const body = { fromItemId: from.id, toItemId: to.id, amount };
      made.push(await send("POST", ALLOCATIONS, body, { key: newKey() }));
    }
    finish();
    inverse(t("Items allocated."), async () => {
      for (const { id } of made) await send("POST", `${ALLOCATIONS}/${id}/release`, {});
      renew();
    });
  },
});

// The question with the day of each allocation and its reason, and with the filed returns that change.
async function aboutToAllocate(items) {
  const proposals = await Promise.all(
    pairs(items).map(async (pair) => {
      const path = `/finance/open-items/${pair.from.id}/allocation-day/${pair.to.id}`;
      return { ...pair, proposed: await get(path) };
    }),
  );
  const notes = proposals.flatMap(({ proposed }) => [proposed, ...proposed.warnings].map(({ message }) => message));
  return {
    title: t("Allocate these items?"),
    text: [t("Settled items are no longer open."), ...new Set(notes)].join(" "),
    figures: proposals.flatMap(({ from, to, amount, proposed }) => [
      [
        t("{number} settles {other}", { number: from.number, other: to.number }),
        money(amount, to.currency, { withCurrency: true }),
      ],
      [t("Date"), day(proposed.date)],
    ]),
    verb: t("Allocate"),
  };
}

const offsetting = (finish) => ({
  name: t("Offset"),
  icon: "scale",
  may: "finance.write",
  fits: (items) => !isOne(items, "accountId"),
  run: async (items) => {
    await (await import("../offsets/new.js")).newOffset(
      { id: items[0].contactId, name: items[0].contactName },
      items,
      finish,
    );
  },
});
