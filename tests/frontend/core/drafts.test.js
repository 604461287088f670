// What was typed and not sent, as the browser keeps it.
import { deepEqual as equal } from "node:assert/strict";
import { countDrafts, deleteDrafts, draftOfFields } from "../../../erp/frontend/core/drafts.js";
import { session } from "../../../erp/frontend/core/session.js";
import { scope, signal } from "../../../erp/frontend/core/signals.js";
import { withClock } from "./fakes.js";

const as = (user, workspace = "w1") => void (session.value = { user: { id: user }, workspace: { id: workspace } });

// A form for a contact that is shown: its fields, its draft, and how to leave it.
function opened(record = null) {
  const fields = { name: signal(""), city: signal("Bonn") };
  const { value, drop } = scope(() => draftOfFields("contacts", record, fields));
  return { fields, draft: value, leave: drop };
}

function trying(name, work) {
  Deno.test(name, () =>
    withClock(async (pass) => {
      localStorage.clear();
      as("mei");
      await work(pass);
    }));
}

trying("what is typed is kept after a pause, and comes back into the next form", async (pass) => {
  const first = opened();
  first.fields.name.value = "Hansen";
  await pass(399);
  equal(countDrafts(), 0);
  await pass(1);
  equal(countDrafts(), 1);
  first.leave();
  const next = opened();
  equal([next.fields.name.peek(), next.fields.city.peek()], ["Hansen", "Bonn"]);
  equal([next.draft.isRestored.peek(), next.draft.key === first.draft.key], [true, true]);
  next.leave();
});

trying("a form that is left within the pause keeps what was typed", () => {
  const { fields, leave } = opened();
  fields.name.value = "Hansen";
  leave();
  equal(countDrafts(), 1);
});

trying("what is as it was at first is not kept", async (pass) => {
  const { fields, leave } = opened();
  fields.name.value = "Hansen";
  await pass(400);
  fields.name.value = "";
  await pass(400);
  equal(countDrafts(), 0);
  leave();
});

trying("what was sent or is not wanted is forgotten, and its key is used no more", async (pass) => {
  const { fields, draft, leave } = opened();
  const { key } = draft;
  fields.name.value = "Hansen";
  await pass(400);
  draft.discard();
  equal([countDrafts(), fields.name.peek(), draft.key === key], [0, "", false]);
  fields.name.value = "Fink";
  await pass(400);
  equal(countDrafts(), 1);
  draft.clear();
  fields.name.value = "Finke";
  await pass(400);
  leave();
  equal(countDrafts(), 0);
});

trying("each user, workspace and record has drafts of its own", () => {
  const type = (record) => {
    const { fields, leave } = opened(record);
    fields.name.value = `of ${record}`;
    leave();
  };
  ["1", "2"].forEach(type);
  as("rui");
  equal(countDrafts(), 0);
  type("1");
  as("mei", "w2");
  equal(opened("1").fields.name.peek(), "");
  as("mei");
  equal([countDrafts(), opened("2").fields.name.peek()], [2, "of 2"]);
  deleteDrafts();
  equal(countDrafts(), 0);
  as("rui");
  equal(countDrafts(), 1);
});
