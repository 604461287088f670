// Pay templates: sets of pay components that come with the program, and the word that their figures were checked.
import { get, newKey, send } from "../../core/api.js";
import { day } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { choice } from "../../ui/choice.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";

const { div, li, p, ul } = tags;
const TEMPLATES = "/hr/component-sets";

export async function chooseTemplate() {
  const all = await get(TEMPLATES);
  await dialog({ title: t("Components from a pay template"), body: (close) => choosing(all, close) });
}

function choosing(templates, close) {
  const code = signal(templates[0].code);
  const key = newKey();
  const run = async () => {
    const done = await send("POST", `${TEMPLATES}/${code.value}/apply`, {}, { key });
    changed("/hr");
    close();
    notify(tn("{n} pay component added.", "{n} pay components added.", done.added.length), { kind: "good" });
    if (done.warning) notify(done.warning);
  };
  return form(
    { run, submit: t("Add them"), cancel: () => close(), label: t("Components from a pay template") },
    p(
      { class: "soft" },
      t("Add them to an employee’s pay to use them. Existing pay components stay as they are."),
    ),
    field(
      { label: t("Template"), name: "code" },
      choice({ value: code, name: "code", options: templates.map((one) => ({ value: one.code, text: one.name })) }),
    ),
    () => contents(templates.find((one) => one.code === code.value)),
  );
}

const contents = ({ components, leavesOut, validFrom, validTo, source }) =>
  div(
    { class: "stack" },
    ul({ class: "plain-list" }, components.map(({ name }) => li(name))),
    validFrom && p(t("Figures for {from} to {to}.", { from: day(validFrom), to: day(validTo) })),
    leavesOut.length > 0 && p(t("Not included: {what}.", { what: leavesOut.join("; ") })),
    p({ class: "soft small" }, source),
  );

// Notes that the figures were checked for the pay of a year; runs of that year no longer warn of them.
export const confirmChecked = (code, payDate) => ({
  name: t("I have checked them"),
  asks: {
    title: t("Have you checked the figures for {year}?", { year: payDate.slice(0, 4) }),
    text: t("Your name is kept with the check. Payroll runs of that year no longer warn about the figures."),
    verb: t("Yes, checked"),
  },
  run: async () => {
    await send("POST", `${TEMPLATES}/${code}/acknowledge`, { year: Number(payDate.slice(0, 4)) });
    changed("/hr");
  },
});
