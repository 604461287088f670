// The hourly rates of a project or a task over time; one that no invoice has used can be taken back.
import { send } from "../core/api.js";
import { day, money } from "../core/format.js";
import { t } from "../core/i18n.js";
import { today } from "../core/parse.js";
import { currency, may } from "../core/session.js";
import { changed, resource } from "../core/store.js";
import { heldBackFrom } from "../core/undo.js";
import { signal, tags } from "../core/view.js";
import { iconButton } from "../ui/button.js";
import { dateField } from "../ui/date.js";
import { field } from "../ui/field.js";

const { li, span, ul } = tags;

const textOf = ({ hourlyRate, validFrom }) => {
  const rate = hourlyRate === null ? t("no rate") : money(hourlyRate, currency());
  return validFrom ? t("{rate} from {day}", { rate, day: day(validFrom) }) : t("{rate} at first", { rate });
};

// Of the record at `path`; without more than one there is nothing to tell.
export function ratesOf(path, { can }) {
  if (!may("money.read")) return null;
  const found = resource(`${path}/rates`);
  const gone = signal(new Set());
  const remove = (one) =>
    heldBackFrom(gone, one.id, t("{rate} deleted.", { rate: textOf(one) }), async (options) => {
      await send("DELETE", `${path}/rates/${one.id}`, undefined, options);
      changed("/projects", "/tasks");
    });
  const row = (one) =>
    li(
      { class: "spread" },
      span({ class: "small" }, textOf(one)),
      one.id && can.includes("update") &&
        iconButton("trash-2", t("Delete the rate from {day}", { day: day(one.validFrom) }), () => remove(one), {
          isSmall: true,
        }),
    );
  const shown = () => (found.value ?? []).filter(({ id }) => !gone.value.has(id));
  return () =>
    (found.value ?? []).length > 1
      ? ul({ class: "plain-list", "aria-label": t("Hourly rates"), tabindex: "-1" }, shown().map(row))
      : null;
}

// The field that asks from which day a changed rate holds, which the record does not keep.
export const rateFromField = (record, isAsked = (_values) => true) => ({
  name: "hourlyRateFrom",
  right: "money.read",
  isFact: false,
  isKept: true,
  isShown: (values) => isAsked(values) && (values.hourlyRate.value || null) !== (record().hourlyRate ?? null),
  parts: {
    signals: (held) => ({ hourlyRateFrom: signal(held?.hourlyRate ? today() : "") }),
    draw: ({ hourlyRateFrom }) =>
      field(
        {
          label: t("New rate from"),
          name: "hourlyRateFrom",
          isOptional: true,
          hint: record().hourlyRate || record().projectId
            ? t("Today by default. Earlier time keeps its rate.")
            : t("All time by default."),
        },
        dateField({ value: hourlyRateFrom, name: "hourlyRateFrom" }),
      ),
    read: ({ hourlyRateFrom }) => hourlyRateFrom.value || null,
  },
});
