// How high the rows of a table are: most are alike, and those that are not are remembered once they have been drawn. So a
// long list whose rows differ scrolls to where it should.
import { computed, signal } from "../core/view.js";

const USUAL = 36; // px, until a row is drawn
const SAME = 0.5; // px

export function rowHeights(order) {
  const usual = signal(USUAL);
  const odd = signal(new Map()); // px by the key of a row
  const places = computed(() => new Map([...order.value].map(([key, at]) => [String(key), at])));
  let width = null;

  // Measure the rows that are drawn; with another width, all are measured again.
  const measure = (body) => {
    const isAnew = width !== body.clientWidth;
    width = body.clientWidth;
    const drawn = [...body.querySelectorAll(".row-line[data-row]")].map((row) => [
      row.dataset.row,
      row.getBoundingClientRect().height,
    ]);
    if (!drawn.length) return;
    if (isAnew) usual.value = mostFrequent(drawn.map(([, height]) => height));
    const before = isAnew ? new Map() : odd.peek();
    const next = new Map(before);
    for (const [name, height] of drawn) {
      if (Math.abs(height - usual.peek()) <= SAME) next.delete(name);
      else if (Math.abs(height - (next.get(name) ?? 0)) > SAME) next.set(name, height);
    }
    if (isAnew || !isSame(before, next)) odd.value = next;
  };

  const placed = (odds) =>
    odds.size
      ? [...odds].map(([name, height]) => [places.value.get(name), height]).filter(([at]) => at !== undefined)
      : [];

  // The height of the rows from one place up to another.
  const between = (from, to) =>
    placed(odd.value).reduce(
      (sum, [at, height]) => at >= from && at < to ? sum + height - usual.value : sum,
      Math.max(0, to - from) * usual.value,
    );

  // Which row is so far down; what is open under a row, `opened` [its key, px], is part of it.
  const at = (down, opened = null) => {
    const open = opened && String(opened[0]);
    const extra = open ? new Map(odd.peek()).set(open, heightOf(open) + opened[1]) : odd.peek();
    let [row, px] = [0, 0];
    for (const [place, height] of placed(extra).sort(([one], [other]) => one - other)) {
      const gap = (place - row) * usual.peek();
      if (px + gap > down) break;
      if (px + gap + height > down) return place;
      [row, px] = [place + 1, px + gap + height];
    }
    return row + Math.floor((down - px) / usual.peek());
  };

  const heightOf = (name) => odd.peek().get(name) ?? usual.peek();
  return { measure, between, at };
}

function mostFrequent(heights) {
  const counts = new Map();
  for (const height of heights) counts.set(height, (counts.get(height) ?? 0) + 1);
  return [...counts].reduce((best, one) => one[1] > best[1] ? one : best)[0] || USUAL;
}

const isSame = (one, other) =>
  one.size === other.size && [...one].every(([name, height]) => other.get(name) === height);
