// Where an account stands: what its bank says and what the books say, and the statements that are missing.
import { address } from "../../core/api.js";
import { day, money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { may } from "../../core/session.js";
import { alert } from "../../ui/alert.js";
import { button } from "../../ui/button.js";
import { figureCard, figures } from "../../ui/figure.js";
import { isZero } from "../documents/states.js";
import { importStatements } from "./import.js";

// The balance of the bank, the balance of the books, and what lies between them; each leads to what it is made of.
export function standing(state, accountId) {
  const shown = (amount) => (amount === null ? "–" : money(amount, state.currency, { withCurrency: true }));
  const isEven = state.difference !== null && isZero(state.difference);
  const at = (status) => address("/bank", { accountId, status });
  return figures(
    figureCard({
      label: t("Bank balance {day}", { day: day(state.date) }),
      value: shown(state.statementBalance),
      href: at("matched"),
    }),
    figureCard({
      label: t("Book balance"),
      value: shown(state.bookBalance),
      href: address("/reports/general-ledger", { accountId }),
    }),
    figureCard({
      label: t("Difference"),
      value: shown(state.difference),
      note: isEven
        ? t("nothing is missing")
        : tn("{n} unmatched transaction", "{n} unmatched transactions", state.unmatchedLines),
      kind: isEven ? "good" : state.unmatchedLines ? "bad" : null,
      href: at(state.unmatchedLines || !state.unmatchedEntries ? "" : "books"),
    }),
    figureCard({
      label: t("Reconciled through"),
      value: state.reconciledThrough ? day(state.reconciledThrough) : "–",
      note: state.gaps.length ? tn("{n} statement is missing", "{n} statements are missing", state.gaps.length) : null,
      href: at("matched"),
    }),
  );
}

export const missing = ({ gaps }, accountId) =>
  gaps.map(({ after, before }) =>
    alert({
      kind: "warn",
      text: t("A statement between {after} and {before} is missing.", { after: day(after), before: day(before) }),
      actions: may("finance.write")
        ? [button(t("Import statement"), () => importStatements(accountId), { isSmall: true })]
        : [],
    })
  );
