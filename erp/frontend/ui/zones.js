// Time zones to choose from.
const KNOWN = Intl.supportedValuesOf?.("timeZone") ?? [];

// All that the browser knows, and `others`.
export const zoneOptions = (others) =>
  [...new Set([...others, ...KNOWN])].sort().map((value) => ({ value, text: value.replaceAll("_", " ") }));
