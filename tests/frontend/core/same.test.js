// What is read again, compared with what was there.
import { sameWhereEqual } from "../../../erp/frontend/core/same.js";

const is = (found, wanted) => {
  if (found !== wanted) throw new Error(`${JSON.stringify(found)} is another object than ${JSON.stringify(wanted)}`);
};
const isLike = (found, wanted) => is(JSON.stringify(found), JSON.stringify(wanted));
const copy = (value) => JSON.parse(JSON.stringify(value));

Deno.test("what is equal stays the same object", () => {
  const before = { a: [1, { b: null }], c: "d" };
  is(sameWhereEqual(before, copy(before)), before);
  is(sameWhereEqual(null, null), null);
  is(sameWhereEqual("1", 1), 1);
});

Deno.test("what has changed is new, and all beside it the same", () => {
  const before = { lines: [{ n: 1 }, { n: 2 }], party: { name: "Hansen" } };
  const now = copy(before);
  now.lines[1].n = 3;
  const found = sameWhereEqual(before, now);
  isLike(found, now);
  is(found.lines[0], before.lines[0]);
  is(found.party, before.party);
  isLike(before.lines[1], { n: 2 });
});

Deno.test("what comes, goes or turns into something else is seen", () => {
  for (
    const [before, now] of [
      [{ a: 1 }, { a: 1, b: 2 }],
      [{ a: 1, b: undefined }, { a: 1 }],
      [{ a: 1, b: 2 }, { a: 1 }],
      [{ a: 1 }, { b: 1 }],
      [[1, 2], [1]],
      [[1], [1, 2]],
      [[1, 2], [2, 1]],
      [{ a: [] }, { a: {} }],
      [{ a: null }, { a: {} }],
      [{ a: {} }, { a: null }],
      [[{ id: 1 }, { id: 2 }], [{ id: 2 }, { id: 1 }]],
    ]
  ) isLike(sameWhereEqual(before, now), now);
});

Deno.test("a record is the same wherever it stands in its list", () => {
  const before = [{ id: "a", n: 1 }, { id: "b", n: 2 }];
  const found = sameWhereEqual(before, [{ id: "c", n: 3 }, ...copy(before)]);
  is(found[1], before[0]);
  is(found[2], before[1]);
});

Deno.test("other kinds of values are taken as they are", () => {
  const [before, now] = [new Set([1]), new Set([1])];
  is(sameWhereEqual({ held: before }, { held: now }).held, now);
});
