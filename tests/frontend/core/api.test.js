// What is sent to the server, and what is made of its answers.
import { deepEqual as equal, match, rejects } from "node:assert/strict";
import {
  actAs,
  actIn,
  address,
  get,
  newKey,
  onOtherUser,
  onSignedOut,
  page,
  send,
} from "../../../erp/frontend/core/api.js";
import { withClock, withServer } from "./fakes.js";

const ok = (data, more = {}) => ({ success: true, data, ...more });

Deno.test("an answer is taken out of its envelope, and a list's page is told with it", async () => {
  await withServer(() => ok([{ id: 1 }], { page: { nextCursor: "next", total: 3 } }), async () => {
    equal(await get("/things"), [{ id: 1 }]);
    equal(await page("/things"), { items: [{ id: 1 }], cursor: "next", page: { nextCursor: "next", total: 3 } });
  });
});

Deno.test("a change names its user, the workspace, the version that was read and the key of its draft", async () => {
  actAs("u1");
  actIn("w1");
  await withServer(() => ok({}), async (asked) => {
    await send("PATCH", "/things/1", { name: "x" }, { version: 4, key: "k" });
    const [{ verb, path, headers, body }] = asked;
    equal([verb, path, body], ["PATCH", "/api/v1/things/1", { name: "x" }]);
    equal([headers["if-match"], headers["idempotency-key"]], ['"4"', "k"]);
    equal([headers["x-user-id"], headers["x-workspace-id"]], ["u1", "w1"]);
    await get("/auth/session");
    equal([asked[1].headers["x-user-id"], asked[1].headers["x-workspace-id"]], [undefined, undefined]);
  });
  actAs(null);
  actIn(null);
});

Deno.test("a refusal is thrown with its code, its message and its fields", async () => {
  const error = { code: "invalid", status: 422, message: "Check the marked fields.", details: [{ field: "name" }] };
  await withServer(() => ({ status: 422, success: false, error }), async () => {
    await rejects(get("/things"), { code: "invalid", message: error.message, details: error.details, status: 422 });
  });
});

Deno.test("a request that no form has sent says why it is invalid", async () => {
  const error = (status, code) => ({
    status,
    code,
    message: "Check the marked field.",
    details: [{ field: "a", message: "Too much." }, { field: "b", message: "Too late." }, {
      field: "c",
      message: "Too late.",
    }],
  });
  await withServer(() => ({ status: 422, success: false, error: error(422, "validation_failed") }), async () => {
    await rejects(get("/things"), { reason: "Too much. Too late.", message: "Check the marked field." });
  });
  await withServer(() => ({ status: 409, success: false, error: error(409, "in_use") }), async () => {
    await rejects(get("/things"), { reason: "Check the marked field." });
  });
});

Deno.test("an answer that is none of the server's says so", async () => {
  await withServer(() => ({ status: 502 }), () => rejects(get("/things"), { status: 502, message: /failed \(502\)/ }));
});

Deno.test("a server without an answer is told from one that refuses", async () => {
  const real = globalThis.fetch;
  globalThis.fetch = () => Promise.reject(new TypeError("no network"));
  await rejects(get("/things"), { code: "no_answer" });
  globalThis.fetch = real;
});

Deno.test("a busy server is asked three times more, each time later", async () => {
  await withClock(async (pass) => {
    await withServer((_, count) => (count < 4 ? { status: 503 } : ok("done")), async (asked) => {
      const answer = get("/things");
      const counts = [];
      for (const pause of [0, 399, 1, 1199, 1, 2999, 1]) {
        await pass(pause);
        counts.push(asked.length);
      }
      equal([counts, await answer], [[1, 1, 2, 2, 3, 3, 4], "done"]);
    });
  });
});

Deno.test("a request whose session has ended is sent again once its user has signed in", async () => {
  let isSignedIn = false;
  onSignedOut(() => Promise.resolve(isSignedIn = true));
  await withServer(() => (isSignedIn ? ok("mine") : { status: 401 }), async (asked) => {
    equal(await get("/things"), "mine");
    equal(asked.length, 2);
  });
  onSignedOut(() => Promise.resolve(false));
  await withServer(() => ({ status: 401 }), async (asked) => {
    await rejects(get("/things"), { status: 401 });
    equal(asked.length, 1);
  });
  onSignedOut(null);
});

Deno.test("an address has the parameters that are set", () => {
  equal(address("/things", { q: "a b", state: null, tag: "", n: 0 }), "/things?q=a+b&n=0");
  equal(address("/things", { q: undefined }), "/things");
});

Deno.test("keys are 128 random bits", () => {
  match(newKey(), /^[0-9a-f]{32}$/);
  equal(newKey() === newKey(), false);
});

Deno.test("a refusal for want of the same user is told to the page", async () => {
  let count = 0;
  onOtherUser(() => void (count += 1));
  const error = { code: "other_user", status: 409, message: "You are signed in as somebody else now." };
  await withServer(() => ({ status: 409, success: false, error }), () => rejects(get("/things"), { status: 409 }));
  onOtherUser(() => {});
  equal(count, 1);
});
