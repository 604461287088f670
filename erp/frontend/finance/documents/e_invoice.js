// The dialogs of e-invoices: the form in which one is downloaded, and a supplier's file that becomes a bill.
import { address, download, newKey, Refusal, send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { go } from "../../core/router.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { checkbox, choice, radios } from "../../ui/choice.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { base64, fileInput } from "../../ui/file.js";
import { form } from "../../ui/form.js";
import { numberInput } from "../../ui/number.js";
import { TOUCHED } from "../payments/touched.js";
import { nameOf, pathOf } from "./states.js";

// The profile that the customer needs is chosen; what is refused says what to enter, and where.
export function askForm(document, path) {
  const profile = signal(document.customer?.buyerReference ? "xrechnung" : "en16931");
  const syntax = signal("ubl");
  const run = async (close) => {
    await asWhole(() =>
      download(
        address(`${path}/xml`, { profile: profile.value, syntax: profile.value === "factur_x" ? null : syntax.value }),
      )
    );
    close();
  };
  return dialog({
    title: t("E-invoice of {name}", { name: nameOf(document) }),
    body: (close) =>
      form(
        { run: () => run(close), submit: t("Download"), cancel: () => close(), label: t("E-invoice (XML)") },
        radios({ value: profile, name: "profile", label: t("Profile"), options: profiles() }),
        tags.div(
          { hidden: () => profile.value === "factur_x" },
          field(
            { label: t("Syntax"), name: "syntax" },
            choice({
              value: syntax,
              name: "syntax",
              options: [{ value: "ubl", text: "UBL" }, { value: "cii", text: "CII" }],
            }),
          ),
        ),
      ),
  });
}

const profiles = () => [
  { value: "en16931", text: "EN 16931", hint: t("For companies in the EU.") },
  { value: "xrechnung", text: "XRechnung", hint: t("For German authorities. The customer needs a buyer reference.") },
  { value: "factur_x", text: "ZUGFeRD, Factur-X", hint: t("As contained in the PDF.") },
];

// What is wrong is on record, and not in a field of this form.
async function asWhole(work) {
  try {
    return await work();
  } catch (refusal) {
    if (!refusal.details?.length) throw refusal;
    throw new Refusal({
      ...refusal,
      message: refusal.message,
      details: refusal.details.map((one) => ({ ...one, field: null })),
    });
  }
}

export const receive = () => dialog({ title: t("Bill from an e-invoice"), body: received });

// A supplier's file becomes the draft of a bill, which is opened.
function received(close) {
  const [file, rate, force, isTaken] = [signal(null), signal(null), signal(false), signal(false)];
  const key = newKey();
  const run = async () => {
    if (!file.value) {
      throw new Refusal({
        status: 422,
        message: t("No file chosen."),
        details: [{ field: "file", message: t("Choose the supplier’s file.") }],
      });
    }
    const body = {
      file: await base64(file.value),
      name: file.value.name,
      ...(rate.value && { exchangeRate: rate.value }),
      ...(force.value && { force: true }),
    };
    const bill = await atFile(isTaken, () => send("POST", "/finance/invoices/from-e-invoice", body, { key }));
    changed(...TOUCHED, "/finance/contacts");
    close();
    await go(pathOf(bill));
  };
  return form(
    { run, submit: t("Create draft"), cancel: () => close(), label: t("Bill from an e-invoice") },
    tags.p(
      { class: "soft" },
      t("The supplier, the lines and the tax are read from the file. You check the draft before it is posted."),
    ),
    field(
      {
        label: t.of("noun", "File"),
        name: "file",
        hint: t("XML (XRechnung, UBL, CII) or a PDF with it inside (ZUGFeRD, Factur-X)."),
      },
      fileInput({
        value: file,
        name: "file",
        accept: ".xml,.pdf,application/xml,text/xml,application/pdf",
        autofocus: true,
      }),
    ),
    field({
      label: t("Exchange rate"),
      name: "exchangeRate",
      isOptional: true,
      hint: t("For a file in another currency without an exchange rate here."),
    }, numberInput({ value: rate, name: "exchangeRate" })),
    tags.div(
      { hidden: () => !isTaken.value },
      checkbox({ value: force, name: "force", text: t("Another document with the same number") }),
    ),
  );
}

// A refusal that names no field of this form is about the file.
async function atFile(isTaken, work) {
  try {
    return await work();
  } catch (refusal) {
    if (!(refusal.status >= 400 && refusal.status < 500)) throw refusal;
    isTaken.value ||= refusal.code === "supplier_number_taken";
    const told = refusal.details?.length ? refusal.details : [{ message: refusal.message }];
    throw new Refusal({
      ...refusal,
      message: refusal.message,
      details: told.map((one) => ({ ...one, field: one.field === "exchangeRate" ? one.field : "file" })),
    });
  }
}
