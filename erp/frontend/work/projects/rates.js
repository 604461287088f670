// The hourly rates of a project over time; one that no invoice has used can be taken back.
import { send } from "../../core/api.js";
import { day, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { tried } from "../../core/notices.js";
import { currency } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { iconButton } from "../../ui/button.js";

const { li, span, ul } = tags;

const textOf = ({ hourlyRate, validFrom }) => {
  const rate = hourlyRate === null ? t("no rate") : money(hourlyRate, currency());
  return validFrom ? t("{rate} from {day}", { rate, day: day(validFrom) }) : t("{rate} at first", { rate });
};

export function ratesOf(project) {
  const path = `/projects/${project.id}/rates`;
  const found = resource(path);
  const remove = (one) =>
    tried(async () => {
      await send("DELETE", `${path}/${one.id}`);
      changed("/projects", "/tasks");
    });
  return () =>
    (found.value ?? []).length > 1
      ? ul(
        { class: "plain-list", "aria-label": t("Hourly rates") },
        found.value.map((one) =>
          li(
            { class: "spread" },
            span({ class: "small" }, textOf(one)),
            one.id &&
              iconButton("trash-2", t("Delete the rate from {day}", { day: day(one.validFrom) }), () => remove(one)),
          )
        ),
      )
      : null;
}
