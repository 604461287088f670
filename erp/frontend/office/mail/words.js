// Messages in words: their kind, to whom, and when.
import { moment } from "../../core/format.js";
import { t } from "../../core/i18n.js";

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
export const kindOfMessage = ({ kind, resource }) => [KINDS[kind](), resource.number].filter(Boolean).join(" ");
export const addressesOf = ({ to, cc }) => [...to, ...cc].map(({ address }) => address).join(", ");

export function whenOf({ status, sentAt, nextAt, createdAt }) {
  if (nextAt && status === "waiting") return t("Next try: {moment}", { moment: moment(nextAt) });
  return moment(sentAt ?? createdAt);
}
