// How the books are kept: the year, small amounts, and when sales count in tax returns.
import { Refusal, send } from "../../core/api.js";
import { day, monthDay } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { today } from "../../core/parse.js";
import { may } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { checkbox, choice } from "../../ui/choice.js";
import { dateField } from "../../ui/date.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { moneyInput } from "../../ui/number.js";
import { settingsForm } from "./form.js";

const { div, li, p, ul } = tags;
const STARTS = Array.from({ length: 12 }, (_, at) => `${String(at + 1).padStart(2, "0")}-01`);

export function books(get, path) {
  const workspace = get();
  const [start, coin] = [signal(workspace.fiscalYearStart), signal(workspace.cashRounding ?? "")];
  const limit = signal(workspace.smallDifferenceLimit);
  const lowValue = signal(workspace.lowValueLimit);
  const grace = signal(String(workspace.discountGraceDays));
  const claimDays = signal(String(workspace.expensePaymentDays));
  const [validDays, dayMinutes] = [signal(String(workspace.quoteValidDays)), signal(String(workspace.minutesPerDay))];
  const needsAccount = signal(workspace.billsNeedAccount);
  const shares = signal(workspace.shareLinks);
  const isNet = signal(workspace.taxMethod === "net_rate");
  const isSwiss = workspace.country === "CH";
  const amount = (label, name, value, hint, isOptional = false) =>
    field({ label, name, hint, isOptional }, moneyInput({ value, name, currency: workspace.baseCurrency }));
  return settingsForm(
    t("Bookkeeping"),
    get,
    path,
    () => ({
      fiscalYearStart: start.value,
      cashRounding: coin.value || null,
      smallDifferenceLimit: limit.value || "0",
      lowValueLimit: lowValue.value || "0",
      discountGraceDays: Number(grace.value),
      expensePaymentDays: Number(claimDays.value),
      quoteValidDays: Number(validDays.value),
      minutesPerDay: Number(dayMinutes.value),
      billsNeedAccount: needsAccount.value,
      shareLinks: shares.value,
      ...(isSwiss ? { taxMethod: isNet.value ? "net_rate" : "effective" } : {}),
    }),
    field(
      {
        label: t("Start of the fiscal year"),
        name: "fiscalYearStart",
        hint: t("Cannot be changed once the first number of a fiscal year is used."),
      },
      choice({ value: start, name: "fiscalYearStart", options: starts(start.peek()) }),
    ),
    div(
      { class: "fields" },
      amount(
        t("Smallest coin"),
        "cashRounding",
        coin,
        t("Cash totals are rounded to this amount, for example 0.05."),
        true,
      ),
      amount(
        t("Low-value assets"),
        "lowValueLimit",
        lowValue,
        t("Highest net cost of an asset that is expensed at once."),
      ),
      amount(
        t("Small difference"),
        "smallDifferenceLimit",
        limit,
        t("Largest amount written off as a small difference."),
      ),
      field(
        {
          label: t("Days of grace for discounts"),
          name: "discountGraceDays",
          hint: t("Days after the deadline on which a cash discount still counts."),
        },
        textInput({ value: grace, name: "discountGraceDays", inputmode: "numeric" }),
      ),
      field(
        {
          label: t("Days until expense claims are due"),
          name: "expensePaymentDays",
          hint: t("Counted from the day of the posting."),
        },
        textInput({ value: claimDays, name: "expensePaymentDays", inputmode: "numeric" }),
      ),
      field(
        {
          label: t("Days for which a quote is valid"),
          name: "quoteValidDays",
          hint: t("Counted from its date, unless it says otherwise."),
        },
        textInput({ value: validDays, name: "quoteValidDays", inputmode: "numeric" }),
      ),
      field(
        {
          label: t("Minutes of a day in a quote"),
          name: "minutesPerDay",
          hint: t("For the budget of a project that begins with it."),
        },
        textInput({ value: dayMinutes, name: "minutesPerDay", inputmode: "numeric" }),
      ),
    ),
    checkbox({
      value: needsAccount,
      name: "billsNeedAccount",
      text: t("Bills need an account for each line"),
      hint: t("Without it, a line may go to the default account."),
    }),
    checkbox({
      value: shares,
      name: "shareLinks",
      text: t("Share documents by link"),
      hint: t("Everyone with a link sees its document, without signing in. Switched off, no link opens anything."),
    }),
    isSwiss
      ? checkbox({
        value: isNet,
        name: "taxMethod",
        text: t("Tax by net tax rates"),
        hint: t("Enter the net tax rate of each tax rate. No tax of bills is deducted."),
      })
      : null,
  );
}

const starts = (own) =>
  [...new Set([...STARTS, "04-06", own])].sort().map((value) => ({ value, text: monthDay(`2024-${value}`) }));

const BASES = () => [
  { value: "accrual", text: t("when they are invoiced") },
  { value: "cash", text: t("when they are paid") },
];
const textOf = (basis) => BASES().find(({ value }) => value === basis).text;

// From which day on sales count when; before the first day, when they are invoiced.
export function salesTax(get, path) {
  const [since, basis] = [signal(`${today().slice(0, 4)}-01-01`), signal("cash")];
  const others = (day) => get().taxBasis.filter((one) => one.since !== day);
  const save = async (taxBasis) => {
    await send("PATCH", path, { taxBasis }, { version: get().version });
    await changed(path);
  };
  const run = () => {
    if (!since.value) throw unsaid();
    return save([...others(since.value), { since: since.value, basis: basis.value }]);
  };
  const row = (one) =>
    li(
      { class: "spread" },
      t("Since {day}: {basis}", { day: day(one.since), basis: textOf(one.basis) }),
      may("workspace.write") && button(t("Remove"), () => save(others(one.since)), { isSmall: true }),
    );
  return card(
    { title: t("Accounting basis") },
    p({ class: "soft" }, t("Accrual basis unless the tax office has approved cash basis.")),
    () => get().taxBasis.length ? ul({ class: "plain-list" }, get().taxBasis.map(row)) : null,
    may("workspace.write") && form(
      { run, submit: t("Add"), label: t("Accounting basis") },
      div(
        { class: "fields" },
        field({ label: t("Valid from"), name: "since" }, dateField({ value: since, name: "since" })),
        field({ label: t("Counted"), name: "basis" }, choice({ value: basis, name: "basis", options: BASES() })),
      ),
    ),
  );
}

function unsaid() {
  const message = t("Enter the first day.");
  return new Refusal({ status: 422, message, details: [{ field: "since", message }] });
}
