// The sections of fields of each page of the settings.
import { country, monthDay } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { resource } from "../../core/store.js";
import { countryOptions } from "../../ui/address.js";
import { choice, optionsOf } from "../../ui/choice.js";
import { timeBillingField, timeBillingFields } from "../../ui/time_billing.js";
import { KINDS } from "../../ui/personal_kinds.js";
import { weekendOfDays } from "../../ui/weekend.js";
import { zoneOptions } from "../../ui/zones.js";
import { accountSections, readAccounts } from "./default_accounts.js";
import { taxBasis } from "./tax_basis.js";

const NUMBERS = {
  quote: () => t("Quotes"),
  salesInvoice: () => t("Invoices"),
  salesCreditNote: () => t("Credit notes"),
  purchaseInvoice: () => t("Bills"),
  purchaseCreditNote: () => t("Supplier credit notes"),
  payment: () => t("Payments"),
  journal: () => t("Journal entries"),
  payrollRun: () => t("Payroll runs"),
  expenseClaim: () => t("Expense claims"),
  reminder: () => t("Reminders"),
  employee: () => t("Employees"),
};
const STARTS = Array.from({ length: 12 }, (_, at) => `${String(at + 1).padStart(2, "0")}-01`);
const FORMS = {
  "at-u30": () => ofCountry("AT", "U30"),
  "ch-mwst": () => ofCountry("CH", t("VAT by the effective method")),
  "ch-mwst-net": () => ofCountry("CH", t("VAT by net tax rates")),
  "de-ustva": () => ofCountry("DE", "UStVA"),
  "fr-ca3": () => ofCountry("FR", "CA3"),
  "generic": () => t("No official form"),
  "nl-ob": () => ofCountry("NL", "OB"),
  "uk-vat100": () => ofCountry("GB", "VAT100"),
};
const ofCountry = (code, form) => `${country(code)}: ${form}`;

const check = (name, label, hint = null) => ({ name, label, hint, kind: "check" });
const text = (name, label, hint = null, more = {}) => ({ name, label, hint, isOptional: true, ...more });
const whole = (name, label, hint = null, more = {}) => ({ name, label, hint, kind: "whole", ...more });
const one = (name, label, words, more = {}) => ({ name, label, kind: "choice", options: optionsOf(words), ...more });

