// Expense claims: their state in a word, their lines as they are sent, and adding a line or a receipt.
import { address, get, newKey, send } from "../../core/api.js";
import { money, month } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { currency } from "../../core/session.js";
import { today } from "../../core/parse.js";
import { changed } from "../../core/store.js";
import { pill } from "../../ui/pill.js";

export const CLAIMS = "/hr/expense-claims";
export const TOUCHED = ["/hr/expense", "/workspace/home", "/workspace/attachments", "/finance/"];

const STATES = {
  draft: [() => t("draft"), "neutral"],
  submitted: [() => t("waiting"), "info"],
  approved: [() => t.of("request", "approved"), "good"],
  rejected: [() => t("rejected"), "bad"],
  posted: [() => t.of("claim", "to be paid"), "info"],
  partially_paid: [() => t("partially paid"), "info"],
  paid: [() => t("paid"), "good"],
  void: [() => t("void"), "neutral"],
};

export const claimState = ({ status }) => pill(STATES[status][0](), STATES[status][1]);

export const cash = (amount) => money(amount, currency(), { withCurrency: true });

const SENT = ["kind", "categoryId", "date", "description", "projectId", "taskId", "isBillable", "paidBy", "accountId"];
const OF_RECEIPT = ["attachmentIds", "amount", "currency", "exchangeRate", "taxRateId", "taxAmount", "supplierName"];

// A line as it is sent back.
export function lineBody(line) {
  const isReceipt = line.kind === "receipt";
  const names = isReceipt ? [...SENT, ...OF_RECEIPT, "receiptNumber"] : SENT;
  const own = Object.fromEntries(names.filter((name) => line[name] !== null).map((name) => [name, line[name]]));
  return isReceipt ? { ...own, taxRateId: line.taxRateId } : { ...own, ...line.trip };
}

export const linesOf = (claim) => claim.lines.map(lineBody);

// The claim with other lines.
export async function saveLines(claim, lines) {
  const saved = await send("PATCH", `${CLAIMS}/${claim.id}`, { lines }, { version: claim.version });
  changed(...TOUCHED);
  return saved;
}

// A line goes to a draft, else to a new claim of the month; the file of a receipt follows it.
export async function addLine(claimId, line, file = null) {
  const claim = claimId ? await withLine(await get(`${CLAIMS}/${claimId}`), line) : await send(
    "POST",
    CLAIMS,
    { title: t("Expenses of {month}", { month: month(line.date ?? today()) }), lines: [line] },
    { key: newKey() },
  );
  return file ? attach(claim, claim.lines.length - 1, file) : (changed(...TOUCHED), claim);
}

const withLine = (claim, line) => saveLines(claim, [...linesOf(claim), line]);

export async function attach(claim, at, file) {
  const of = { resourceType: "expense_claim", resourceId: claim.id };
  const added = await send("POST", address("/workspace/attachments", { name: file.name, ...of }), file, {
    key: newKey(),
  });
  const lines = linesOf(claim);
  lines[at].attachmentIds = [...lines[at].attachmentIds, added.id];
  return saveLines(claim, lines);
}
