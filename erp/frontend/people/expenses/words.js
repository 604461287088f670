// The words of expenses: kinds of lines, and the categories of a new workspace, which have names in the reader's language.
import { t } from "../../core/i18n.js";

const KINDS = { receipt: () => t("Receipt"), mileage: () => t("Mileage"), per_diem: () => t("Per diem") };

export const kindText = ({ kind }) => KINDS[kind]();

/** @type {Record<string, () => string>} */
export const VEHICLES = { car: () => t("Car"), motorcycle: () => t("Motorcycle"), bicycle: () => t("Bicycle") };

const SEEDED = {
  travel: ["Travel", () => t("Travel")],
  lodging: ["Lodging", () => t("Lodging")],
  meals: ["Meals", () => t("Meals")],
  entertainment: ["Entertainment", () => t("Entertainment")],
  mileage: ["Mileage", () => t("Mileage")],
  per_diem: ["Per diems", () => t("Per diems")],
  supplies: ["Supplies", () => t("Supplies")],
};

export const categoryText = ({ code, name }) => (SEEDED[code]?.[0] === name ? SEEDED[code][1]() : name);
