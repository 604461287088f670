// The chapters that an office adds to its process description, each with the wordings that it has had.
import { get } from "../../core/api.js";
import { day } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { signal, tags } from "../../core/view.js";
import { dateField } from "../../ui/date.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { recordsScreen } from "../../ui/records.js";

const { div, h3, li, p, ul } = tags;
const CHAPTERS = "/finance/process-chapters";

export default () =>
  recordsScreen({
    path: CHAPTERS,
    title: t("Own chapters"),
    back: { href: "/close/year", text: t("Year end") },
    right: "finance.write",
    addText: t("New chapter"),
    emptyText: t("No chapters yet. How cash is counted and how paper is scanned are good ones to start with."),
    intro: t("They follow the chapters of the process description that the program writes from settings and log."),
    size: "wide",
    nameOf: ({ title }) => title,
    rowActions: (chapter) => [{ name: t("Wordings"), icon: "history", run: () => showWordings(chapter) }],
    columns,
    fields,
  });

const columns = [
  { key: "title", text: t("Title"), place: "name", cell: ({ title }) => title },
  { key: "text", text: t("Text"), isMinor: true, cell: ({ text }) => text.split("\n")[0] },
  {
    key: "validFrom",
    text: t("In force from"),
    place: "meta",
    width: "10rem",
    cell: ({ validFrom }) => day(validFrom),
  },
];

const fields = () => [
  { name: "title", label: t("Title") },
  {
    name: "text",
    label: t("Text"),
    kind: "area",
    rows: 12,
    hint: t("Each line is a paragraph. Lines that begin with a dash make a list."),
  },
  { name: "validFrom", parts: validFrom },
];

// The day from which a wording is in force: a form begins without it.
const validFrom = {
  signals: () => ({ validFrom: signal("") }),
  draw: ({ validFrom: value }) =>
    field(
      { label: t("In force from"), name: "validFrom", isOptional: true, hint: t("Today, if it is empty.") },
      dateField({ value, name: "validFrom" }),
    ),
  read: ({ validFrom: value }) => value.value || null,
};

const showWordings = async ({ id, title }) => {
  const wordings = await get(`${CHAPTERS}/${id}/wordings`);
  return dialog({
    title,
    size: "wide",
    body: () => ul({ class: "stack plain-list" }, wordings.map(wording)),
  });
};

const wording = ({ title, text, validFrom, createdAt, createdByName }) =>
  li(
    { class: "stack-tight" },
    h3(title),
    p(
      { class: "soft small" },
      [
        t("In force from {day}", { day: day(validFrom) }),
        createdByName,
        day(createdAt.slice(0, 10)),
      ].filter(Boolean).join(" · "),
    ),
    div(text.split("\n").filter(Boolean).map((line) => p(line))),
  );
