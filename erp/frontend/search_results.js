// What the palette says of a record that is found: number, name, state, amount and day, as the user reads them.
import { dayShort, money } from "./core/format.js";
import { t } from "./core/i18n.js";
import { kindOfContact } from "./finance/contacts/kinds.js";
import { assetState } from "./finance/assets/words.js";
import { postedState, statePill } from "./finance/documents/states.js";
import { statePill as quoteState } from "./finance/quotes/words.js";
import { claimState } from "./people/expenses/claims.js";
import { nameOfProjectState, statusPill } from "./work/names.js";

const STATES = {
  contact: kindOfContact,
  invoice: statePill,
  quote: quoteState,
  payment: postedState,
  project: ({ status }) => nameOfProjectState(status),
  task: statusPill,
  asset: assetState,
  expense_claim: claimState,
};

// The state of these says it: a superseded quote, a disposed asset.
const SAYS_IT = ["quote", "asset"];

export const wordsOf = (hit) => {
  const { type, number, title, name, amount, currency, date, isArchived } = hit;
  const state = STATES[type]?.(hit);
  const parts = [
    number !== title && number,
    name,
    state?.textContent ?? state,
    isArchived && !SAYS_IT.includes(type) && t("archived"),
    amount && money(amount, currency, { withCurrency: true }),
    dayShort(date),
  ];
  return parts.filter(Boolean).join(" · ");
};
