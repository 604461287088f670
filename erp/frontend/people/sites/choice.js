// Sites to choose from.
import { resource } from "../../core/store.js";

export const allSites = () => resource("/hr/sites?limit=200");

export const siteOptions = (sites = allSites()) => () =>
  (sites.value ?? []).map(({ id, name }) => ({ value: id, text: name }));

// The currencies in which people are paid, each by itself.
export const siteCurrencies = (sites) => () =>
  [...new Set((sites.value ?? []).map(({ currency }) => currency))].map((code) => ({ value: code, text: code }));
