// A recurring document in words: its rhythm, its kind and its state.
import { t, tn } from "../../core/i18n.js";
import { pill } from "../../ui/pill.js";
import { isPurchase, kindOf } from "../documents/states.js";

const RHYTHMS = {
  day: (n) => tn("every day", "every {n} days", n),
  week: (n) => tn("every week", "every {n} weeks", n),
  month: (n) => tn("every month", "every {n} months", n),
  year: (n) => tn("every year", "every {n} years", n),
};

export const rhythmOf = ({ every, unit }) => RHYTHMS[unit](every);
export const madeKind = ({ invoice }) => (invoice ? kindOf({ kind: "sales_invoice", ...invoice }) : t("Entry"));
export const isBill = ({ invoice }) => Boolean(invoice) && isPurchase({ kind: "sales_invoice", ...invoice });

export function recurringState({ status, failure, isEnding }) {
  if (failure && status === "active") return pill(t("not created"), "bad");
  if (status === "active") return isEnding ? pill(t("ends soon"), "warn") : pill(t("active"), "good");
  return status === "paused" ? pill(t("paused"), "warn") : pill(t("ended"), "neutral");
}
