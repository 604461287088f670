// The first steps of a new office. Each is done by the work itself; it can be skipped, and the list put away.
import { send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { changed } from "../../core/store.js";
import { computed, effect, tags, untracked } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { waitingList } from "../../ui/waiting.js";

const { div, p, progress } = tags;

const WORDS = {
  address: () => [t("Enter the address"), t("Invoices and letters show it.")],
  taxNumber: () => [t("Enter the tax number or the VAT number"), t("An invoice must show one of them.")],
  iban: () => [t("Enter the bank account"), t("Customers pay to it; the QR code of an invoice has it as well.")],
  logo: () => [t("Add the logo"), t("It is printed at the top of each paper.")],
  openingBalances:
    () => [t("Take over the opening balances"), t("The books begin with what your old program ends with.")],
  bankFile: () => [t("Import a bank statement"), t("Payments then find their invoices and bills.")],
  firstInvoice: () => [t("Issue the first invoice"), t("A draft can be changed; an issued invoice is posted.")],
  colleague: () => [t("Invite a colleague"), t("Each person signs in with their own password and role.")],
  backupElsewhere: () => [t("Make a backup elsewhere"), t("A stick or another computer keeps it if this one breaks.")],
};

const put = async (body) => {
  await send("POST", "/workspace/first-steps", body);
  changed("/workspace"); // its version as well
};

// Steps that are neither done nor skipped.
const openOf = ({ items }) => items.filter(({ isDone, isSkipped }) => !isDone && !isSkipped);

// `get` answers the steps. Once the last one is done or skipped, that is said, and the list does not come again.
export function firstSteps(get) {
  const isOver = computed(() => !openOf(get()).length);
  effect(() => {
    if (isOver.value) untracked(finish);
  });
  return () => isOver.value ? null : listOf(get);
}

const listOf = (get) =>
  card(
    {
      title: t("First steps"),
      class: "is-wide",
      actions: [button(t("Put away"), putAway, { kind: "plain", isSmall: true })],
    },
    div(
      { class: "row" },
      progress({ max: () => get().total, value: () => get().done, "aria-label": t("First steps") }),
      p({ class: "soft" }, () => t("{done} of {total}", { done: get().done, total: get().total })),
    ),
    waitingList({ label: t("First steps"), items: () => openOf(get()).map(entryOf) }),
  );

function entryOf({ key, href }) {
  const [text, more] = WORDS[key]();
  const skip = { name: t("Skip"), run: () => put({ key }) };
  return { key, text, more, href, actions: [skip] };
}

async function finish() {
  await send("POST", "/workspace/first-steps", { isHidden: true });
  notify(t("All first steps are done."), { kind: "good" });
}

async function putAway() {
  await put({ isHidden: true });
  notify(t("First steps put away."), { kind: "good", undo: () => put({ isHidden: false }) });
}
