// One quote: what it offers, what the customer answered, and what of it has been invoiced.
import { download, send } from "../../core/api.js";
import { day, days, dayShort, moment, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { listScreen, neighbours } from "../../core/neighbours.js";
import { notify } from "../../core/notices.js";
import { go } from "../../core/router.js";
import { may, settings } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { card } from "../../ui/card.js";
import { facts } from "../../ui/facts.js";
import { meter } from "../../ui/figure.js";
import { history } from "../../ui/history.js";
import { pager } from "../../ui/pager.js";
import { loaded } from "../../ui/skeleton.js";
import { isZero, namesOf, statePill as invoicePill } from "../documents/states.js";
import { linesTable, timesOf } from "../documents/table.js";
import { nameOf, numberOf, opensAt, optionText, QUOTES, statePill, TOUCHED } from "./words.js";

const { a, div, li, p, span, ul } = tags;

export default ({ params }) => {
  const quote = resource(`${QUOTES}/${params.id}`);
  const get = () => quote.value;
  return {
    title: () => (get() ? nameOf(get()) : ""),
    state: () => get() && statePill(get()),
    back: { href: listScreen(QUOTES, "/quotes"), text: t("Quotes") },
    leadsOn: true,
    pager: pager(neighbours(QUOTES, params.id), opensAt),
    actions: () => (get() ? actionsOn(get()) : []),
    body: loaded(quote, () => div({ class: "columns columns-wide document" }, paper(get), side(get))),
  };
};

async function mail(now) {
  const title = t("Send {name}", { name: nameOf(now) });
  await (await import("../../ui/mail.js")).sendDialog({
    title,
    path: `${QUOTES}/${now.id}`,
    links: true,
    touched: TOUCHED,
  });
}

function actionsOn(now) {
  const path = `${QUOTES}/${now.id}`;
  const can = (action) => now.can.includes(action) && may("finance.write");
  const act = async (verb, body) => {
    const isCopy = ["duplicate", "revise"].includes(verb);
    const answer = await send("POST", `${path}/${verb}`, body ?? {}, { version: isCopy ? undefined : now.version });
    changed(...TOUCHED);
    return answer;
  };
  return [
    can("issue") && {
      name: t("Issue"),
      key: "Control+Enter",
      main: true,
      asks: {
        title: t("Issue this quote?"),
        text: t("The quote gets its number. Nothing is posted, and you can revise it later."),
        figures: [[t("Total"), money(now.total, now.currency, { withCurrency: true })]],
        verb: t("Issue"),
      },
      run: async () => notify(t("{number} issued.", { number: (await act("issue")).number }), { kind: "good" }),
    },
    can("accept") &&
    {
      name: t.of("quote", "Accept"),
      key: "a",
      main: true,
      icon: "check",
      run: async () => (await import("./dialogs.js")).accepting(now),
    },
    can("invoice") &&
    {
      name: t("Invoice quote"),
      key: "i",
      main: true,
      icon: "file-plus",
      run: async () => (await import("./dialogs.js")).invoicing(now),
    },
    can("project") &&
    {
      name: t("Begin project"),
      icon: "folder",
      run: async () => (await import("./dialogs.js")).beginning(now),
    },
    can("update") && now.status === "draft" &&
    { name: t("Edit"), key: "e", icon: "pencil", run: () => go(`/quotes/${now.id}/edit`) },
    { name: t("PDF"), key: "d", icon: "file-text", run: () => download(`${path}/pdf`) },
    now.acceptedAt && {
      name: t("Order confirmation"),
      icon: "file-text",
      run: () => download(`${path}/pdf?paper=order_confirmation`),
    },
    can("decline") &&
    {
      name: t.of("quote", "Decline"),
      key: "D",
      icon: "x",
      run: async () => (await import("./dialogs.js")).declining(now),
    },
    !["draft", "superseded"].includes(now.status) && settings().shareLinks &&
    {
      name: t("Share…"),
      icon: "link",
      may: "finance.read",
      run: async () =>
        (await import("../documents/share.js")).shareDocument(path, nameOf(now), now.can.includes("accept")),
    },
    can("revise") && {
      name: t("New version"),
      icon: "pencil",
      run: async () => go(`/quotes/${(await act("revise")).id}/edit`),
    },
    can("send") && { name: t("Send"), key: "m", icon: "mail", run: () => mail(now) },
    can("mark_sent") &&
    { name: t("Mark as sent"), icon: "check", run: async () => (await import("./dialogs.js")).sending(now) },
    can("unmark_sent") && { name: t("Mark as not sent"), icon: "undo-2", run: () => act("unmark-sent") },
    can("duplicate") && {
      name: t("Duplicate"),
      icon: "copy",
      run: async () => go(`/quotes/${(await act("duplicate")).id}/edit`),
    },
    history(now),
    can("reopen") && {
      name: t("Reopen"),
      icon: "undo-2",
      asks: {
        title: t("Reopen {name}?", { name: numberOf(now) }),
        text: now.status === "accepted"
          ? t("The acceptance is removed, and the quote is open again.")
          : t("The quote gets the status that it had before."),
        verb: t("Reopen"),
      },
      run: () => act("reopen"),
    },
    can("close") &&
    {
      name: t.of("quote", "Close"),
      icon: "ban",
      danger: true,
      run: async () => (await import("./dialogs.js")).closing(now),
    },
    can("delete") && {
      name: t("Delete draft"),
      icon: "trash-2",
      danger: true,
      run: async () => (await import("./drafts.js")).discard(now),
    },
  ];
}

function paper(get) {
  const names = namesOf({});
  return card(
    {},
    div({ class: "spread is-top" }, () =>
      div(
        a({ href: `/contacts/${get().customerId}`, class: "strong" }, get().customerName),
        get().subject && div({ class: "soft" }, get().subject),
      ), () =>
      facts([
        [names.issueDate, day(get().issueDate)],
        [names.validUntil, day(get().validUntil)],
        [
          t("Service"),
          get().serviceDate
            ? day(get().serviceDate)
            : get().servicePeriod && days(get().servicePeriod.from, get().servicePeriod.to),
        ],
        [names.reference, get().reference],
        [names.projectId, get().projectId && a({ href: `/projects/${get().projectId}` }, get().projectName)],
      ])),
    () => get().intro && p(get().intro),
    () => lines(get()),
    () => get().closing && p(get().closing),
    () => get().note && p({ class: "soft" }, get().note),
  );
}

function lines(quote) {
  const note = (line) =>
    [
      line.option !== "included" && optionText(line),
      quote.acceptedAt && !line.isAccepted && t("not chosen"),
    ].filter(Boolean).join(" · ");
  return linesTable(quote, {
    described: (line) => [
      line.description,
      note(line) && div({ class: "soft small" }, note(line)),
      div({ class: "only-phone soft small" }, timesOf(line, quote)),
    ],
    rateOf: (line) => line.taxRateName ?? "",
    kindOf: (line) => line.option === "included" || line.isAccepted ? "" : "soft",
    sums: (row) =>
      quote.acceptedTotal && quote.acceptedTotal !== quote.total && row(t("Accepted"), quote.acceptedTotal, "strong"),
  });
}

const side = (get) =>
  div(
    { class: "stack" },
    () => get().acceptedNet && card({ title: t("Invoiced, net") }, bar(get()), invoices(get())),
    card({ title: t("Answer") }, () =>
      facts([
        [
          t("Accepted"),
          get().acceptedOn && [dayShort(get().acceptedOn), get().acceptedBy].filter(Boolean).join(", "),
        ],
        [t("By link"), get().acceptedVia === "link" && moment(get().acceptedAt)],
        [t("SHA-256 of the PDF"), get().acceptedPaperSha256],
        [t("Note of the customer"), get().acceptedNote],
        [
          t("Declined"),
          get().declinedAt && [moment(get().declinedAt), get().declinedBy, get().declinedVia === "link" && t("by link")]
            .filter(Boolean).join(", "),
        ],
        [t("Closed"), get().closedAt && moment(get().closedAt)],
        [t("Reason"), get().declineReason ?? get().closeReason],
        [t("Sent"), get().sentAt && moment(get().sentAt)],
        [t("Issued"), get().issuedAt && moment(get().issuedAt)],
        [t("Created by"), get().createdByName],
      ])),
    () => get().revisions.length > 1 && card({ title: t("Versions") }, revisions(get())),
  );

// What is on invoices, on drafts, and left.
function bar(quote) {
  const amount = (name) => money(quote[name], quote.currency, { withCurrency: true });
  const figures = [
    [t("Invoiced"), "invoicedNet"],
    [t("Drafts"), "draftNet"],
    [t.of("quote", "Left"), "leftNet"],
    [t("Deposits"), "depositNet"],
  ];
  return div(
    { class: "stack-tight" },
    meter({ label: t("Invoiced"), part: quote.invoicedNet, ahead: quote.draftNet, whole: quote.acceptedNet }),
    facts(
      figures.filter(([, name]) => name !== "depositNet" || !isZero(quote[name])).map(([text, name]) => [
        text,
        amount(name),
      ]),
    ),
    quote.isAbove && p({ class: "soft small" }, t("More has been invoiced than was accepted.")),
  );
}

const invoices = (quote) =>
  quote.invoices.length > 0 &&
  ul(
    { class: "plain-list" },
    quote.invoices.map((one) =>
      li(
        { class: "spread" },
        span({ class: "row" }, a({ href: `/invoices/${one.id}` }, one.number ?? t("Invoice")), invoicePill(one)),
        span({ class: "figure" }, money(one.netTotal, quote.currency)),
      )
    ),
  );

const revisions = (quote) =>
  ul(
    { class: "plain-list" },
    quote.revisions.map((one) =>
      li(
        { class: "spread" },
        span(
          { class: "row" },
          one.id === quote.id
            ? span({ class: "strong" }, t("Version {n}", { n: one.revision }))
            : a({ href: opensAt(one) }, t("Version {n}", { n: one.revision })),
          statePill(one),
        ),
        span({ class: "figure" }, money(one.total, quote.currency)),
      )
    ),
  );
