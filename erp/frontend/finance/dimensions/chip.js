// The filter of reports by values of the workspace's dimensions, such as cc:100,cc:200; an office without any has none.
import { address, get, getAll } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { resource } from "../../core/store.js";

const DIMENSIONS = "/finance/dimensions";

export function dimensionChip() {
  const dimensions = resource(DIMENSIONS);
  return {
    key: "dimension",
    text: t("Dimension"),
    isThere: () => Boolean(dimensions.value?.length),
    load: async (typed) => (await Promise.all((await getAll(DIMENSIONS)).map((one) => optionsOf(one, typed)))).flat(),
    shown: async (pairs) => (await Promise.all(pairs.split(",").map(named))).join(", "),
  };
}

async function optionsOf({ id, code, name }, typed) {
  const values = await get(address(`${DIMENSIONS}/${id}/values`, { q: typed, limit: 20 }));
  const without = typed ? [] : [{ value: `${code}:`, text: t("{dimension}: none", { dimension: name }) }];
  return [...values.map((one) => ({ value: `${code}:${one.code}`, text: `${name}: ${one.name}` })), ...without];
}

async function named(pair) {
  const [code, value] = pair.split(":");
  const dimension = (await getAll(DIMENSIONS)).find((one) => one.code === code);
  const known = dimension ? await optionsOf(dimension, value) : [];
  return known.find((one) => one.value === pair)?.text ?? pair;
}
