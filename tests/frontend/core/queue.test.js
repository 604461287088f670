// What is clocked at a kiosk, with a server that answers what a test says: no clocking is lost, and no PIN kept for long.
import { deepEqual as equal } from "node:assert/strict";
import { clockings } from "../../../erp/frontend/people/kiosk/queue.js";
import { withServer } from "./fakes.js";

const GOOD = { success: true, data: { name: "Priya N.", isIn: true } };
const refused = (status, code, message) => ({ status, success: false, error: { code, status, message } });
const WRONG = refused(403, "wrong_pin", "The PIN is wrong.");
const WAITS = refused(429, "rate_limited", "Too many attempts.");
const OFF = { status: 502 }; // a proxy says it, and not in our way
const kept = (name) => JSON.parse(localStorage.getItem(`kiosk.${name}`) ?? "[]");

function trying(name, work) {
  Deno.test(name, async () => {
    localStorage.clear();
    const server = { says: () => GOOD };
    await withServer((request) => server.says(request), (asked) => work(server, asked));
  });
}

const opened = (onRefused = () => {}) => clockings({ token: () => "erp_one", now: () => 0, onRefused });

trying("one that waits for wrong PINs of another time is sent again, and the next is not held up", async (server) => {
  const queue = opened();
  server.says = () => OFF;
  await queue.add("mei", "Mei", "1111");
  await queue.add("priya", "Priya", "2222");
  server.says = ({ body }) => (body.employeeId === "mei" ? WAITS : GOOD);
  await queue.flush();
  equal(kept("waiting").map(({ name }) => name), ["Mei"]);
  equal(kept("lost"), []);
  server.says = () => GOOD;
  await queue.flush();
  equal(kept("waiting"), []);
});

trying("a person at the screen is told to wait, and nothing of them is kept", async (server) => {
  server.says = () => WAITS;
  const { refusal } = await opened().add("mei", "Mei", "1111");
  equal(refusal.status, 429);
  equal([kept("waiting"), kept("lost")], [[], []]);
});

trying("what the server refuses later is listed without its PIN", async (server) => {
  const queue = opened();
  server.says = () => OFF;
  await queue.add("mei", "Mei", "1111");
  server.says = () => WRONG;
  await queue.flush();
  equal(kept("waiting"), []);
  equal(kept("lost").map(({ name, pin, reason }) => [name, pin, reason]), [["Mei", null, "The PIN is wrong."]]);
});

trying(
  "half an answer and a refusal of another server say nothing: it is sent again with the same key",
  async (server, asked) => {
    const queue = opened();
    server.says = () => ({ status: 200 });
    await queue.add("mei", "Mei", "1111");
    server.says = () => ({ status: 404 });
    await queue.flush();
    equal(kept("waiting").length, 1);
    server.says = () => GOOD;
    await queue.flush();
    equal(kept("waiting"), []);
    equal(new Set(asked.map(({ headers }) => headers["idempotency-key"])).size, 1);
  },
);

trying("once the token is refused, all that waits is listed, and no PIN stays", async (server, asked) => {
  let count = 0;
  const queue = opened(() => void (count += 1));
  server.says = () => OFF;
  await queue.add("mei", "Mei", "1111");
  await queue.add("priya", "Priya", "2222");
  server.says = () => refused(401, "invalid_token", "This kiosk was deleted.");
  const before = asked.length;
  await queue.flush();
  equal([count, asked.length - before], [1, 1]);
  equal(kept("waiting"), []);
  equal(kept("lost").map(({ name, pin, reason }) => [name, pin, reason]), [
    ["Mei", null, "This kiosk was deleted."],
    ["Priya", null, "This kiosk was deleted."],
  ]);
});

trying("two tabs keep what each of them has taken", async (server) => {
  const [one, other] = [opened(), opened()];
  server.says = () => OFF;
  await one.add("mei", "Mei", "1111");
  await other.add("priya", "Priya", "2222");
  equal(kept("waiting").map(({ name }) => name), ["Mei", "Priya"]);
});

Deno.test("a server that does not answer is not waited for without end", async () => {
  localStorage.clear();
  const real = [globalThis.fetch, AbortSignal.timeout];
  AbortSignal.timeout = () => AbortSignal.abort();
  globalThis.fetch = (_path, { signal }) =>
    new Promise((_done, fail) => (signal?.aborted ? fail(signal.reason) : undefined));
  try {
    equal(await opened().add("mei", "Mei", "1111"), null);
    equal(kept("waiting").length, 1);
  } finally {
    [globalThis.fetch, AbortSignal.timeout] = real;
  }
});