// The sections of each page, { title, hint, fields }, for a workspace as it is read; `shown` is the page on the screen.
export function sectionsOf(workspace, shown) {
  if (shown === "default-accounts") readAccounts();
  const currency = workspace.baseCurrency;
  const money = (name, label, hint, more = {}) => ({
    name,
    label,
    hint,
    kind: "money",
    currency,
    ifEmpty: "0",
    ...more,
  });
  const reason = (name) => workspace.fixed.find(({ field }) => field === name)?.message;
  const held = (name, more) => ({ ...more, name, hint: reason(name), isOff: Boolean(reason(name)) });
  const isIn = (country) => ({ isKept: true, isShown: (values) => values.country.value === country });
  const needed = { isOptional: false, note: t("needed for invoices") };
  return {
    company: [
      {
        fields: [
          { name: "name", label: t("Name") },
          text("legalName", t("Legal name"), t("As printed on invoices.")),
          text("address.line1", t("Street"), null, needed),
          text("address.line2", t("Further line")),
          text("address.postalCode", t("Postal code"), null, needed),
          text("address.city", t("City"), null, needed),
          text("address.region", t("State or region")),
          text("address.country", t("Country"), null, { control: (value) => countries(value, "address.country") }),
          text("vatId", t("VAT number")),
          text("taxNumber", t("Tax number"), null, needed),
          text("registerEntry", t("Register entry"), t("Court and number, such as “Amtsgericht Köln, HRB 1”.")),
          text("managers", t("Managing directors")),
          text("email", t("E-mail")),
          text("phone", t("Phone")),
          text(
            "contactName",
            t("Contact person"),
            t(
              "Contact for questions about invoices. German authorities require it, with a phone number and an e-mail address.",
            ),
          ),
        ],
      },
      {
        title: t("Workspace"),
        fields: [
          {
            name: "country",
            label: t("Country of the books"),
            hint: t("For tax returns, bank files and public holidays."),
            control: (value) => countries(value, "country"),
          },
          held("baseCurrency", {
            label: t("Base currency"),
            control: (value) => currencies(value, Boolean(reason("baseCurrency"))),
          }),
        ],
      },
    ],
    paper: [{
      fields: [
        text("iban", t("IBAN")),
        text("bic", t("BIC")),
        text("bankName", t("Bank")),
        one("paperLanguage", t("Language of documents"), { de: () => t("German"), en: () => t("English") }, {
          empty: t("Country default"),
        }),
        one("remittance", t("Bills that do not fit in one payment reference"), {
          split: () => t("several bank transfers"),
          shorten: () => t("one bank transfer that says how many more"),
        }),
        text("paperFooter", t("Closing text"), null, { kind: "area" }),
      ],
    }, {
      title: t("Look"),
      fields: [
        one("layout", t("Layout"), { classic: () => t("Classic"), modern: () => t("Modern"), plain: () => t("Plain") }),
        {
          name: "accentColor",
          label: t("Colour"),
          hint: t("Of titles and lines; dark enough to read on white."),
          type: "color",
        },
        whole("topMm", t("Free at the top (mm)"), t("Room for the head of your letterhead.")),
        check(
          "hasOfficeHead",
          t("Print the company’s name or logo, and its particulars"),
          t("Turn it off if your letterhead has them."),
        ),
      ],
    }],
    numbers: [{ fields: numbersOf(shown === "numbers" ? resource("/workspace/next-numbers") : {}) }],
    tax: [
      {
        fields: [
          held("fiscalYearStart", {
            label: t("Start of the fiscal year"),
            kind: "choice",
            options: starts(workspace.fiscalYearStart),
          }),
          {
            name: "taxForm",
            label: t("Tax form"),
            kind: "choice",
            empty: t("Country default"),
            options: optionsOf(FORMS),
          },
          one("taxFiling", t("VAT returns are filed"), {
            monthly: () => t("monthly"),
            quarterly: () => t("quarterly"),
            yearly: () => t("yearly"),
          }),
          one("taxRounding", t("Tax is rounded"), {
            document: () => t("for each document"),
            line: () => t("for each line"),
          }),
          money("cashRounding", t("Smallest coin"), t("Cash totals are rounded to this amount, for example 0.05."), {
            isOptional: true,
            ifEmpty: null,
          }),
          text("taxOfficeState", t("State of the tax office"), t("For ELSTER files, such as HH."), isIn("DE")),
          one("taxMethod", t("Tax method"), {
            effective: () => t("effective, with input VAT"),
            net_rate: () => t("by net tax rates"),
          }, { ...isIn("CH"), hint: t("Enter the net tax rate of each tax rate. No tax of bills is deducted.") }),
          check(
            "taxExtension",
            t("One month later"),
            t("VAT returns are due a month later, as the tax office has granted."),
          ),
          check("pricesIncludeTax", t("Prices include tax")),
        ],
      },
      {
        title: t("Accounting basis"),
        hint: t("Accrual basis unless the tax office has approved cash basis."),
        fields: [{ name: "taxBasis", label: t("Accounting basis"), draw: taxBasis }],
      },
    ],
    defaults: [{
      fields: [
        whole("paymentTermsDays", t("Payment terms (days)")),
        whole(
          "discountGraceDays",
          t("Days of grace for a discount"),
          t("Days after the deadline on which a cash discount still counts."),
        ),
        money("smallDifferenceLimit", t("Small difference"), t("Largest amount written off as a small difference.")),
        money("lowValueLimit", t("Low-value assets"), t("Highest net cost of an asset that is expensed at once.")),
        whole("expensePaymentDays", t("Days until expense claims are due"), t("Counted from the day of the posting.")),
        check("billApproval", t("Bills must be approved before payment")),
        check(
          "billsNeedAccount",
          t("Bills need an account for each line"),
          t("Without it, a line may go to the default account."),
        ),
      ],
    }],
    "default-accounts": accountSections(),
    selling: [
      {
        fields: [
          whole(
            "quoteValidDays",
            t("Days for which a quote is valid"),
            t("Counted from its date, unless it says otherwise."),
          ),
          whole(
            "minutesPerDay",
            t("Minutes of a day in a quote"),
            t("For the budget of a project that begins with it."),
          ),
          check(
            "shareLinks",
            t("Share documents by link"),
            t("Everyone with a link sees its document, without signing in. Switched off, no link opens anything."),
          ),
        ],
      },
      { title: t("Invoicing of time"), fields: [billing(timeBillingField())] },
    ],
    reminders: [{
      fields: [
        money("reminders.minimumAmount", t("No letter up to")),
        money("reminders.lumpSum.amount", t("Lump sum for late payment"), t("Of businesses, once for an invoice."), {
          currency: workspace.reminders.lumpSum?.currency ?? currency,
          isOptional: true,
          ifEmpty: null,
        }),
        percent("businessPoints", t("Points above the base rate: businesses")),
        percent("consumerPoints", t("Points above the base rate: consumers")),
        percent("fixedConsumerRate", t("Fixed rate for consumers"), t("Instead of base rate and points.")),
        one("reminders.consumerInterestFrom", t("Consumers owe interest"), {
          first_letter: () => t("after the first letter"),
          due: () => t("after the due date"),
        }),
      ],
    }],
    "work-week": [{
      fields: [
        { name: "timeZone", label: t("Time zone"), kind: "choice", options: zoneOptions([workspace.timeZone]) },
        { name: "weekend", label: t("Days off"), draw: weekendOfDays },
        whole("punchRounding.step", t("Rounding of punches"), t("Minutes, for example 5."), { isOptional: true }),
        one("punchRounding.mode", t("Rounded"), {
          nearest: () => t("to the nearest"),
          up: () => t("up"),
          down: () => t("down"),
        }),
        whole(
          "latenessGraceMinutes",
          t("Minutes of grace"),
          t("Minutes after begin or before end that are not shown as lateness."),
        ),
        one("prorationBasis", t("Pay for part of a month"), {
          working_days: () => t("by the working days of the month"),
          calendar_days: () => t("by the days of the month"),
          fixed_30: () => t("by thirtieths"),
        }),
      ],
    }],
    time: [{
      fields: [
        one("timeApproval", t("Weeks of time"), {
          off: () => t("not submitted"),
          week: () => t("submitted by the week"),
          week_in_month: () => t("submitted by the week, parted at the end of a month"),
        }),
        whole(
          "timeLock.closesAfterDays",
          t("Time closes after"),
          t("Days, for example 7. Older time can no longer be changed."),
          { isOptional: true },
        ),
        check("timeLock.byBooks", t("Time closes with the books")),
        check("billApprovedTimeOnly", t("Invoice approved time only")),
        check("managersSeeMargin", t("Managers see the margin of projects on which three people worked")),
      ],
    }],
    pay: [
      {
        fields: [
          one("leavePayout", t("Value of a day of leave paid out"), {
            year_days: () => t("by the working days of a year"),
            last_13_weeks: () => t("by the pay of the last 13 weeks"),
          }),
          text("nacha.companyId", t("Company ID for NACHA"), t("For bank files in US dollars."), { maxlength: 10 }),
          text("nacha.originatingRouting", t("Routing number")),
          check("payrollFourEyes", t("Payroll runs need a second person’s approval")),
        ],
      },
      {
        title: "DATEV",
        fields: [
          whole("datevAdvisor", t("Consultant no."), null, { isOptional: true }),
          whole("datevClient", t("Client no."), null, { isOptional: true }),
          one("datevChart", t("Chart of accounts"), { skr03: () => "SKR 03", skr04: () => "SKR 04" }, {
            isOptional: true,
          }),
        ],
      },
    ],
    access: [{
      fields: [
        check(
          "requiresTwoFactor",
          t("Require two-factor sign-in"),
          t("Turn on two-factor sign-in for yourself first, in your profile."),
        ),
      ],
    }],
    "personal-data": workspace.least
      ? [{
        title: t("Retention of personal data"),
        hint: t("Years after the end of the year of the last date. Nothing is erased unasked."),
        fields: Object.entries(KINDS).map(([name, label]) =>
          whole(name, label(), t("At least {years}.", { years: workspace.least[name] }))
        ),
      }]
      : [],
    export: [],
  };
}

const percent = (name, label, hint = null) => ({
  name: `reminders.${name}`,
  label,
  hint,
  kind: "number",
  unit: "%",
  isOptional: true,
});

const billing = (spec) => ({
  ...spec,
  parts: { ...spec.parts, draw: (signals) => timeBillingFields(signals, t("Usual")) },
});

const starts = (own) =>
  [...new Set([...STARTS, "04-06", own])].sort().map((value) => ({ value, text: monthDay(`2024-${value}`) }));

const numbersOf = (next) =>
  Object.entries(NUMBERS).map(([series, label]) => ({
    name: `numberFormats.${series}`,
    label: label(),
    hint: () => (next.value ? t("Next: {number}", { number: next.value.numbers[series] }) : "…"),
  }));

const countries = (value, name) => choice({ value, name, options: countryOptions(value), empty: "–" });

function currencies(value, isOff) {
  const known = resource("/workspace/countries");
  const all = () => [...new Set([...(known.value ?? []).map(({ currency }) => currency), value.value])].sort();
  return choice({ value, isOff, options: () => all().map((code) => ({ value: code, text: code })) });
}
