// The form of a contact, new or changed.
import { send } from "../../core/api.js";
import { draftOfFields } from "../../core/drafts.js";
import { t } from "../../core/i18n.js";
import { changed } from "../../core/store.js";
import { change } from "../../ui/changing.js";
import { editable } from "../../ui/fields.js";
import { form } from "../../ui/form.js";
import { contactFields } from "./fields.js";

export function contactForm(record, done, cancel) {
  // The bank account of an employee is in their record.
  const asked = contactFields().filter(({ name }) => record?.kind !== "employee" || name !== "bankAccount");
  const fields = editable(asked, record);
  const { iban: _iban, bic: _bic, holder: _holder, ...others } = fields.signals; // never kept in the browser
  const kept = record ? null : draftOfFields("contact", null, others);
  const run = async (element) => {
    const saved = record
      ? await change(element, `/finance/contacts/${record.id}`, record, fields.body(), fields.told)
      : await send("POST", "/finance/contacts", fields.body(), { key: kept.key });
    if (!saved) return;
    kept?.clear();
    changed("/finance/contacts", "/finance/invoices");
    await done(saved);
  };
  return form(
    { run, submit: record ? t("Save") : t("Create contact"), cancel, draft: kept, label: t("Contact") },
    fields.controls,
  );
}
