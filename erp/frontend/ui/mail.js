// Sending a document: to whom, what it says, and with which files. Ctrl-Enter sends.
import { download, send } from "../core/api.js";
import { t } from "../core/i18n.js";
import { keyOf } from "../core/keys.js";
import { notify } from "../core/notices.js";
import { session, settings } from "../core/session.js";
import { changed } from "../core/store.js";
import { each, effect, signal, tags } from "../core/view.js";
import { checkbox, choice, optionsOf } from "./choice.js";
import { confirm, dialog } from "./dialog.js";
import { facts } from "./facts.js";
import { field } from "./field.js";
import { form } from "./form.js";
import { button, iconButton } from "./button.js";
import { textArea, textInput } from "./input.js";
import { follow, MESSAGES, outcome } from "./message.js";

const ATTACHED = {
  pdf: () => t("PDF"),
  xml: () => t("E-invoice (XML)"),
  both: () => t("PDF and e-invoice (XML)"),
};

const { div, p, span } = tags;

// `path` is the document's; `files` chooses among PDF and XML; with `links` it can bring a share link, where the office
// shares; `touched` are the addresses that show what has changed.
export async function sendDialog({ title, path, files = false, links = false, more = {}, touched = [] }) {
  const canLink = links && settings().shareLinks;
  let draft = await composed(path, more);
  const values = {
    to: signal(draft.to.map(({ address }) => address)),
    cc: signal(draft.cc.map(({ address }) => address)),
    subject: signal(draft.subject),
    text: signal(draft.text),
    attach: signal("pdf"),
    copyToSelf: signal(false),
    withLink: signal(false),
  };
  // Our text has a paragraph more with a link; of a person's own, only that paragraph goes.
  const recompose = async (withLink) => {
    const { text } = await composed(path, { ...more, withLink });
    if (values.withLink.peek() !== withLink) return;
    const isOurs = values.text.peek() === draft.text;
    draft = { ...draft, text };
    if (isOurs) values.text.value = text;
    else if (!withLink) values.text.value = withoutLink(values.text.peek());
  };
  const isOwn = draft.via === "eml";
  return dialog({
    title,
    body: (close) =>
      form(
        {
          run: async () => {
            const message = await sent(path, { ...bodyOf(values, draft, files, canLink), ...more }).catch((refusal) => {
              throw withAddresses(refusal, values);
            });
            if (!message) return;
            changed(MESSAGES, path, ...(canLink ? [`${path}/links`] : []), ...touched);
            close(message);
            if (isOwn) await openDraft(message);
            notify(
              isOwn ? t("Message prepared. Confirm in Messages once you have sent it.") : t("Queued to {address}.", {
                address: message.to.map(({ address }) => address).join(", "),
              }),
              { kind: "good" },
            );
          },
          submit: isOwn ? t("Open in my mail program") : t("Send"),
          cancel: () => close(),
          label: title,
        },
        addresses(t.of("mail", "To"), "to", values.to),
        addresses(t.of("mail", "Copy to"), "cc", values.cc, true),
        field({ label: t("Subject"), name: "subject" }, textInput({ value: values.subject, name: "subject" })),
        field({ label: t("Text"), name: "text" }, textArea({ value: values.text, name: "text", rows: 8 })),
        files &&
          field(
            { label: t("Attachment"), name: "attach" },
            choice({ value: values.attach, name: "attach", options: optionsOf(ATTACHED) }),
          ),
        canLink &&
          checkbox({
            value: values.withLink,
            name: "withLink",
            text: t("With a link"),
            hint: t("The recipient opens the document without signing in."),
            onchange: recompose,
          }),
        checkbox({
          value: values.copyToSelf,
          name: "copyToSelf",
          text: t("Hidden copy to {address}", { address: session.peek().user.email }),
        }),
      ),
  });
}

const withoutLink = (text) => text.split("\n\n").filter((part) => part.trim() !== "{link}").join("\n\n");

