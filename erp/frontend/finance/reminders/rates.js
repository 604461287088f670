// Base rates: what the central bank announces, from a day on.
import { day, percent } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { recordsScreen } from "../../ui/records.js";
import { BASE_RATES, RUNS } from "./words.js";

export default () =>
  recordsScreen({
    path: BASE_RATES,
    isArchivable: false,
    title: t("Base rates"),
    back: { href: "/settings", text: t("Settings") },
    right: "finance.write",
    addText: t("New base rate"),
    emptyText: t("No base rates yet."),
    intro: t("Default interest is the base rate of each day and the points of the settings."),
    deleteText: t("Letters keep the interest that they ask for."),
    nameOf: ({ validFrom }) => t("base rate from {day}", { day: day(validFrom) }),
    changes: [RUNS],
    columns: [
      { key: "from", text: t("Valid from"), place: "name", cell: ({ validFrom }) => day(validFrom) },
      {
        key: "rate",
        text: t.of("interest", "Rate"),
        isFigure: true,
        place: "figure",
        width: "10rem",
        cell: ({ rate }) => percent(rate),
      },
    ],
    fields: () => [
      { name: "validFrom", label: t("Valid from"), kind: "day" },
      { name: "rate", label: t("Rate in per cent a year"), kind: "number" },
    ],
  });
