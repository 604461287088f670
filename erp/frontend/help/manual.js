// The pages of the manual, one for each job: title, further words by which the palette finds it in both languages, and the
// beginnings of the addresses from which help leads to it.
import { language, t } from "../core/i18n.js";

const page = (job, title, at, words) => ({ job, title, at: at.split(" "), words });

const PAGES = [
  page(
    "first-day",
    () => t("The first day"),
    "/settings /people #setup",
    "set up, begin, company, invite, einrichten, Anfang, Firma",
  ),
  page(
    "import",
    () => t("Bringing data in"),
    "/import /settings/column-mappings",
    "switch, CSV, Excel, Umzug, Einlesen",
  ),
  page(
    "invoice",
    () => t("Writing an invoice"),
    "/invoices /recurring /products /contacts",
    "credit note, void, correct, Rechnungskorrektur, stornieren, fakturieren",
  ),
  page("quote", () => t("Writing a quote"), "/quotes", "offer, estimate, Angebot, Offerte"),
  page("mail", () => t("Sending e-mails"), "/messages /settings/mail /settings/texts", "SMTP, outbox, Postausgang"),
  page(
    "reminder",
    () => t("Reminding customers"),
    "/reminders /open-items /settings/reminder-levels /settings/base-rates",
    "dunning, overdue, Mahnung, Mahnwesen, überfällig",
  ),
  page(
    "bill",
    () => t("Entering and paying bills"),
    "/bills /inbox /payment-runs",
    "receipt, supplier, SEPA, Beleg, Lieferant, Überweisung",
  ),
  page(
    "bank",
    () => t("Matching bank transactions"),
    "/bank /payments /transfers",
    "statement, reconcile, Kontoauszug, Bankabgleich",
  ),
  page(
    "month-end",
    () => t("Closing a month"),
    "/close /journals /accounts /settings/dimensions /settings/exchange-rates",
    "lock, month end, sperren, festschreiben, Monatsabschluss",
  ),
  page(
    "tax-return",
    () => t("Filing the VAT return"),
    "/reports /settings/tax-rates",
    "VAT, GST, UStVA, ELSTER, Finanzamt, EC sales list, ZM",
  ),
  page(
    "year-end",
    () => t("Year end and tax advisor"),
    "/close/year /close/advisor /close/revaluation /settings/process-chapters /budgets",
    "DATEV, audit, GoBD, Steuerberater, Jahresabschluss",
  ),
  page(
    "assets",
    () => t("Keeping fixed assets"),
    "/assets /depreciation-runs /reports/asset",
    "depreciation, Anlagen, AfA, Abschreibung",
  ),
  page(
    "time",
    () => t("Time and its approval"),
    "/time /projects /board /tasks",
    "timesheet, hours, Stundenzettel, Stunden, Freigabe",
  ),
  page(
    "absence",
    () => t("Leave and sickness"),
    "/leave /me /attendance /settings/leave-types /settings/holidays /settings/sites",
    "holiday, vacation, sick, Urlaub, krank, Abwesenheit",
  ),
  page(
    "expenses",
    () => t("Claiming expenses"),
    "/expenses /settings/expense",
    "receipt, mileage, Spesen, Reisekosten",
  ),
  page(
    "payroll",
    () => t("Paying people, and corrections"),
    "/payroll /payslips /settings/pay-components /settings/wage-types",
    "wages, salary, payslip, Lohn, Gehalt, Entgelt",
  ),
  page("backup", () => t("Backup and restore"), "/server/backups", "backup, restore, Datensicherung, wiederherstellen"),
  page("sharing", () => t("Sharing on the network"), "/server", "LAN, phone, certificate, Netzwerk, Handy, Zertifikat"),
];

const spoken = () => language().split("-")[0];
const hrefOf = (job) => `/docs/using/${spoken() === "en" ? "" : `${spoken()}/`}${job}`;

// The pages as places of the palette.
export const manualPages = () =>
  PAGES.map(({ job, title, words }) => ({ href: hrefOf(job), name: title, icon: "book-open", words }));

// The page of an address, with its title: of all beginnings that fit, the longest counts; without any, the index.
export function manualOf(address) {
  const fits = (one) => one && (address === one || address.startsWith(`${one}/`) || address.startsWith(`${one}-`));
  const found = PAGES.flatMap((one) => one.at.filter(fits).map((at) => ({ ...one, at })));
  const { job, title } = found.sort((one, other) => other.at.length - one.at.length)[0] ?? {};
  return job ? { href: hrefOf(job), title: title() } : { href: `/docs/${spoken()}`, title: t("Documentation") };
}
