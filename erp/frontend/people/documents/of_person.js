// The documents of one person, as a card of their page.
import { t } from "../../core/i18n.js";
import { list } from "../../core/store.js";
import { button } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { empty } from "../../ui/empty.js";
import { table } from "../../ui/table.js";
import { addDocument, documentActions, documentColumns } from "./documents.js";

export const documentsOf = (employeeId, canAdd) =>
  card(
    {
      title: t.of("person", "Documents"),
      actions: canAdd
        ? [button(t("Add document"), () => addDocument(employeeId), { icon: "plus", isSmall: true })]
        : [],
    },
    table({
      label: t.of("person", "Documents"),
      list: list(() => `/hr/employees/${employeeId}/documents`),
      key: ({ id }) => id,
      columns: documentColumns({ withPerson: false }),
      actions: documentActions,
      empty: empty(t("No documents.")),
    }),
  );
