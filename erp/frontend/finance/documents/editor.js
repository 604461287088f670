// The editor of invoices and bills. The server works out the amounts.
import { send } from "../../core/api.js";
import { draft } from "../../core/drafts.js";
import { time } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { neighbours } from "../../core/neighbours.js";
import { notify } from "../../core/notices.js";
import { standAtHome } from "../../core/record_paths.js";
import { go } from "../../core/router.js";
import { changed, resource } from "../../core/store.js";
import { batch, computed, effect, signal, tags, untracked } from "../../core/view.js";
import { problem } from "../../ui/alert.js";
import { confirm } from "../../ui/dialog.js";
import { form } from "../../ui/form.js";
import { later } from "../../ui/later.js";
import { atShownLines, lineList } from "../../ui/lines.js";
import { pager } from "../../ui/pager.js";
import { skeleton } from "../../ui/skeleton.js";
import { nameOfContact } from "../contacts/choice.js";
import { blankLine, bodyOf, fieldsOf, lineOf, previewBody, previewOf, valuesOf } from "./body.js";
import { shownFields } from "./fields.js";
import { TOUCHED } from "../payments/touched.js";
import { ownTerms, termsOf } from "../terms/values.js";
import { isPurchase, kindOf, listOf, opensAt, partyOf, pathOf } from "./states.js";

const { div, span } = tags;

export default ({ params, query, path }) => {
  const fileId = location.pathname.startsWith("/inbox/") ? params.id : null;
  const id = fileId ? null : params.id;
  const isBill = Boolean(fileId) || location.pathname.startsWith("/bills");
  const before = id ? resource(`/finance/invoices/${id}`) : null;
  if (before) standAtHome(path, before);
  const party = resource(() => (before?.value ? `/finance/contacts/${partyOf(before.value).id}` : null));
  const ready = computed(() => !before || (before.value !== undefined && Boolean(party.value || party.problem)));
  let editor = null;
  const about = { ...newOf(isBill, query.peek()), fileId };
  const [kind, isPaper] = [signal(about.kind), signal(false)];
  const made = () => {
    if (!ready.value) return [problem(() => before.problem, () => before.renew()), skeleton({ rows: 6 })];
    editor ??= untracked(() => editing(before?.value ?? null, party.value, about, kind)); // later answers make no other
    return editor.body;
  };
  return {
    title: () => titleOf(kind.value, Boolean(id)),
    state: () => (ready.value ? editor?.state() : null),
    back: fileId ? { href: "/inbox", text: t("Inbox") } : listOf(isBill),
    pager: fileId
      ? later(async () => (await import("./from_file.js")).pagerOf, fileId)
      : id && pager(neighbours("/finance/invoices", id), opensAt),
    actions: [
      { name: t("Save draft"), key: "Control+s", isShown: () => ready.value, run: () => editor.body.save() },
      !isBill && {
        name: t("Paper"),
        key: "v",
        icon: "file-text",
        isShown: () => ready.value,
        run: () => void (isPaper.value = !isPaper.value),
      },
      fileId && { name: t("Post and stay"), key: "Control+Shift+Enter", run: () => editor.body.post({ stays: true }) },
      {
        name: isBill ? t("Post") : t("Issue"),
        key: "Control+Enter",
        main: true,
        isShown: () => ready.value,
        run: () => editor.body.send(),
      },
      id && {
        name: t("Delete draft"),
        danger: true,
        isShown: () => before.value?.can.includes("delete"),
        run: async () => (await import("./drafts.js")).discard(before.value),
      },
    ],
    body: div(
      { class: "document with-paper" },
      isBill
        ? paperBeside(fileId, id)
        : () =>
          isPaper.value && ready.value && later(async () => (await import("./papers.js")).paperOfTyped, editor.request),
      made,
    ),
  };
};

function paperBeside(fileId, id) {
  if (fileId) return later(async () => (await import("./from_file.js")).paperOfFile, fileId);
  return id && later(async () => (await import("./from_file.js")).paperOfBill, id);
}

/** @type {Record<string, () => string>} */
const DEPOSITS = {
  deposit_invoice: () => t("New deposit invoice"),
  final_invoice: () => t("New final invoice"),
};

function titleOf(kind, isThere) {
  if (isPurchase({ kind })) return isThere ? t("Edit bill") : t("New bill");
  return isThere ? t("Edit invoice") : DEPOSITS[kind]?.() ?? t("New invoice");
}

