// Hiring: one page for the record, the pay and the invite.
import { send } from "../../core/api.js";
import { draftOfFields } from "../../core/drafts.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { go, query } from "../../core/router.js";
import { currency, session, settings } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { card } from "../../ui/card.js";
import { choice } from "../../ui/choice.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { editable } from "../../ui/fields.js";
import { form } from "../../ui/form.js";
import { handedOver } from "../../ui/handed_over.js";
import { textInput } from "../../ui/input.js";
import { durationInput, moneyInput } from "../../ui/number.js";
import { roleOptions } from "../../ui/roles.js";
import { allSites } from "../sites/choice.js";
import { DAYS, payOf, periodOptions, typedCurrency } from "./choice.js";
import { employeeFields } from "./fields.js";

const ASKED = [
  "name",
  "email",
  "userId",
  "hireDate",
  "jobTitle",
  "department",
  "managerEmployeeId",
  "employmentType",
  "siteId",
  "keepsAttendance",
];

export default () => {
  const isOwn = query.peek().get("own") !== null;
  return {
    title: isOwn ? t("Your employee record") : t("Hire"),
    back: { href: "/people", text: t("People") },
    body: card({}, hiringForm(isOwn)),
  };
};

function hiringForm(isOwn) {
  const sites = sitesToChoose();
  const asked = askedOf(isOwn ? session.peek().user : {}, sites);
  const fields = editable([...asked, weekField, ...(isOwn ? [] : hired(sites))], null);
  // Pay is never kept in the browser, and the member is chosen by a name that would be gone.
  const { amount: _amount, period: _period, code: _code, userId: _userId, ...others } = fields.signals;
  const kept = draftOfFields("hiring", isOwn ? "own" : null, others);
  const run = async () => {
    /** @type {any} */
    const body = { ...fields.body(), ...(isOwn && { userId: session.peek().user.id }) };
    const made = await send("POST", "/hr/employees", body, body.invite ? {} : { key: kept.key }); // a link is shown once
    kept.clear();
    changed("/hr/", "/workspace/");
    if (made.inviteUrl) await told(made);
    notify(isOwn ? t("Employee record created.") : t("{name} hired.", { name: made.name }), { kind: "good" });
    go(isOwn ? "/me" : `/people/${made.id}`, { replace: true });
  };
  return form(
    { run, submit: isOwn ? t("Create employee record") : t("Hire"), label: t("Employee"), draft: kept },
    fields.controls,
  );
}

// Where there are several sites, one is chosen; pay is in its currency, unless another is said.
function sitesToChoose() {
  const [sites, chosen] = [allSites(), signal("")];
  const all = () => sites.value ?? [];
  const usual = () => all().find(({ id }) => id === chosen.value)?.currency ?? currency();
  return {
    chosen,
    hasSeveral: () => all().length > 1,
    currencyOf: (code) => typedCurrency(code.value, usual()),
  };
}

// For oneself, name and address are known.
function askedOf({ name, email }, { chosen, hasSeveral }) {
  const specs = Object.fromEntries(employeeFields(null).map((spec) => [spec.name, spec]));
  Object.assign(specs.siteId, {
    isOptional: true,
    empty: t.of("site", "default"),
    begin: () => chosen,
    isShown: hasSeveral,
  });
  const known = { name, email };
  return ASKED.filter((one) => one !== "userId" || !name).map((one) => ({
    ...specs[one],
    ...(known[one] && { start: known[one] }),
  }));
}

const weekField = {
  name: "workSchedule",
  parts: {
    signals: () => ({ week: signal(null) }),
    draw: ({ week }) =>
      field(
        {
          label: t("Hours a week"),
          name: "workSchedule",
          isOptional: true,
          hint: t("Default: workspace setting."),
        },
        durationInput({ value: week, name: "workSchedule" }),
      ),
    read: ({ week }) => (week.value ? weekOf(week.value) : null),
  },
};

// The pay, and the invite.
const hired = (sites) => [
  {
    name: "compensation",
    right: "payroll.write",
    parts: {
      signals: () => ({ amount: signal(""), period: signal("monthly"), code: signal("") }),
      draw: payFields(sites),
      read: ({ amount, period, code }) =>
        amount.value
          ? { ...payOf(amount.value, period.value), ...(code.value && { currency: code.value.trim().toUpperCase() }) }
          : null,
    },
  },
  {
    name: "invite",
    label: t("Role"),
    kind: "choice",
    right: "invites.write",
    isOptional: true,
    empty: t("no invite"),
    hint: t("To clock in, request leave and read payslips. Requires the e-mail address."),
    options: roleOptions(session.peek().workspace.role),
    isShown: ({ userId }) => !userId.value, // a member needs no invite
  },
];

const payFields = ({ hasSeveral, currencyOf }) => ({ amount, period, code }) => [
  field(
    {
      label: () => t("Pay in {currency}", { currency: currencyOf(code) }),
      name: "compensation.amount",
      isOptional: true,
    },
    moneyInput({ value: amount, currency: () => currencyOf(code), name: "compensation.amount" }),
  ),
  () =>
    hasSeveral() &&
    field(
      { label: t("Currency"), name: "compensation.currency", isOptional: true, hint: t("Default: the site’s.") },
      textInput({ value: code, name: "compensation.currency", maxlength: 3 }),
    ),
  field(
    { label: t("Period paid"), name: "compensation.frequency" },
    choice({ value: period, name: "compensation.frequency", options: periodOptions() }),
  ),
];

// The minutes of a week, spread evenly over the days that are no weekend; the first days take the rest.
function weekOf(minutes, weekend = settings().weekend ?? ["sat", "sun"]) {
  const names = Object.keys(DAYS);
  const working = names.filter((day) => !weekend.includes(day));
  const [each, rest] = [Math.floor(minutes / working.length), minutes % working.length];
  return Object.fromEntries(names.map((day) => {
    const at = working.indexOf(day);
    return [day, at < 0 ? 0 : each + (at < rest ? 1 : 0)];
  }));
}

// The link of the invite is shown this once.
const told = ({ email, inviteUrl }) =>
  dialog({
    title: t("Share invite"),
    body: () =>
      tags.div(
        { class: "stack" },
        tags.p(
          t("Send this link to {email}. It works once within seven days, and is not shown again.", { email }),
        ),
        handedOver(inviteUrl),
      ),
  });
