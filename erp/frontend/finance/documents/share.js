// The share links of a document: made with a PIN or without, copied once, and revoked.
import { send } from "../../core/api.js";
import { moment } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { may } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { each, signal, tags } from "../../core/view.js";
import { problem } from "../../ui/alert.js";
import { button } from "../../ui/button.js";
import { confirm, dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { handedOver } from "../../ui/handed_over.js";
import { textInput } from "../../ui/input.js";
import { pill } from "../../ui/pill.js";

const { div, h3, li, p, span, ul } = tags;

// `path` is the document's in the API, such as `/finance/invoices/…`; `asks` if its receiver can accept or decline it.
export function shareDocument(path, name, asks = false) {
  const made = signal(null);
  return dialog({
    title: t("Share {name}", { name }),
    size: "wide",
    body: (close) =>
      div(
        { class: "stack" },
        () => (made.value ? told(made.value) : may("finance.write") && making(path, made, close, asks)),
        present(path),
      ),
  });
}

function making(path, made, close, asks) {
  const pin = signal("");
  const run = async () => {
    made.value = await send("POST", `${path}/links`, pin.value ? { pin: pin.value } : {});
    changed(`${path}/links`);
  };
  return form(
    { run, submit: t("Create link"), cancel: () => close(), label: t("New share link") },
    p(
      { class: "soft" },
      asks
        ? t("Everyone with the link sees this quote, and can accept or decline it, without signing in.")
        : t("Everyone with the link sees this document and can download it, without signing in."),
    ),
    field(
      {
        label: t("PIN"),
        name: "pin",
        isOptional: true,
        hint: t("4 to 12 digits. Send it another way than the link."),
      },
      textInput({ value: pin, name: "pin", inputmode: "numeric", autocomplete: "off" }),
    ),
  );
}

const REACH = {
  this_computer: () => t("The link opens only on this computer: the server is not shared."),
  lan: () => t("The link opens only in your network: no public address is set."),
};

const told = ({ url, reach, expiresAt }) =>
  div(
    { class: "stack" },
    p(t("Copy the link now. It is not shown again, and expires on {moment}.", { moment: moment(expiresAt) })),
    handedOver(url, t("Copy link")),
    REACH[reach] && p({ class: "soft" }, REACH[reach]()),
  );

function present(path) {
  const found = resource(`${path}/links`);
  return div(
    problem(() => found.problem, () => found.renew()),
    () => found.value?.length > 0 && h3(t("Links")),
    ul({ class: "plain-list" }, each(() => found.value ?? [], ({ id }) => id, (get) => li(row(path, get)))),
  );
}

const row = (path, get) =>
  div(
    { class: "row spread" },
    () =>
      span(
        said(get.value),
        " ",
        get.value.isLive ? null : pill(get.value.revokedAt ? t("revoked") : t("expired"), "neutral"),
      ),
    () =>
      get.value.isLive && may("finance.write") &&
      button(t("Revoke"), () => revoke(path, get.value), { isSmall: true, kind: "danger" }),
  );

const said = (link) =>
  [
    t("until {moment}", { moment: moment(link.expiresAt) }),
    link.messageId && t("in an e-mail"),
    link.hasPin && t("with a PIN"),
    link.lastSeenAt
      ? tn("seen {n} time, last {moment}", "seen {n} times, last {moment}", link.seenCount, {
        moment: moment(link.lastSeenAt),
      })
      : t("not seen yet"),
  ].filter(Boolean).join(" · ");

async function revoke(path, link) {
  const text = t("The link stops working. This cannot be undone, but you can create another link.");
  if (!(await confirm({ title: t("Revoke the link?"), text, verb: t("Revoke"), danger: true }))) return;
  await send("POST", `${path}/links/${link.id}/revoke`, {}); // whatever its version: each look at it is a new one
  changed(`${path}/links`);
}
