// Sites to choose from.
import { resource } from "../../core/store.js";

export const allSites = () => resource("/hr/sites?limit=200");

export function siteOptions() {
  const sites = allSites();
  return () => (sites.value ?? []).map(({ id, name }) => ({ value: id, text: name }));
}
