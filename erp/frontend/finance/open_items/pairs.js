// Open items of a contact that settle each other, and the amounts of them: the oldest first, as far as either side reaches.

export const units = (amount) => BigInt(amount.replace(".", ""));
const least = (one, other) => (one < other ? one : other);

export function textOf(number, like) {
  const decimals = like.split(".")[1]?.length ?? 0;
  const digits = String(number).padStart(decimals + 1, "0");
  return decimals ? `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}` : digits;
}

// Which item settles which, and by how much: the oldest first, as far as either side reaches.
export function pairs(items) {
  const left = items.map((item) => ({ item, open: units(item.open) }));
  const [debits, credits] = [left.filter(({ open }) => open > 0n), left.filter(({ open }) => open < 0n)];
  return credits.flatMap((credit) =>
    debits.map((debit) => {
      const amount = least(-credit.open, debit.open);
      credit.open += amount;
      debit.open -= amount;
      return { from: credit.item, to: debit.item, amount: amount && textOf(amount, debit.item.open) };
    })
  ).filter(({ amount }) => amount);
}

// How much of each item is used in such pairs.
export function parts(items) {
  const used = new Map();
  for (const { from, to, amount } of pairs(items)) {
    for (const { id } of [from, to]) used.set(id, (used.get(id) ?? 0n) + units(amount));
  }
  return items.filter(({ id }) => used.has(id)).map((item) => ({ item, amount: textOf(used.get(item.id), item.open) }));
}
