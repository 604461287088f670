// The values that a line has of the workspace's dimensions: a field for each, where there are any.
import { get } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { resource } from "../../core/store.js";
import { signal } from "../../core/view.js";
import { combobox } from "../../ui/combobox.js";
import { field } from "../../ui/field.js";
import { orBlank } from "../../ui/lines.js";

export function dimensionFields(cell, name) {
  const dimensions = resource("/finance/dimensions");
  return () =>
    (dimensions.value ?? []).map(({ id, code, name: label }) =>
      field({ label, name: `${name}.${code}`, isOptional: true }, valueBox(id, valueIn(cell, code), `${name}.${code}`))
    );
}

// The dimensions of a payment, or the default ones of an account, a product or a contact, as a field of its form.
export const dimensionsField = {
  name: "dimensions",
  label: t("Dimensions"),
  parts: {
    signals: (record) => ({ dimensions: signal(record?.dimensions ?? "") }),
    draw: ({ dimensions }) => dimensionFields(dimensions, "dimensions"),
    read: ({ dimensions }) => dimensions.value || {},
  },
  told: ({ dimensions }) => Object.entries(dimensions).map((pair) => pair.join(" ")).join(", "),
};

const valueIn = (cell, code) => ({
  get value() {
    return (cell.value || {})[code] ?? "";
  },
  set value(value) {
    const { [code]: _before, ...others } = cell.peek() || {};
    cell.value = orBlank(value ? { ...others, [code]: value } : others);
  },
  peek: () => (cell.peek() || {})[code] ?? "",
});

function valueBox(id, value, name) {
  const found = async (typed) => await get(`/finance/dimensions/${id}/values?limit=20&q=${encodeURIComponent(typed)}`);
  return combobox({
    value,
    name,
    isOptional: true,
    options: async (typed) => (await found(typed)).map((one) => ({ value: one.code, text: one.name, more: one.code })),
    shown: async (code) => code && ((await found(code)).find((one) => one.code === code)?.name ?? code),
  });
}
