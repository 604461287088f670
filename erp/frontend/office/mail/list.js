// Outgoing mail: waiting, failed, unsure, sent.
import { address, send } from "../../core/api.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { parameter, query } from "../../core/router.js";
import { may } from "../../core/session.js";
import { changed, list } from "../../core/store.js";
import { effect, tags } from "../../core/view.js";
import { alert } from "../../ui/alert.js";
import { empty } from "../../ui/empty.js";
import { searchField } from "../../ui/input.js";
import { table } from "../../ui/table.js";
import { parameterTabs } from "../../ui/tabs.js";
import { showMessage } from "./message.js";
import { MESSAGES, statePill } from "../../ui/message.js";
import { addressesOf, kindOfMessage, whenOf } from "./words.js";

const LOOK_EVERY = 5000; // ms; what the mail server answers comes without anybody's doing
const TABS = {
  waiting: ["queued", "sending", "waiting", "prepared"],
  failed: ["failed"],
  unsure: ["unsure"],
  sent: ["sent", "handed_over"],
};

export default () => {
  const tab = () => query.value.get("state") ?? "waiting";
  const messages = list(() =>
    address(MESSAGES, { status: TABS[tab()].join(","), q: query.value.get("q"), total: true })
  );
  effect(() => {
    const timer = setInterval(() => document.hidden || changed(MESSAGES), LOOK_EVERY);
    return () => clearInterval(timer);
  });
  return {
    title: t("Messages"),
    actions: [{ name: t("Mail server"), icon: "settings", may: "workspace.write", href: "/settings/mail" }],
    body: tags.div(
      { class: "stack" },
      parameterTabs({
        name: "state",
        label: t("Statuses"),
        options: [
          ["waiting", t.of("messages", "Waiting")],
          ["failed", t.of("messages", "Failed")],
          ["unsure", t.of("messages", "Unsure")],
          ["sent", t.of("messages", "Sent")],
        ],
      }),
      () =>
        tab() === "unsure" &&
        alert({
          kind: "warn",
          text: t("Look into your sent mail, then say that a message was sent, or send it again."),
        }),
      searchField({ value: parameter("q"), label: t("Search messages") }),
      table({
        label: t("Messages"),
        page: "messages",
        list: messages,
        key: ({ id }) => id,
        columns,
        actions: actionsOn,
        counted: (n, places) => tn("{n} message", "{n} messages", n, places),
        empty: empty(t("No messages here.")),
      }),
    ),
  };
};

const columns = [
  { key: "to", text: t.of("mail", "To"), place: "name", cell: addressesOf },
  { key: "kind", text: t.of("document", "Kind"), place: "meta", width: "12rem", cell: kindOfMessage },
  { key: "subject", text: t("Subject"), isMinor: true, isLong: true, cell: ({ subject }) => subject },
  { key: "when", text: t("Date"), place: "meta", isLong: true, width: "12rem", cell: whenOf },
  { key: "state", text: t("Status"), place: "state", width: "12rem", cell: statePill },
];

const actionsOn = (message) => [
  { name: t("Show"), key: "Enter", icon: "eye", run: () => showMessage(message) },
  ...stepsOf(message),
];

// What can be done with a message now.
function stepsOf(message) {
  const act = async (verb, text) => {
    await send("POST", `${MESSAGES}/${message.id}/${verb}`, {});
    changed(MESSAGES);
    notify(text, { kind: "good" });
  };
  const can = (name) => message.can.includes(name);
  const again = message.status === "unsure" && {
    title: t("Send it again?"),
    text: t("It may have arrived already. Look into your sent mail first."),
    verb: t("Send again"),
  };
  return [
    can("hand_over") &&
    {
      name: t("Open in my mail program"),
      icon: "mail",
      run: async () => (await import("../../ui/mail.js")).openDraft(message),
    },
    can("hand_over") && {
      name: t("Mark as sent"),
      icon: "check",
      run: () => act("handed-over", t("Noted as sent.")),
    },
    can("confirm_sent") &&
    { name: t("Confirm as sent"), icon: "check", run: () => act("confirm-sent", t("Noted as sent.")) },
    can("retry") && {
      name: t("Send again"),
      icon: "send",
      asks: again || undefined,
      run: () => act("retry", t("Queued again.")),
    },
    can("cancel") && { name: t("Do not send"), icon: "x", danger: true, run: () => act("cancel", t("Cancelled.")) },
    can("discard") && { name: t("Discard"), icon: "x", danger: true, run: () => act("discard", t("Discarded.")) },
  ].filter((one) => one && may("workspace.read"));
}
