// Invoices, bills and entries that are made again and again.
import { address } from "../../core/api.js";
import { dayShort } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { parameter, parametersOf } from "../../core/router.js";
import { list } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { empty } from "../../ui/empty.js";
import { searchField } from "../../ui/input.js";
import { table } from "../../ui/table.js";
import { parameterTabs } from "../../ui/tabs.js";
import { RECURRING } from "../documents/states.js";
import { madeKind, recurringState, rhythmOf } from "./words.js";

export default () => {
  const recurring = list(() => address(RECURRING, parametersOf(["status", "q"])));
  return {
    title: t("Recurring documents"),
    back: { href: "/invoices", text: t("Invoices") },
    body: tags.div(
      { class: "stack" },
      tags.p(
        { class: "soft" },
        t("Open an invoice, bill or entry and choose “Make recurring”."),
      ),
      states(),
      searchField({ value: parameter("q"), label: t("Search recurring documents") }),
      table({
        label: t("Recurring documents"),
        page: "recurring",
        list: recurring,
        key: ({ id }) => id,
        href: ({ id }) => `/recurring/${id}`,
        columns,
        empty: empty(t("No recurring documents yet.")),
      }),
    ),
  };
};

const states = () =>
  parameterTabs({
    name: "status",
    label: t("Status"),
    options: [["", t("All")], ["active", t("Active")], ["paused", t("Paused")], ["ended", t("Ended")]],
  });

const columns = [
  { key: "name", text: t("Name"), place: "name", cell: ({ name }) => name },
  { key: "kind", text: t("Creates"), isMinor: true, cell: madeKind },
  { key: "rhythm", text: t("Rhythm"), place: "meta", cell: rhythmOf },
  { key: "next", text: t("Next date"), isMinor: true, width: "8rem", cell: ({ nextOn }) => dayShort(nextOn) },
  { key: "state", text: t("Status"), place: "state", width: "9rem", cell: recurringState },
];
