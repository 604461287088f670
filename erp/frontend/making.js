// Records that can be made from every screen, by right; the kind made last comes first.
import { t } from "./core/i18n.js";
import { current, go } from "./core/router.js";
import { keep, kept } from "./core/session.js";
import { perform } from "./ui/actions.js";
import { openPalette } from "./ui/palette.js";
import { actionsOf } from "./ui/shell.js";

// `key`: the key of an action of the screen, which is done there.
const KINDS = () => [
  { kind: "invoice", name: t("Invoice"), icon: "file-text", may: "finance.write", href: "/invoices/new" },
  { kind: "bill", name: t("Bill"), icon: "receipt", may: "finance.write", href: "/bills/new" },
  { kind: "payment", name: t("Payment"), icon: "banknote", may: "finance.write", href: "/payments/new" },
  { kind: "quote", name: t("Quote"), icon: "file-pen", may: "finance.write", href: "/quotes/new" },
  { kind: "contact", name: t("Contact"), icon: "contact", may: "contacts.write", href: "/contacts", key: "n" },
  { kind: "task", name: t("Task"), icon: "square-check", may: "tasks.write", href: "/tasks", key: "n" },
  { kind: "hours", name: t("Hours"), icon: "clock", may: "time.write_own", href: "/time?field=task" },
  { kind: "leave", name: t.of("record", "Leave"), icon: "tree-palm", may: "leave.write_own", href: "/me?ask=leave" },
  { kind: "person", name: t("Person"), icon: "user-plus", may: "employees.write", href: "/people/new" },
];

export function openMaking(searchWords) {
  const used = kept("nav").made ?? [];
  const place = ({ kind }) => (used.includes(kind) ? used.indexOf(kind) : used.length);
  const commands = KINDS().map((one) => ({ ...one, key: null, run: () => make({ key: null, ...one }) }));
  openPalette({
    label: t.of("record", "New"),
    commands: commands.sort((one, other) => place(one) - place(other)),
    searchWords,
  });
}

async function make({ kind, href, key }) {
  const used = kept("nav").made ?? [];
  if (used[0] !== kind) {
    keep("nav", { ...kept("nav"), made: [kind, ...used.filter((one) => one !== kind)] }).catch(() => {}); // only an order
  }
  await go(href);
  const action = key && actionsOf(current.peek()).find((one) => one.key === key);
  if (action) await perform(action);
}
