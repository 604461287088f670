// Keeps what has not changed in an answer as the same objects, so that only what has changed is drawn again.

const isPlain = (one) => one?.constructor === Object;
const nameOf = (one, at) => one?.id ?? at;

// `now`, with each part that equals one of `before` replaced by that one. Records of a list are compared by their id.
export function sameWhereEqual(before, now) {
  if (Array.isArray(before) && Array.isArray(now)) {
    const known = new Map(before.map((one, at) => [nameOf(one, at), one]));
    const all = now.map((one, at) => sameWhereEqual(known.get(nameOf(one, at)), one));
    return all.length === before.length && all.every((one, at) => one === before[at]) ? before : all;
  }
  if (isPlain(before) && isPlain(now)) {
    const all = Object.entries(now).map(([name, one]) => [name, sameWhereEqual(before[name], one)]);
    const isSame = all.length === Object.keys(before).length && all.every(([name, one]) => one === before[name]);
    return isSame ? before : Object.fromEntries(all);
  }
  return now;
}
