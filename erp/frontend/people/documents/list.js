// The documents of everybody, with those first that expire; those with the right add them on the page of a person.
import { address } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { addDays, today } from "../../core/parse.js";
import { query } from "../../core/router.js";
import { list } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { empty } from "../../ui/empty.js";
import { table } from "../../ui/table.js";
import { parameterTabs } from "../../ui/tabs.js";
import { documentActions, documentColumns } from "./documents.js";

const AHEAD = 90;

export default () => {
  const state = () => query.value.get("state") ?? "expiring";
  const documents = list(() =>
    address("/hr/documents", {
      expiresThrough: state() === "expiring" ? addDays(today(), AHEAD) : null,
      isArchived: state() === "archived" ? "true" : null,
      sort: "validUntil",
    })
  );
  return {
    title: t("Documents of employees"),
    back: { href: "/people", text: t("People") },
    body: tags.div(
      { class: "stack" },
      tags.p({ class: "soft" }, t("Add documents on the page of the person.")),
      parameterTabs({
        name: "state",
        label: t("Status"),
        options: [["expiring", t("Expiring within 90 days")], ["all", t("All")], ["archived", t("Archived")]],
      }),
      table({
        label: t("Documents of employees"),
        page: "documents",
        list: documents,
        key: ({ id }) => id,
        columns: documentColumns({ withPerson: true }),
        actions: documentActions,
        empty: empty(t("No documents.")),
      }),
    ),
  };
};
