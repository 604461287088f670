// Messages in words: their kind, where they stand, and why.
import { moment } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { pill } from "../../ui/pill.js";

export const MESSAGES = "/workspace/messages";

const KINDS = {
  invoice: () => t("Invoice"),
  quote: () => t("Quote"),
  reminder: () => t("Reminder"),
  statement: () => t("Account statement"),
  payslip: () => t("Payslip"),
  invite: () => t("Invite"),
  password_reset: () => t("Password reset"),
  notice: () => t("Notices"),
  test: () => t("Test"),
};
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
  server_untrusted: () => t("No server administrator has set up the mail server, which would see the link."),
  login_not_offered: () => t("The mail server takes no user name."),
  login_refused: () => t("The mail server refused the user name or the password."),
  malformed: () => t("The message cannot be written as mail. Look at its subject and its addresses."),
  no_connection: () => t("The mail server was not reached."),
  no_reply: () => t("The mail server did not reply in time."),
  refused: () => t("The mail server refused the message."),
  tls_failed: () => t("The certificate of the mail server is not trusted, or not for this name."),
  tls_not_offered: () => t("The mail server offers no encryption."),
  try_later: () => t("The mail server asks to try later."),
};

export const kindOfMessage = ({ kind, resource }) => [KINDS[kind](), resource.number].filter(Boolean).join(" ");
export const statePill = ({ status }) => pill(STATES[status][0](), STATES[status][1] ?? "neutral");
export const problemOf = ({ problem }) => problem && PROBLEMS[problem]();
export const addressesOf = ({ to, cc }) => [...to, ...cc].map(({ address }) => address).join(", ");

export function whenOf({ status, sentAt, nextAt, createdAt }) {
  if (nextAt && status === "waiting") return t("Next try: {moment}", { moment: moment(nextAt) });
  return moment(sentAt ?? createdAt);
}
