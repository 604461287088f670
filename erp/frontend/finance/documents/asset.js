// The fixed asset that a line of a bill becomes when the bill is posted: offered on an account for fixed assets.
import { t } from "../../core/i18n.js";
import { currency } from "../../core/session.js";
import { resource } from "../../core/store.js";
import { computed, tags } from "../../core/view.js";
import { checkbox, choice, optionsOf } from "../../ui/choice.js";
import { dateField } from "../../ui/date.js";
import { field } from "../../ui/field.js";
import { textInput } from "../../ui/input.js";
import { moneyInput, numberInput } from "../../ui/number.js";
import { METHODS } from "../assets/words.js";

export function assetFields({ accountId, asset }, name) {
  const accounts = resource("/finance/accounts");
  const isThere = computed(() => asset.value !== "");
  const isShown = computed(() =>
    isThere.value || accounts.value?.find(({ id }) => id === accountId.value)?.subtype === "fixed_asset"
  );
  const isMade = {
    get value() {
      return isThere.value;
    },
    set value(is) {
      asset.value = is ? { method: "linear" } : "";
    },
  };
  return () =>
    isShown.value && tags.div(
      { class: "is-wide stack" },
      checkbox({ value: isMade, name, text: t("Add to the fixed assets when the bill is posted") }),
      () => isThere.value && tags.div({ class: "fields" }, partsOf(asset, name)),
    );
}

function partsOf(asset, name) {
  const part = (key, label, make, hint = null) => {
    const about = { value: partIn(asset, key), name: `${name}.${key}` };
    return field({ label, name: about.name, hint, isOptional: key !== "method" }, make(about));
  };
  const method = computed(() => asset.value.method);
  return [
    part("inUseOn", t("In use from"), dateField, t("Without it, the asset is a draft.")),
    part("method", t("Method"), (about) => choice({ ...about, options: optionsOf(METHODS) })),
    () => ["linear", "declining"].includes(method.value) && part("lifeMonths", t("Useful life in months"), wholeInput),
    () =>
      method.value === "declining" &&
      part("decliningPercent", t("Per cent of the book value a year"), numberInput),
    part("residualValue", t("Residual value"), (about) => moneyInput({ ...about, currency: currency() })),
    part("count", t("Number of equal assets"), wholeInput),
    part("name", t("Name"), textInput, t("Default: the description of the line.")),
    part("serialNumber", t("Serial number"), textInput),
  ];
}

const wholeInput = (about) => textInput({ ...about, inputmode: "numeric" });

// One value of the asset; what is typed of a whole number is sent as one.
const partIn = (asset, key) => ({
  get value() {
    return String(asset.value[key] ?? "");
  },
  set value(typed) {
    const { [key]: _before, ...others } = asset.peek();
    const isWhole = ["lifeMonths", "count"].includes(key) && /^\d+$/.test(typed);
    asset.value = typed ? { ...others, [key]: isWhole ? Number(typed) : typed } : others;
  },
  peek: () => String(asset.peek()[key] ?? ""),
});
