// The payslips of a run by mail: all or none, and what came of each.
import { address, send } from "../../core/api.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { may } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { card } from "../../ui/card.js";
import { confirm, dialog } from "../../ui/dialog.js";
import { followed, MESSAGES, outcome } from "../../ui/message.js";
import { RUNS } from "./list.js";

const { a, div, li, p, ul } = tags;

const slipOf = (run, { resource }) => run.payslips.find(({ id }) => id === resource.id);
const nameOf = (run, message) => slipOf(run, message).snapshot.name;

// First composed, so that the question says who gets one, and who lacks an address is named before anything is sent.
export async function sendPayslips(run) {
  const path = `${RUNS}/${run.id}/send`;
  const drafts = await composed(run, path);
  if (!drafts) return;
  if (!drafts.length) return void notify(t("No one in this run wants payslips by mail."));
  if (!(await confirm(asked(run, drafts)))) return;
  const sent = await send("POST", path, {}).catch(again(path));
  if (!sent) return;
  changed(MESSAGES);
  if (drafts[0].via === "eml") return; // each is opened below
  notify(tn("{n} message queued.", "{n} messages queued.", sent.messages.length), { kind: "good" });
}

async function composed(run, path) {
  try {
    return (await send("POST", path, { dryRun: true })).messages;
  } catch (refusal) {
    if (!refusal.details?.length) throw refusal;
    await dialog({ title: t("The payslips cannot be sent yet"), body: () => lacking(run, refusal.details) });
    return null;
  }
}

const lacking = (run, details) =>
  div(
    { class: "stack" },
    p(t("Either all payslips of a run are sent or none. First complete these records:")),
    ul({ class: "plain-list" }, details.map(({ message }) => li(aboutPerson(run, message)))),
  );

// A complaint begins with the name.
function aboutPerson(run, message) {
  const slip = run.payslips.find(({ snapshot }) => message.startsWith(`${snapshot.name}:`));
  if (!slip || !may("employees.read")) return message;
  return [a({ href: `/people/${slip.employeeId}` }, slip.snapshot.name), message.slice(slip.snapshot.name.length)];
}

function asked(run, drafts) {
  const others = run.payslips.length - drafts.length;
  return {
    title: tn("Send {n} payslip?", "Send {n} payslips?", drafts.length),
    text: drafts[0].via === "eml" && t("Without a mail server, each is prepared for your own mail program."),
    figures: drafts.map((draft) => [nameOf(run, draft), draft.to.map(({ address }) => address).join(", ")]),
    notes: others ? [{ text: tn("{n} person wants none by mail.", "{n} people want none by mail.", others) }] : [],
    verb: tn("Send {n} payslip", "Send {n} payslips", drafts.length),
  };
}

const again = (path) => async (refusal) => {
  if (!refusal.details?.length || refusal.details.some(({ code }) => code !== "just_sent")) throw refusal;
  const text = refusal.details[0].message;
  const isMeant = await confirm({ title: t("Send them again?"), text, verb: t("Send again") });
  return isMeant ? send("POST", path, { force: true }) : null;
};

// What came of the last message about each payslip: those that went out as a number, the others by name.
export function mailedPayslips(run) {
  const messages = followed(resource(address(MESSAGES, { kind: "payslip", q: run.number, limit: 200 })));
  const latest = () => {
    const bySlip = new Map((messages.value ?? []).toReversed().map((one) => [one.resource.id, one]));
    return [...bySlip.values()].filter((one) => slipOf(run, one));
  };
  return div(() => latest().length > 0 && card({ title: t("By mail") }, cameOf(run, latest())));
}

function cameOf(run, messages) {
  const [gone, others] = [messages.filter(isGone), messages.filter((one) => !isGone(one))];
  return div(
    { class: "stack-tight" },
    gone.length > 0 &&
      p(tn("{n} payslip handed to the mail server.", "{n} payslips handed to the mail server.", gone.length)),
    ul(
      { class: "plain-list" },
      others.map((one) => li({ class: "spread" }, nameOf(run, one), outcome(one))),
    ),
  );
}

const isGone = ({ status }) => status === "sent";
