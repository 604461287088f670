// The paper of a document beside its form or its page: our own as PDF, also while it is typed, and the file of a bill.
import { addressOfFile } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { effect, signal } from "../../core/view.js";
import { paper } from "../../ui/paper.js";
import { paperOfBill } from "./from_file.js";
import { isPurchase, nameOf } from "./states.js";

const PAUSE = 400; // ms after the last key

const ofOwn = (document) => ({
  name: nameOf(document),
  src: `/api/v1/finance/invoices/${document.id}/pdf?inline=true`,
});

export function paperOf(document, about = {}) {
  return isPurchase(document) ? paperOfBill(document.id, about) : paper(ofOwn(document), about);
}

// Made again at each pause of typing, from the body that `request()` answers; nothing is stored.
export function paperOfTyped(request) {
  /** @type {any} */
  const src = signal(null);
  let turn = 0;
  effect(() => {
    const body = request();
    const own = (turn += 1);
    const timer = setTimeout(async () => {
      const made = await addressOfFile("/finance/invoices/preview?format=pdf&inline=true", body).catch(() => null);
      if (made && own === turn) src.value = made;
    }, PAUSE);
    return () => clearTimeout(timer);
  });
  const shown = paper({ name: t("Paper"), src: () => src.value });
  effect(() => void (shown.hidden = !src.value));
  return shown;
}
