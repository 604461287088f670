// For whom something is entered: another person, for those who may, else oneself.
import { t } from "../../core/i18n.js";
import { may } from "../../core/session.js";
import { signal } from "../../core/view.js";
import { combobox } from "../../ui/combobox.js";
import { field } from "../../ui/field.js";
import { employeeOptions } from "./choice.js";

// `right` is that to enter it for others; `person` is the one who is meant at first.
export function whom(right, person = null) {
  const id = signal(person?.id ?? null);
  const shown = (held) => (held === person?.id ? person.name : "");
  const draw = () =>
    may(right) &&
    field(
      { label: t("Person"), name: "employeeId", isOptional: !person },
      combobox({ value: id, name: "employeeId", options: employeeOptions, shown: person && shown }),
    );
  return { id, draw };
}
