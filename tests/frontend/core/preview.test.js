// What is asked while something is typed, and what is not.
import { deepEqual as equal } from "node:assert/strict";
import { send } from "../../../erp/frontend/core/api.js";
import { previewed } from "../../../erp/frontend/core/preview.js";
import { scope, signal } from "../../../erp/frontend/core/signals.js";
import { withClock, withServer } from "./fakes.js";

const named = ({ body }) => ({ success: true, data: { total: body.name } });

Deno.test("the server is asked at a pause, and says what the last text comes to", async () => {
  await withClock((pass) =>
    withServer(named, async (asked) => {
      const name = signal("a");
      const { value: answer, drop } = scope(() => previewed("/things", () => ({ name: name.value })));
      await pass(200);
      name.value = "b";
      await pass(250);
      equal([asked.map(({ body }) => body.name), answer.value], [["b"], { total: "b" }]);
      drop();
    })
  );
});

Deno.test("while something is changed nothing is asked, and after it only what is still shown", async () => {
  for (const isGone of [false, true]) {
    await withClock((pass) =>
      withServer(named, async (asked) => {
        const { drop } = scope(() => previewed("/things", () => ({ name: "preview" })));
        await pass(200);
        const changed = send("POST", "/things", { name: "change" });
        pass(250);
        await changed;
        if (isGone) drop();
        await pass(250);
        equal(asked.map(({ body }) => body.name), isGone ? ["change"] : ["change", "preview"]);
        drop();
      })
    );
  }
});
