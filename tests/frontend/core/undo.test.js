// What is done at once and can be taken back, and what is held back.
import { deepEqual as equal } from "node:assert/strict";
import { toasts } from "../../../erp/frontend/core/notices.js";
import { signal } from "../../../erp/frontend/core/signals.js";
import { heldBack, heldBackFrom, inverse, sendHeld } from "../../../erp/frontend/core/undo.js";
import { withClock } from "./fakes.js";

const shown = () => toasts.peek().map(({ text }) => text);
const undo = () => toasts.peek().at(-1).undo();

Deno.test("what is held back is sent after five seconds, once", async () => {
  await withClock(async (pass) => {
    const sent = [];
    heldBack("Deleted.", (options) => Promise.resolve(sent.push(options)));
    await pass(4999);
    equal([sent, shown()], [[], ["Deleted."]]);
    await pass(1);
    await sendHeld();
    equal([sent, shown()], [[{}], []]);
  });
});

Deno.test("what is taken back in time is never sent", async () => {
  await withClock(async (pass) => {
    const [sent, gone] = [[], signal(new Set(["other"]))];
    heldBackFrom(gone, "row", "Deleted.", () => Promise.resolve(sent.push("row")));
    equal([...gone.peek()], ["other", "row"]);
    undo();
    await pass(10_000);
    equal([sent, [...gone.peek()], shown()], [[], ["other"], []]);
  });
});

Deno.test("a page that is left sends all that is held back, so that its answer need not be waited for", async () => {
  await withClock(async () => {
    const sent = [];
    for (const name of ["one", "two"]) heldBack(name, ({ keepalive }) => Promise.resolve(sent.push([name, keepalive])));
    await sendHeld();
    equal(sent, [["one", true], ["two", true]]);
  });
});

Deno.test("what the server refuses is shown again, with its reason", async () => {
  await withClock(async (pass) => {
    const gone = signal(new Set());
    heldBackFrom(gone, "row", "Deleted.", () => Promise.reject(new Error("It is on an invoice.")));
    await pass(5000);
    equal([[...gone.peek()], shown()], [[], ["It is on an invoice."]]);
    toasts.value = [];
  });
});

Deno.test("what was done at once is undone by the other call", async () => {
  await withClock(async (pass) => {
    const calls = [];
    inverse("Moved.", () => Promise.resolve(calls.push("back")));
    await undo();
    equal(calls, ["back"]);
    await pass(8000);
    equal(shown(), []);
  });
});