// Where one yes is enough: to whom, and then what came of it.
export async function sendOnce({ title, text, path, more = {}, touched = [] }) {
  const draft = await composed(path, more);
  const isOwn = draft.via === "eml";
  const message = signal(null);
  const run = async () => {
    const made = await sent(path, more);
    if (!made) return;
    message.value = made;
    changed(MESSAGES, ...touched);
    if (isOwn) await openDraft(made);
    else void follow(message).then(() => changed(MESSAGES));
  };
  return dialog({
    title,
    body: (close) => {
      const about = facts([[t.of("mail", "To"), draft.to.map(({ address }) => address).join(", ")]]);
      const asked = form(
        { run, submit: isOwn ? t("Open in my mail program") : t("Send"), cancel: () => close(), label: title },
        text && p(text),
        about,
      );
      const done = button(t.of("window", "Close"), () => close(message.peek()));
      const result = div(
        { class: "stack" },
        about.cloneNode(true),
        div({ role: "status" }, () => outcomeOf(message)),
        done,
      );
      effect(() => message.value && queueMicrotask(() => done.focus()));
      return div(() => (message.value ? result : asked));
    },
  });
}

const outcomeOf = ({ value }) =>
  value && div(
    { class: "stack-tight" },
    outcome(value),
    value.status === "prepared" && p(t("Message prepared. Confirm in Messages once you have sent it.")),
  );

// The message as it would go out; one without an address is composed as well, for a person to name one.
async function composed(path, more) {
  try {
    return await send("POST", `${path}/send`, { ...more, dryRun: true });
  } catch (refusal) {
    if (refusal.details?.[0]?.code !== "no_recipient") throw refusal;
    const own = session.peek().user.email;
    return { ...(await send("POST", `${path}/send`, { ...more, to: [own], dryRun: true })), to: [] };
  }
}

// What was changed is sent; all else is as usual.
function bodyOf({ to, cc, subject, text, attach, copyToSelf, withLink }, draft, files, canLink) {
  return {
    to: to.value,
    cc: cc.value,
    ...(subject.value !== draft.subject && { subject: subject.value }),
    ...(text.value !== draft.text && { text: text.value }),
    ...(files && { attach: attach.value }),
    ...(canLink && { withLink: withLink.value }),
    copyToSelf: copyToSelf.value,
  };
}

// One address of several is refused: which one.
function withAddresses(refusal, values) {
  refusal.details = refusal.details?.map((one) => {
    const [, name, at] = /^(to|cc)\[(\d+)\]$/.exec(one.field ?? "") ?? [];
    if (!name) return one;
    return { ...one, message: t("{name}: {problem}", { name: values[name].peek()[at], problem: one.message }) };
  });
  return refusal;
}

async function sent(path, body) {
  try {
    return await send("POST", `${path}/send`, body);
  } catch (refusal) {
    if (refusal.code !== "just_sent") throw refusal;
    const isMeant = await confirm({ title: t("Send it again?"), text: refusal.message, verb: t("Send again") });
    return isMeant ? await send("POST", `${path}/send`, { ...body, force: true }) : null;
  }
}

// Chips, and a field that takes one more address by Enter, a comma, or when it is left.
function addresses(label, name, value, isOptional = false) {
  const typed = signal("");
  const take = () => {
    const more = typed.peek().split(/[\s,;]+/).filter(Boolean);
    if (!more.length) return false;
    value.value = [...new Set([...value.peek(), ...more])];
    typed.value = "";
    return true;
  };
  const input = textInput({
    value: typed,
    name,
    type: "text",
    inputmode: "email",
    onkeydown: (event) => {
      if (event.ctrlKey || event.metaKey) return;
      if (["Enter", ","].includes(keyOf(event)) && take()) event.preventDefault();
    },
  });
  const box = field({ label, name, isOptional, isWide: true }, input);
  box.addEventListener("settle", take);
  box.addEventListener("focusout", take);
  const drop = (address) => {
    value.value = value.peek().filter((one) => one !== address);
    box.querySelector("input")?.focus();
  };
  return div(
    { class: "stack" },
    box,
    // Chips that there are stay: the focus may just have come to one of them.
    div(
      { class: "row", role: "group", "aria-label": label, hidden: () => !value.value.length },
      each(() => value.value, (address) => address, (get) =>
        span(
          { class: "chip" },
          span({ class: "chip-text" }, get.value),
          iconButton("x", t("Remove {name}", { name: get.value }), () => drop(get.value)),
        )),
    ),
  );
}

// The whole message as a file, which the person's own mail program opens as a draft.
export async function openDraft({ id }) {
  await download(`${MESSAGES}/${id}/eml`);
}
