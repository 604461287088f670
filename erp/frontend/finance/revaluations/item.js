// One revaluation: what each item and account was worth, the entries of both days, and how it is taken back.
import { day, moment, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { listScreen, neighbours } from "../../core/neighbours.js";
import { currency } from "../../core/session.js";
import { resource } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { card } from "../../ui/card.js";
import { facts } from "../../ui/facts.js";
import { history } from "../../ui/history.js";
import { pager } from "../../ui/pager.js";
import { loaded } from "../../ui/skeleton.js";
import { entry } from "../journals/entry.js";
import { ratesText, REVALUATIONS, revaluedLines } from "./list.js";
import { postedState } from "../documents/states.js";
import { voidAction } from "../payments/void.js";

const { div } = tags;

export default ({ params }) => {
  const revaluation = resource(`${REVALUATIONS}/${params.id}`);
  const get = () => revaluation.value;
  return {
    title: () => (get() ? t("Revaluation {number}", { number: get().number }) : ""),
    state: () => get() && postedState(get()),
    back: { href: listScreen(REVALUATIONS, "/close/revaluation"), text: t("Revaluations") },
    leadsOn: true,
    pager: pager(neighbours(REVALUATIONS, params.id), ({ id }) => `/close/revaluation/${id}`),
    actions: () => (get() ? [history(get()), get().can.includes("void") && takingBack(get())] : []),
    body: loaded(revaluation, () =>
      div(
        { class: "stack document" },
        card(
          {},
          () => about(get()),
          () => entry(get().journalEntryId, get().journalEntryNumber),
          () => entry(get().reversalEntryId, get().reversalEntryNumber),
        ),
        card({ title: t("Revalued balances") }, revaluedLines(() => get().lines)),
      )),
  };
};

const takingBack = (revaluation) =>
  voidAction(REVALUATIONS, revaluation, {
    text: t("Both entries are reversed on their own days. Then the day can be revalued again."),
    figures: [[t("Gains"), amount(revaluation.gains)], [t("Losses"), amount(revaluation.losses)]],
  });

const amount = (value) => money(value, currency(), { withCurrency: true });

const about = (revaluation) =>
  facts([
    [t("Day"), day(revaluation.date)],
    [t("Reversed on"), day(revaluation.reversedOn)],
    [t("Rates"), ratesText(revaluation)],
    [t("Gains"), amount(revaluation.gains)],
    [t("Losses"), amount(revaluation.losses)],
    [t("Posted by"), revaluation.createdByName],
    [t("Voided on"), revaluation.voidedAt && moment(revaluation.voidedAt)],
    [t("Reason"), revaluation.voidReason],
  ]);
