// The records before and after one, in the list that it was opened from.
import { deepEqual as equal } from "node:assert/strict";
import { forgetLists, listScreen, neighboursIn, openedFrom } from "../../../erp/frontend/core/neighbours.js";
import { scope, signal } from "../../../erp/frontend/core/signals.js";

const listOf = (ids, { hasMore = false, more = () => {} } = {}) => ({
  path: "/things?state=open",
  items: ids.map((id) => ({ id })),
  hasMore,
  more,
});

const placeIn = (rows, id, count = 0) => {
  const { value, drop } = scope(() => neighboursIn(rows, id, count));
  drop();
  return value.peek();
};

Deno.test("a record's place is counted among those that are read", () => {
  const { at, total } = placeIn(listOf(["a", "b", "c"]), "b");
  equal([at, total], [1, "3"]);
  equal(placeIn(listOf(["a"], { hasMore: true }), "a").total, "1+");
  equal(placeIn(listOf(["a"]), "z"), null);
});

Deno.test("the list is read further for the record after the last one, and for one that is not read yet", () => {
  let asked = 0;
  const more = () => void (asked += 1);
  placeIn(listOf(["a", "b"], { hasMore: true, more }), "a");
  equal(asked, 0);
  placeIn(listOf(["a", "b"], { hasMore: true, more }), "b");
  placeIn(listOf(["a", "b"], { hasMore: true, more }), "z", 5);
  equal(asked, 2);
});

Deno.test("a record that leaves the list keeps its place", () => {
  const items = signal([{ id: "a" }, { id: "b" }]);
  const rows = {
    hasMore: false,
    more: () => {},
    get items() {
      return items.value;
    },
  };
  const { value, drop } = scope(() => neighboursIn(rows, "b"));
  items.value = [{ id: "a" }];
  equal(value.peek().at, 1);
  drop();
});

Deno.test("the way back is the list's screen as it was filtered, until all are forgotten", () => {
  openedFrom(listOf(["a"]));
  equal(listScreen("/things", "/invoices"), "/invoices?state=open&q=a");
  equal(listScreen("/things", "/bills"), "/bills");
  forgetLists();
  equal(listScreen("/things", "/invoices"), "/invoices");
});
