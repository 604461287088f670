// Expense claims: their state in a word, their lines as they are sent, and adding a line or a receipt.
import { address, newKey, send } from "../../core/api.js";
import { money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { currency } from "../../core/session.js";
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
function lineBody(line) {
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

// A file goes to a line of the claim, once.
export async function attach(claim, at, file, { name = file.name, key = newKey() } = {}) {
  const of = { resourceType: "expense_claim", resourceId: claim.id };
  const added = await send("POST", address("/workspace/attachments", { name, ...of }), file, { key });
  const lines = linesOf(claim);
  const { attachmentIds } = lines[at];
  if (attachmentIds.includes(added.id)) return claim;
  lines[at].attachmentIds = [...attachmentIds, added.id];
  return saveLines(claim, lines);
}
