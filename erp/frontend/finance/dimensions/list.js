// Dimensions: what income and expenses are analysed by, such as cost centres.
import { t } from "../../core/i18n.js";
import { signal } from "../../core/view.js";
import { field } from "../../ui/field.js";
import { textInput } from "../../ui/input.js";
import { recordsScreen } from "../../ui/records.js";

export default () =>
  recordsScreen({
    path: "/finance/dimensions",
    title: t("Dimensions"),
    back: { href: "/accounts", text: t("Accounts") },
    right: "finance.write",
    addText: t("New dimension"),
    emptyText: t("No dimensions yet. Cost centres are a good one to start with."),
    nameOf: ({ name }) => name,
    href: ({ id }) => `/settings/dimensions/${id}`,
    columns,
    fields,
  });

const columns = [
  { key: "name", text: t("Name"), place: "name", cell: ({ name }) => name },
  { key: "code", text: t.of("dimension", "Code"), place: "meta", width: "10rem", cell: ({ code }) => code },
  {
    key: "required",
    text: t("Required on accounts"),
    isMinor: true,
    cell: ({ requiredFor }) => written(requiredFor),
  },
  { key: "datev", text: "DATEV", place: "state", width: "8rem", cell: ({ datev }) => datev?.toUpperCase() ?? "" },
];

const fields = (record) => [
  ...(record ? [] : [{
    name: "code",
    label: t.of("dimension", "Code"),
    maxlength: 20,
    hint: t("For example cc. It cannot change."),
  }]),
  { name: "name", label: t("Name") },
  {
    name: "datev",
    label: t("Field for DATEV"),
    kind: "choice",
    isOptional: true,
    options: ["kost1", "kost2"].map((value) => ({ value, text: value.toUpperCase() })),
  },
  { name: "requiredFor", parts: ranges },
];

// Ranges of account codes as one text: 6000-6999, 4400.
const ranges = {
  signals: (record) => ({ requiredFor: signal(written(record?.requiredFor ?? [])) }),
  draw: ({ requiredFor }) =>
    field(
      {
        label: t("Required on accounts"),
        name: "requiredFor",
        isOptional: true,
        hint: t("Account numbers, for example 6000-6999."),
      },
      textInput({ value: requiredFor, name: "requiredFor" }),
    ),
  read: ({ requiredFor }) =>
    requiredFor.value.split(",").map((one) => one.trim()).filter(Boolean).map((one) => {
      const [from, to = from] = one.split(/\s*[-–]\s*/);
      return { from, to };
    }),
};

const written = (spans) => spans.map(({ from, to }) => (from === to ? from : `${from}-${to}`)).join(", ");
