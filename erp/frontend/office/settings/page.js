// The workspace: company, how its documents are made, and ways to its members and the server.
import { download, send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { tried } from "../../core/notices.js";
import { isAdmin, may, readSession, session } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { addressFields, addressOf, addressSignals } from "../../ui/address.js";
import { button, link } from "../../ui/button.js";
import { checkbox, choice } from "../../ui/choice.js";
import { confirm } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { textArea, textInput } from "../../ui/input.js";
import { pill } from "../../ui/pill.js";
import { later } from "../../ui/later.js";
import { loaded } from "../../ui/skeleton.js";
import { logo } from "./letterhead.js";
import { books, salesTax } from "./books.js";
import { plain, settingsForm, signalsOf } from "./form.js";
import { billedTime, submittedTime, workingTime } from "./time.js";

const { div } = tags;
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

export default () => {
  const path = `/workspace/${session.peek().workspace.id}`;
  const workspace = resource(path);
  return {
    title: t("Settings"),
    state: () => workspace.value?.status === "archived" && pill(t("archived"), "neutral"),
    actions: () => (may("workspace.own") && workspace.value ? [archiving(workspace.value, path)] : []),
    body: div(
      { class: "stack document" },
      div(
        { class: "row" },
        may("members.read") && link(t("Members and invites"), "/settings/members", { icon: "users" }),
        may("events.read") && link(t("Audit log"), "/log", { icon: "history" }),
        link(t("Import data"), "/import", { icon: "upload" }),
        may("workspace.own") && button(t("Download everything"), downloadEverything, { icon: "download" }),
        may("workspace.write") &&
          link(t("Default accounts"), "/settings/default-accounts", { icon: "list-tree" }),
        may("workspace.write") && link(t("Mail server"), "/settings/mail", { icon: "mail" }),
        may("workspace.write") && link(t.of("settings", "Paper"), "/settings/paper", { icon: "file-text" }),
        may("workspace.write") && link(t("Texts"), "/settings/texts", { icon: "pencil" }),
        may("workspace.write") && link(t("Webhooks"), "/settings/webhooks", { icon: "zap" }),
        isAdmin() && link(t("Server, backups, users"), "/server", { icon: "server" }),
      ),
      // Made once: what is typed in one form stays when another is saved.
      loaded(
        workspace,
        (get) =>
          div(
            { class: "columns" },
            div({ class: "stack" }, company(get, path), letterhead(get, path), logo(get, path), numbers(get, path)),
            div(
              { class: "stack" },
              documents(get, path),
              books(get, path),
              salesTax(get, path),
              later(async () => (await import("./reminders.js")).reminderTerms, get, path),
              workingTime(get, path),
              submittedTime(get, path),
              billedTime(get, path),
              access(get, path),
              may("employees.write") && later(async () => (await import("./retention.js")).retention),
            ),
          ),
      ),
    ),
  };
};

function archiving({ name, status, version }, path) {
  const act = async (verb) => {
    await send("POST", `${path}/${verb}`, {}, { version });
    await changed("/workspace");
    await readSession();
  };
  if (status === "archived") {
    return { name: t("Unarchive this workspace"), icon: "undo-2", run: () => act("unarchive") };
  }
  return {
    name: t("Archive this workspace"),
    icon: "archive",
    danger: true,
    asks: {
      title: t("Archive {name}?", { name }),
      text: t("Everyone can still read the workspace, but no one can change anything until an owner unarchives it."),
      verb: t("Archive"),
      danger: true,
    },
    run: () => act("archive"),
  };
}

// All that the workspace holds, as tables that other programs read. It holds people’s pay as well.
const downloadEverything = () =>
  tried(async () => {
    const isSure = await confirm({
      title: t("Download everything that this workspace holds?"),
      text: t("A zip with each table as CSV and JSON, and all files. People’s pay and bank accounts are in it."),
      verb: t("Download"),
    });
    if (isSure) await download("/workspace/export");
  });

function company(get, path) {
  const workspace = get();
  const values = signalsOf(workspace, ["name", "legalName", "vatId", "taxNumber", "taxOfficeState", "iban"]);
  const place = addressSignals(workspace.address);
  const text = (label, name, more = {}) =>
    field({ label, name, isOptional: name !== "name", ...more }, textInput({ value: values[name], name }));
  return settingsForm(
    t("Company"),
    get,
    path,
    () => ({ ...plain(values), address: addressOf(place) }),
    text(t("Name"), "name"),
    text(t("Legal name"), "legalName", { hint: t("As printed on invoices.") }),
    div(
      { class: "fields" },
      addressFields(place),
      text(t("VAT number"), "vatId"),
      text(t("Tax number"), "taxNumber"),
      workspace.country === "DE" &&
        text(t("State of the tax office"), "taxOfficeState", { hint: t("For ELSTER files, such as HH.") }),
      text(t("IBAN"), "iban"),
    ),
  );
}

const LETTERHEAD = [
  "email",
  "phone",
  "contactName",
  "bankName",
  "bic",
  "registerEntry",
  "managers",
  "paperFooter",
  "paperLanguage",
];

// What documents say beside the company; some of it must be in an e-invoice.
function letterhead(get, path) {
  const values = signalsOf(get(), LETTERHEAD);
  const of = (label, name, control = textInput, hint = null) =>
    field({ label, name, hint, isOptional: true }, control({ value: values[name], name }));
  const languages = [{ value: "de", text: t("German") }, { value: "en", text: t("English") }];
  return settingsForm(
    t("On your documents"),
    get,
    path,
    () => plain(values),
    div(
      { class: "fields" },
      of(t("E-mail"), "email"),
      of(t("Phone"), "phone"),
      of(t("Bank"), "bankName"),
      of(t("BIC"), "bic"),
    ),
    of(
      t("Contact person"),
      "contactName",
      textInput,
      t("Contact for questions about invoices. German authorities require it, with a phone number and an e-mail address."),
    ),
    of(t("Register entry"), "registerEntry", textInput, t("Court and number, such as “Amtsgericht Köln, HRB 1”.")),
    of(t("Managing directors"), "managers"),
    of(t("Closing text"), "paperFooter", textArea),
    of(
      t("Language of documents"),
      "paperLanguage",
      (about) => choice({ ...about, empty: t("Country default"), options: languages }),
    ),
  );
}

function documents(get, path) {
  const workspace = get();
  const days = signal(String(workspace.paymentTermsDays ?? ""));
  const rounding = signal(workspace.taxRounding);
  const includes = signal(workspace.pricesIncludeTax);
  const approval = signal(workspace.billApproval);
  const fourEyes = signal(workspace.payrollFourEyes);
  return settingsForm(
    t("Documents"),
    get,
    path,
    () => ({
      paymentTermsDays: Number(days.value),
      taxRounding: rounding.value,
      pricesIncludeTax: includes.value,
      billApproval: approval.value,
      payrollFourEyes: fourEyes.value,
    }),
    field(
      { label: t("Payment terms (days)"), name: "paymentTermsDays" },
      textInput({ value: days, name: "paymentTermsDays" }),
    ),
    field(
      { label: t("Tax is rounded"), name: "taxRounding" },
      choice({
        value: rounding,
        name: "taxRounding",
        options: [{ value: "document", text: t("for each document") }, { value: "line", text: t("for each line") }],
      }),
    ),
    checkbox({ value: includes, name: "pricesIncludeTax", text: t("Prices include tax") }),
    checkbox({ value: approval, name: "billApproval", text: t("Bills must be approved before payment") }),
    checkbox({
      value: fourEyes,
      name: "payrollFourEyes",
      text: t("Payroll runs need a second person’s approval"),
    }),
  );
}

function access(get, path) {
  const required = signal(get().requiresTwoFactor);
  return settingsForm(
    t("Access"),
    get,
    path,
    () => ({ requiresTwoFactor: required.value }),
    checkbox({
      value: required,
      name: "requiresTwoFactor",
      text: t("Require two-factor sign-in"),
      hint: t("Turn on two-factor sign-in for yourself first, in your profile."),
    }),
  );
}

function numbers(get, path) {
  const formats = signalsOf(get().numberFormats, Object.keys(NUMBERS));
  return settingsForm(
    t("Number series"),
    get,
    path,
    () => ({ numberFormats: plain(formats) }),
    div(
      { class: "fields" },
      Object.entries(NUMBERS).map(([name, label]) =>
        field(
          { label: label(), name: `numberFormats.${name}` },
          textInput({ value: formats[name], name: `numberFormats.${name}` }),
        )
      ),
    ),
  );
}
