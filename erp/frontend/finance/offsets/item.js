// One offset: what it settled on both sides, and how it is taken back.
import { day, moment, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { listScreen, neighbours } from "../../core/neighbours.js";
import { may } from "../../core/session.js";
import { resource } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { card } from "../../ui/card.js";
import { facts } from "../../ui/facts.js";
import { history } from "../../ui/history.js";
import { pager } from "../../ui/pager.js";
import { loaded } from "../../ui/skeleton.js";
import { table } from "../../ui/table.js";
import { amountColumn } from "../columns.js";
import { entry } from "../journals/entry.js";
import { documentOf } from "../journals/words.js";
import { OFFSETS } from "./list.js";
import { postedState } from "../documents/states.js";
import { voidAction } from "../payments/void.js";

const { a, div } = tags;

export default ({ params }) => {
  const offset = resource(`${OFFSETS}/${params.id}`);
  const get = () => offset.value;
  return {
    title: () => (get() ? t("Offset {number}", { number: get().number }) : ""),
    state: () => get() && postedState(get()),
    back: { href: listScreen(OFFSETS, "/offsets"), text: t("Offsets") },
    leadsOn: true,
    pager: pager(neighbours(OFFSETS, params.id), ({ id }) => `/offsets/${id}`),
    actions: () => (get() ? [history(get()), get().can.includes("void") && takingBack(get())] : []),
    body: loaded(offset, () =>
      div(
        { class: "columns document" },
        card({ title: t("Offset items") }, () => items(get())),
        card(
          { title: t("About the offset") },
          () => about(get()),
          () => entry(get().journalEntryId, get().journalEntryNumber),
        ),
      )),
  };
};

const takingBack = (offset) =>
  voidAction(OFFSETS, offset, {
    text: t("The entry is reversed, and the items that it settled are open again."),
    figures: [[t("Contact"), offset.contactName], [t("Amount"), amountOf(offset)]],
  });

const items = (offset) =>
  table({
    label: t("Offset items"),
    rows: () => offset.items,
    key: ({ itemId }) => itemId,
    href: documentOf,
    columns: [
      { key: "number", text: t.of("document", "Number"), place: "name", cell: ({ number }) => number },
      {
        key: "side",
        text: t("Side"),
        place: "meta",
        cell: ({ side }) => (side === "receivable" ? t("Receivable") : t("Payable")),
      },
      amountColumn(offset),
    ],
  });

const amountOf = ({ amount, currency }) => money(amount, currency, { withCurrency: true });

const about = (offset) =>
  facts([
    [
      t("Contact"),
      may("contacts.read") ? a({ href: `/contacts/${offset.contactId}` }, offset.contactName) : offset.contactName,
    ],
    [t("Amount"), amountOf(offset)],
    [t("Date"), day(offset.date)],
    [t.of("internal", "Note"), offset.note],
    [t("Posted by"), offset.createdByName],
    [t("Voided on"), offset.voidedAt && moment(offset.voidedAt)],
    [t("Reason"), offset.voidReason],
  ]);
