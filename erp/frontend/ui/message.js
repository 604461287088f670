// What came of a message: where it stands, in words, until the mail server has answered.
import { get } from "../core/api.js";
import { moment, time } from "../core/format.js";
import { t } from "../core/i18n.js";
import { changed } from "../core/store.js";
import { effect, tags } from "../core/view.js";
import { button } from "./button.js";
import { pill } from "./pill.js";

export const MESSAGES = "/workspace/messages";
const [PAUSE, LOOKS] = [1000, 30]; // ms between two looks, and how many
const HALF_A_DAY = 12 * 3600 * 1000; // ms for which a time needs no day
const STATES = {
  queued: [() => t("queued")],
  sending: [() => t("being handed over")],
  waiting: [() => t("waiting"), "warn"],
  sent: [() => t("handed to the mail server"), "good"],
  failed: [() => t("failed"), "bad"],
  unsure: [() => t("unsure"), "bad"],
  cancelled: [() => t("cancelled")],
  prepared: [() => t("prepared"), "warn"],
  handed_over: [() => t("sent by yourself"), "good"],
  discarded: [() => t("discarded")],
};
const PROBLEMS = {
  address_refused: () => t("The mail server is on a network to which this server sends no mail."),
  all_refused: () => t("The mail server refused all recipients."),
  copied: () => t("The workspace was copied or restored. The message may have gone out before."),
  interrupted: () => t("The connection ended while the message was handed over."),
  link_ended: () => t("The link that it brings is no longer valid."),
  login_not_offered: () => t("The mail server takes no user name."),
  login_refused: () => t("The mail server refused the user name or the password."),
  malformed: () => t("The message cannot be written as mail. Look at its subject and its addresses."),
  no_connection: () => t("The mail server was not reached."),
  no_reply: () => t("The mail server did not reply in time."),
  refused: () => t("The mail server refused the message."),
  server_untrusted: () => t("No server administrator has set up the mail server, which would see the link."),
  tls_failed: () => t("The certificate of the mail server is not trusted, or not for this name."),
  tls_not_offered: () => t("The mail server offers no encryption."),
  try_later: () => t("The mail server asks to try later."),
};

const isUnderway = ({ status }) => ["queued", "sending"].includes(status);

export const statePill = ({ status }) => pill(STATES[status][0](), STATES[status][1] ?? "neutral");
export const problemOf = ({ problem }) => problem && PROBLEMS[problem]();

/** @type {Record<string, (message: any) => any>} */
const WORDS = {
  queued: problemOf, // of a password that was refused: nothing is sent until the settings change
  sent: ({ sentAt }) =>
    Date.now() - Date.parse(sentAt) < HALF_A_DAY
      ? t("Handed to the mail server at {time}", { time: time(sentAt) })
      : t("Handed to the mail server: {moment}", { moment: moment(sentAt) }),
  waiting: (message) =>
    [problemOf(message), message.nextAt && t("Next try: {moment}", { moment: moment(message.nextAt) })].join(" "),
  failed: problemOf,
  unsure: problemOf,
};

// One message in a line: its status, with when or why, and what is left to do with one for the own mail program.
export const outcome = (message) =>
  tags.div(
    { class: "row" },
    message.status !== "sent" && statePill(message),
    WORDS[message.status] && tags.span(WORDS[message.status](message)),
    message.reply && message.status === "failed" && tags.code(message.reply),
    message.can.includes("hand_over") &&
      button(t("Open in my mail program"), async () => (await import("./mail.js")).openDraft(message), {
        isSmall: true,
      }),
  );

// Ask for one message until the mail server has answered.
export async function follow(message) {
  for (let look = 0; look < LOOKS && isUnderway(message.peek()); look += 1) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    message.value = await get(`${MESSAGES}/${message.peek().id}`);
  }
}

// `found` messages, which are asked for again while one of them is on its way.
export function followed(found) {
  effect(() => {
    if (!found.value?.some(isUnderway)) return undefined;
    const timer = setInterval(() => document.hidden || changed(MESSAGES), PAUSE);
    return () => clearInterval(timer);
  });
  return found;
}
