// Employees to choose from, and what is said of them in several places.
import { address, get } from "../../core/api.js";
import { dayShort, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { optionsOf } from "../../ui/choice.js";
import { pill } from "../../ui/pill.js";

export const DAYS = {
  mon: () => t("Monday"),
  tue: () => t("Tuesday"),
  wed: () => t("Wednesday"),
  thu: () => t("Thursday"),
  fri: () => t("Friday"),
  sat: () => t("Saturday"),
  sun: () => t("Sunday"),
};

export const TYPES = {
  full_time: () => t("Full time"),
  part_time: () => t("Part time"),
  temporary: () => t("Fixed term"),
  intern: () => t("Intern"),
  contractor: () => t("Contractor"),
};
export const typeOptions = () => optionsOf(TYPES);

// What an amount of pay is for; by the hour it is paid out each month.
const PERIODS = {
  monthly: () => t("a month"),
  semimonthly: () => t("half a month"),
  biweekly: () => t("two weeks"),
  weekly: () => t("a week"),
  hourly: () => t("an hour"),
};
const PAID = {
  monthly: (amount) => t("{amount} a month", { amount }),
  semimonthly: (amount) => t("{amount} for half a month", { amount }),
  biweekly: (amount) => t("{amount} for two weeks", { amount }),
  weekly: (amount) => t("{amount} a week", { amount }),
  hourly: (amount) => t("{amount} an hour", { amount }),
};
export const periodOptions = () => optionsOf(PERIODS);
export const periodOf = ({ payType, frequency }) => (payType === "hourly" ? "hourly" : frequency);
export const payOf = (amount, period) =>
  period === "hourly"
    ? { payType: "hourly", amount, frequency: "monthly" }
    : { payType: "salary", amount, frequency: period };
export const payText = (pay) => PAID[periodOf(pay)](money(pay.amount, pay.currency, { withCurrency: true }));

// A code that is still typed is no currency yet.
export const typedCurrency = (code, usual) => (/^[A-Z]{3}$/i.test(code.trim()) ? code.trim().toUpperCase() : usual);

export function stateOfEmployee({ status, terminationDate, hireDate }) {
  if (status === "upcoming") return pill(t("from {day}", { day: dayShort(hireDate) }), "neutral");
  if (status === "terminated") return pill(t("left"), "neutral");
  if (terminationDate) return pill(t("until {day}", { day: dayShort(terminationDate) }), "warn");
  return pill(t("active"), "good");
}

const optionOf = ({ id, name, jobTitle }) => ({ value: id, text: name, more: jobTitle });

export const employeeOptions = async (typed) =>
  (await get(address("/hr/employees", { q: typed, status: "active,upcoming", limit: 20, sort: "name" }))).map(optionOf);

export const nameOfEmployee = async (id) => (id ? (await get(`/hr/employees/${id}`)).name : "");

// Members whose record it can be.
export const memberOptions = async (typed) =>
  (await get(address("/workspace/members", { q: typed, limit: 20, sort: "name" }))).map(({ user }) => ({
    value: user.id,
    text: user.name,
    more: user.email,
  }));
