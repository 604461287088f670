// Projects to choose from.
import { get } from "../core/api.js";
import { combobox } from "./combobox.js";

export const projectBox = (value, name) =>
  combobox({
    value,
    name,
    isOptional: true,
    options: async (typed) =>
      (await get(`/projects?limit=20&q=${encodeURIComponent(typed)}`)).map((one) => ({
        value: one.id,
        text: one.name,
        more: one.code,
      })),
    shown: async (id) => id && (await get(`/projects/${id}`)).name,
  });