// A new document, by its address.
function newOf(isBill, query) {
  const kind = DEPOSITS[query.get("kind")] ? query.get("kind") : "sales_invoice";
  return {
    kind: isBill ? "purchase_invoice" : kind,
    contactId: query.get("customerId"),
    depositIds: query.getAll("depositId"),
  };
}

// The fields as signals, the draft, and the preview; `shownKind` follows the kind.
function editing(found, contact, about, shownKind) {
  const kind = found?.kind ?? about.kind;
  const record = signal(found);
  const fields = fieldsOf(
    found ? valuesOf(kind, found, { terms: ownTerms(found, contact) }) : valuesOf(kind, null, about),
  );
  const terms = signal(termsOf(fields)); // as the server has them
  const lines = lineList({ blank: blankLine, rows: found?.lines.map(lineOf) ?? [blankLine()] });
  const fill = ({ lines: rows, ...values }) =>
    batch(() => {
      for (const [name, one] of Object.entries(fields)) one.value = name in values ? values[name] : one.value;
      lines.load(rows.length ? rows : [blankLine()]);
    });
  const kept = draft(isPurchase({ kind }) ? "bill" : DEPOSITS[kind] ? kind : "invoice", found?.id ?? about.fileId, {
    read: () => ({
      ...Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, one.value])),
      lines: lines.values(),
    }),
    write: fill,
  });
  const body = () => bodyOf(fields, lines, record.value, terms.value);
  const request = () => previewBody(bodyOf(fields, lines, record.value, null), record.value);
  const preview = previewOf(request);
  const state = { fileId: about.fileId, record, terms, fields, lines, kept, fill, body, preview };
  const element = form(
    { run: () => working(state, issue), label: kindOf({ kind }), draft: kept },
    ...shownFields({ fields, lines, preview, found }),
  );
  element.post = (how) => element.sendWith(() => working(state, (now) => issue(now, how)));
  element.save = () => element.sendWith(() => working(state, saveDraft));
  const shown =
    () => (kept.savedAt.value
      ? span({ class: "soft small" }, t("not saved, on this device since {time}", { time: time(kept.savedAt.value) }))
      : null);
  effect(() => void (shownKind.value = fields.kind.value));
  return { body: element, state: shown, request };
}

async function working(state, work) {
  try {
    if (state.fileId) await (await import("./from_file.js")).checkInInbox(state.fileId);
    await work(state);
  } catch (refusal) {
    const again = () => working(state, work);
    if (refusal.status === 412) return (await import("./others.js")).afterOthers(state, again);
    if (refusal.status === 404 && state.record.peek()) return (await import("./others.js")).afterDeletion(state, again);
    return atShownLines(state.lines)(refusal);
  }
}

async function saveDraft(state) {
  const saved = await stored(state);
  if (!saved) return;
  state.kept.clear({ goesOn: Boolean(state.record.peek()) });
  if (state.fileId) await (await import("./from_file.js")).attach(state.fileId, saved);
  notify(t("Draft saved."), { kind: "good" });
  if (state.record.peek()) state.record.value = saved;
  else await go(`${pathOf(saved)}/edit`, { replace: true });
  changed(...TOUCHED);
}

async function stored({ record, terms, fields, body, kept }) {
  const now = record.peek();
  if (!now) return send("POST", "/finance/invoices", { ...body(), draft: true }, { key: kept.key });
  const sent = termsOf(fields);
  const saved = await send("PATCH", `/finance/invoices/${now.id}`, body(), { version: now.version });
  terms.value = sent;
  return saved;
}

// A bill of a file is followed by the next file, unless it `stays`.
async function issue(state, { stays = false } = {}) {
  const { record, fileId, fields, kept, body } = state;
  const party = fields.contactId.peek() ? await nameOfContact(fields.contactId.peek()) : "";
  if (record.peek()) record.value = await stored(state);
  const now = record.peek();
  const account = fields.paidFromAccountId.peek();
  const paid = account ? { paidFromAccountId: account } : {};
  const asked = now
    ? (await import("./issue.js")).askOfDraft(now, party, paid)
    : (await import("./issue.js")).askOfNew({ ...body(), ...paid }, party);
  if (!(await confirm(await asked))) return;
  const issued = now
    ? await send("POST", `/finance/invoices/${now.id}/issue`, paid, { version: now.version })
    : await send("POST", "/finance/invoices", { ...body(), ...paid }, { key: kept.key });
  kept.clear();
  changed(...TOUCHED);
  (await import("./issue.js")).tellIssued(issued);
  const next = fileId ? await (await import("./from_file.js")).filed(fileId, issued) : null;
  await go(stays || !next ? pathOf(issued) : next, { replace: true });
}
