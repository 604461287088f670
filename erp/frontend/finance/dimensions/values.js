// The values of a dimension, such as the cost centres of an office.
import { t } from "../../core/i18n.js";
import { resource } from "../../core/store.js";
import { signal } from "../../core/view.js";
import { field } from "../../ui/field.js";
import { textInput } from "../../ui/input.js";
import { recordsScreen } from "../../ui/records.js";

export default ({ params: { id } }) => {
  const dimension = resource(`/finance/dimensions/${id}`);
  return recordsScreen({
    path: `/finance/dimensions/${id}/values`,
    itemPath: "/finance/dimension-values",
    title: () => dimension.value?.name ?? t("Dimensions"),
    back: { href: "/settings/dimensions", text: t("Dimensions") },
    right: "finance.write",
    addText: t("New value"),
    emptyText: t("No values yet."),
    search: t("Search"),
    nameOf: ({ name }) => name,
    columns,
    fields,
  });
};

const columns = [
  { key: "name", text: t("Name"), place: "name", cell: ({ name }) => name },
  { key: "code", text: t.of("dimension", "Code"), place: "meta", width: "12rem", cell: ({ code }) => code },
  { key: "parent", text: t("Below"), isMinor: true, width: "12rem", cell: ({ parentCode }) => parentCode ?? "" },
];

const fields = (record) => [
  ...(record ? [] : [{ name: "code", label: t.of("dimension", "Code"), maxlength: 36 }]),
  { name: "name", label: t("Name") },
  {
    name: "departments",
    parts: departments,
  },
  { name: "parentCode", label: t("Below"), isOptional: true, maxlength: 36, hint: t("The code of another value.") },
];

const departments = {
  signals: (record) => ({ departments: signal((record?.departments ?? []).join(", ")) }),
  draw: (signals) =>
    field(
      {
        label: t("Departments"),
        name: "departments",
        isOptional: true,
        hint: t("Their pay is posted with this value. Separate several with commas."),
      },
      textInput({ value: signals.departments, name: "departments" }),
    ),
  read: (signals) => signals.departments.value.split(",").map((one) => one.trim()).filter(Boolean),
};
