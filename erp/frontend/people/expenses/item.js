// One expense claim: its lines with the picture of each receipt, and what can be done with it now.
import { send } from "../../core/api.js";
import { day, days, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { listScreen } from "../../core/neighbours.js";
import { notify } from "../../core/notices.js";
import { go } from "../../core/router.js";
import { may } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { alert } from "../../ui/alert.js";
import { attachments } from "../../ui/attachments.js";
import { card } from "../../ui/card.js";
import { choice, optionsOf } from "../../ui/choice.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { facts } from "../../ui/facts.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { dateField } from "../../ui/date.js";
import { isShown, paper } from "../../ui/paper.js";
import { loaded } from "../../ui/skeleton.js";
import { table } from "../../ui/table.js";
import { cash, CLAIMS, claimState, linesOf, saveLines, TOUCHED } from "./claims.js";
import { askLine } from "./line.js";
import { categoryText, kindText } from "./words.js";

const { a, div, li, p, ul } = tags;

export default ({ params }) => {
  const claim = resource(`${CLAIMS}/${params.id}`);
  const get = () => claim.value;
  return {
    title: () => (get() ? get().title : ""),
    state: () => get() && claimState(get()),
    back: { href: listScreen(CLAIMS, "/expenses"), text: t("Expense claims") },
    actions: () => (get() ? actionsOn(get()) : []),
    body: loaded(claim, () => page(get)),
  };
};

const act = async (now, verb, body, done) => {
  await send("POST", `${CLAIMS}/${now.id}/${verb}`, body, { version: now.version });
  changed(...TOUCHED);
  notify(done, { kind: "good" });
};

const sums = (now) => [
  [t("Employee"), now.employeeName],
  [t("Total"), cash(now.total)],
];

function actionsOn(now) {
  const can = (name) => now.can.includes(name);
  const add = (kind, name, about) => ({ name, run: () => askLine(kind, { claim: now }), ...about });
  return [
    can("submit") && {
      name: t.of("claim", "Submit"),
      key: "Control+Enter",
      main: true,
      icon: "send",
      run: () => submit(now),
    },
    can("change") && add("receipt", t("Add a receipt"), { key: "n", icon: "receipt" }),
    can("change") && add("mileage", t("Add mileage"), { icon: "map-pin" }),
    can("change") && add("per_diem", t("Add a per diem"), { icon: "calendar-days" }),
    can("approve") && {
      name: t.of("request", "Approve"),
      key: "a",
      main: true,
      icon: "check",
      run: () => act(now, "approve", {}, t("Approved.")),
    },
    can("return") && {
      name: t.of("claim", "Return"),
      key: "r",
      icon: "undo-2",
      run: () => asked(now, "return", t.of("claim", "Return"), t("Returned.")),
    },
    can("reject") && {
      name: t.of("request", "Reject"),
      icon: "x",
      danger: true,
      run: () => asked(now, "reject", t.of("request", "Reject"), t.of("request", "Rejected.")),
    },
    can("post") && {
      name: t.of("books", "Post"),
      key: "p",
      main: true,
      icon: "check",
      run: () => dialog({ title: t("Post {title}", now), body: (close) => posting(now, close) }),
    },
    can("withdraw") && {
      name: t("Withdraw"),
      icon: "undo-2",
      run: () => act(now, "withdraw", undefined, t("Withdrawn.")),
    },
    can("undoDecision") && {
      name: t("Undo decision"),
      icon: "undo-2",
      run: () => act(now, "decision/undo", undefined, t("Decision undone.")),
    },
    can("void") && {
      name: t.of("document", "Void"),
      icon: "ban",
      danger: true,
      run: () => asked(now, "void", t.of("document", "Void"), t("Voided.")),
    },
    can("delete") && {
      name: t("Delete"),
      icon: "trash-2",
      danger: true,
      asks: {
        title: t("Delete {title}?", now),
        text: t("Files from the inbox go back there; its other files are deleted."),
        verb: t("Delete"),
        danger: true,
      },
      run: async () => {
        await send("DELETE", `${CLAIMS}/${now.id}`, undefined, { version: now.version });
        await go("/expenses"); // first, or this screen would ask for it again
        changed(...TOUCHED);
      },
    },
  ];
}

// A file that another claim or a bill has is claimed all the same only if one says so.
async function submit(now) {
  try {
    await act(now, "submit", {}, t("Submitted."));
  } catch (refusal) {
    if (refusal.code !== "duplicate_receipt") throw refusal;
    dialog({
      title: t("Claimed already?"),
      body: (close) =>
        form({
          run: async () => {
            await act(now, "submit", { force: true }, t("Submitted."));
            close();
          },
          submit: t("Submit all the same"),
          cancel: () => close(),
          label: t.of("claim", "Submit"),
        }, p(refusal.message)),
    });
  }
}

const asked = (now, verb, title, done) =>
  dialog({
    title,
    body: (close) => {
      const reason = signal("");
      const run = async () => {
        await act(now, verb, { reason: reason.value }, done);
        close();
      };
      return form(
        { run, submit: title, cancel: () => close(), label: title, kind: verb === "return" ? "main" : "danger" },
        facts(sums(now)),
        field({ label: t("Reason"), name: "reason" }, textInput({ value: reason, name: "reason" })),
      );
    },
  });

/** @type {Record<string, () => string>} */
const PAY_BY = { payment_run: () => t("Payment run"), payslip: () => t("Next payslip") };

function posting(now, close) {
  const [date, payBy] = [signal(""), signal("payment_run")];
  const run = async () => {
    await act(now, "post", { payBy: payBy.value, ...(date.value && { date: date.value }) }, t("Posted."));
    close();
  };
  return form(
    { run, submit: t.of("books", "Post"), cancel: () => close(), label: t.of("books", "Post") },
    facts([...sums(now), [t("Input VAT"), cash(now.taxTotal)]]),
    field(
      { label: t("Date"), name: "date", isOptional: true, hint: t("Default: the day of the last expense.") },
      dateField({ value: date, name: "date" }),
    ),
    Number(now.ownTotal) > 0 && field(
      { label: t("Payment"), name: "payBy" },
      choice({
        value: payBy,
        name: "payBy",
        options: optionsOf(PAY_BY),
      }),
    ),
  );
}

function page(get) {
  const shown = signal(null);
  return div(
    { class: "columns document" },
    div(
      { class: "stack" },
      () => get().decisionNote && alert({ kind: "info", text: get().decisionNote }),
      () => warnings(get()),
      card(
        {},
        table({
          label: t.of("journal", "Lines"),
          rows: () => get().lines.map((line, at) => ({ ...line, at })),
          key: ({ id }) => id,
          columns,
          actions: (line) => lineActions(get(), line, shown),
          empty: empty(t("No expenses yet.")),
        }),
        () => div({ class: "spread" }, totals(get())),
      ),
      () =>
        attachments({
          of: { resourceType: "expense_claim", resourceId: get().id },
          canAdd: get().can.includes("change"),
        }),
    ),
    div({ class: "stack" }, () => picture(get(), shown), () => card({ title: t("Details") }, details(get()))),
  );
}

const warnings = (now) =>
  now.warnings.length
    ? alert({
      kind: "warn",
      text: ul(
        { class: "plain-list" },
        now.warnings.map(({ line, message }) => li(t("Line {n}: {message}", { n: line + 1, message }))),
      ),
    })
    : null;

const totals = (now) =>
  facts([
    [t("Paid by employee"), cash(now.ownTotal)],
    [t("Company card"), Number(now.cardTotal) ? cash(now.cardTotal) : null],
    [t("Input VAT"), Number(now.taxTotal) ? cash(now.taxTotal) : null],
    [t("Total"), cash(now.total)],
  ]);

const details = (now) =>
  facts([
    [t.of("document", "Number"), now.number],
    [t("Employee"), now.employeeName],
    [t.of("internal", "Note"), now.note],
    [t("Decided by"), now.decidedByName],
    [t("Posted on"), now.postedOn && day(now.postedOn)],
    [t.of("column", "Due date"), now.dueDate && day(now.dueDate)],
    [t("Payment"), now.payBy === "payslip" && PAY_BY.payslip()],
    [t.of("document", "Paid"), Number(now.amountPaid) ? cash(now.amountPaid) : null],
    now.journalEntryId && may("finance.read") &&
    [t("Journal entry"), a({ href: `/journals/${now.journalEntryId}` }, t("Show"))],
  ]);

function lineActions(now, line, shown) {
  const canChange = now.can.includes("change");
  return [
    line.attachmentIds.length > 0 &&
    { name: t("Show the receipt"), icon: "eye", run: () => void (shown.value = line.at) },
    canChange && { name: t("Edit"), icon: "pencil", run: () => askLine(line.kind, { claim: now, at: line.at }) },
    canChange && now.lines.length > 1 && {
      name: t("Remove"),
      icon: "trash-2",
      danger: true,
      run: () => saveLines(now, linesOf(now).toSpliced(line.at, 1)),
    },
  ].filter(Boolean);
}

const told = (line) =>
  line.description || line.supplierName || line.explanation ||
  (line.days.length ? days(line.days[0].date, line.days.at(-1).date) : kindText(line));

const columns = [
  { key: "what", text: t("Description"), place: "name", cell: told },
  { key: "date", text: t("Date"), place: "meta", width: "7rem", cell: ({ date }) => day(date) },
  {
    key: "category",
    text: t("Category"),
    place: "meta",
    width: "9rem",
    cell: (line) => categoryText({ code: line.categoryCode, name: line.categoryName }),
  },
  {
    key: "amount",
    text: t("Amount"),
    isFigure: true,
    place: "figure",
    width: "9rem",
    cell: (line) => money(line.amount, line.currency, { withCurrency: true }),
  },
];

// The picture of the line that one has chosen, else of the first that has one.
function picture(now, shown) {
  const line = now.lines[shown.value ?? -1] ?? now.lines.find(({ attachmentIds }) => attachmentIds.length);
  if (!line?.attachmentIds.length) return null;
  const file = resource(`/workspace/attachments/${line.attachmentIds[0]}`);
  return card({ title: told(line) }, () => file.value && shownFile(file.value, line));
}

const shownFile = (file, line) =>
  isShown(file)
    ? paper({ ...file, name: t("Receipt: {text}", { text: told(line) }) }, { isInside: true })
    : p({ class: "soft" }, t("This file has no preview. Download it below."));
