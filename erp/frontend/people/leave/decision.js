// Requests that are decided or withdrawn here: gone from the list at once, sent a little later, back if that is undone.
import { send } from "../../core/api.js";
import { t, tn } from "../../core/i18n.js";
import { notify, tried } from "../../core/notices.js";
import { changed } from "../../core/store.js";
import { heldBackFrom } from "../../core/undo.js";
import { signal, tags } from "../../core/view.js";
import { dialog } from "../../ui/dialog.js";
import { facts } from "../../ui/facts.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";

export function heldDecisions() {
  const gone = signal(new Set());
  const act = (ids, text, path, body = {}, { refused = (refusal) => refusal, done = () => {} } = {}) =>
    heldBackFrom(gone, ids, text, async (options) => {
      await send("POST", path, body, options).catch((refusal) => {
        throw refused(refusal);
      });
      done();
      changed("/hr/", "/workspace/home");
    });
  return { isGone: ({ id }) => gone.value.has(id), act };
}

export const undoAction = (path, name) => ({
  name: t("Undo decision"),
  run: () =>
    tried(async () => {
      await send("POST", `${path}/decision/undo`, {});
      changed("/hr/", "/workspace/home");
      notify(t("Decision undone. {name}’s request is waiting again.", { name }), { kind: "good" });
    }),
});

/**
 * What decides several requests at once, all or none: `path` takes the decisions, each naming its request as `name`. They
 * are gone from the list, and sent a little later.
 * @param {{ path: string, name: string, decisions: any, selected: any, textOf: (row: any) => string }} about
 */
export const decidedTogether = (about) => {
  const able = (rows, verb) => rows.filter(({ can }) => can.includes(verb));
  return [{
    name: t("Approve all"),
    fits: (rows) => able(rows, "approve").length > 0,
    run: (rows) => {
      const chosen = able(rows, "approve");
      decide(
        about,
        chosen,
        { decision: "approve" },
        tn("{n} request approved.", "{n} requests approved.", chosen.length),
      );
    },
  }, {
    name: t("Reject all"),
    danger: true,
    fits: (rows) => able(rows, "reject").length > 0,
    run: async (rows) => {
      const chosen = able(rows, "reject");
      const note = await noteOn(chosen, about.textOf);
      if (note === undefined) return;
      const verdict = { decision: "reject", ...(note && { note }) };
      decide(about, chosen, verdict, tn("{n} request rejected.", "{n} requests rejected.", chosen.length));
    },
  }];
};

function decide({ path, name, decisions, selected }, rows, verdict, text) {
  const ids = rows.map(({ id }) => id);
  decisions.act(ids, text, path, { decisions: ids.map((id) => ({ [name]: id, ...verdict })) }, {
    refused: (refusal) => new Error(whoseRefusal(refusal, rows)),
    done: () => void (selected.value = new Set([...selected.peek()].filter((id) => !ids.includes(id)))),
  });
}

// None is decided if one is refused: whose it is, is said.
const whoseRefusal = ({ message, details }, rows) =>
  details?.map(({ field: at, message: text }) => {
    const row = rows[at?.match(/^decisions\[(\d+)\]/)?.[1]];
    return row ? `${row.employeeName}: ${text}` : text;
  }).join(" ") || message;

// One note on all that are rejected; undefined if they are not.
const noteOn = (rows, textOf) => {
  const note = signal("");
  const title = tn("Reject {n} request?", "Reject {n} requests?", rows.length);
  return dialog({
    title,
    body: (close) =>
      form(
        {
          run: () => close(note.value.trim()),
          submit: t("Reject all"),
          kind: "danger",
          cancel: () => close(),
          label: title,
        },
        facts(rows.map((row) => [row.employeeName, textOf(row)])),
        tags.div(
          { class: "fields" },
          field(
            { label: t.of("internal", "Note"), name: "note", isOptional: true, isWide: true },
            textInput({ value: note, name: "note" }),
          ),
        ),
      ),
  });
};
