// The roles in words: what each sees and may change, as the server says it.
import { t } from "../core/i18n.js";
import { resource } from "../core/store.js";
import { tags } from "../core/view.js";

const NAMES = {
  member: () => t.of("role", "Member"),
  manager: () => t.of("role", "Manager"),
  accountant: () => t.of("role", "Accountant"),
  hr: () => t.of("role", "HR"),
  viewer: () => t.of("role", "Viewer"),
  admin: () => t.of("role", "Admin"),
  owner: () => t.of("role", "Owner"),
};

export const nameOfRole = (role) => NAMES[role]?.() ?? role;

// The roles that someone of a role may give.
export const roleOptions = (own) =>
  Object.keys(NAMES).filter((role) => role !== "owner" || own === "owner").map((value) => ({
    value,
    text: nameOfRole(value),
  }));

const { p, strong } = tags;

export const rightsOf = ({ sees, changes }) => [
  p({ class: "soft small" }, strong(t("Sees:")), ` ${sees.join("; ")}.`),
  p({ class: "soft small" }, strong(t("Changes:")), ` ${changes.join("; ")}.`),
];

// What the chosen role sees and may change, below the choice.
export function rightsOfChosen(role) {
  const roles = resource("/workspace/roles");
  return tags.div({ "aria-live": "polite" }, () => {
    const chosen = roles.value?.find((one) => one.role === role.value);
    return chosen ? rightsOf(chosen) : null;
  });
}
