// A list that is read to its end, or to as many rows as one can choose at once.

export const MOST = 2000;

export async function readOn({ list }) {
  while (list?.hasMore && list.items.length < MOST) {
    const before = list.items.length;
    await list.more();
    if (list.items.length === before) return;
  }
}
