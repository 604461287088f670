// The kiosk: a tablet on a wall at which people clock in and out with a PIN. It has a token of its own, and no one is
// signed in here. It works over plain http, and what it cannot send waits.
import { get, serverTime } from "../../core/api.js";
import { duration, time } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { each, effect, onDrop, signal, tags } from "../../core/view.js";
import { alert } from "../../ui/alert.js";
import { button } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { pinPad } from "./pin.js";
import { clockings } from "./queue.js";

const { div, h1, header, li, p, span, ul } = tags;
const TOKEN = "kiosk.token";
const POLL = 30_000; // ms
const SECOND = 1000;
const SHOWN = 5000; // ms for which an answer stays

export default () => {
  const token = signal(arrived());
  const kiosk = opened(token);
  return {
    title: t("Kiosk"),
    isBare: true,
    body: div({ class: "kiosk" }, () => (token.value ? clock(kiosk) : [asksForToken(token), lostOnes(kiosk.queue)])),
  };
};

// The token comes once in the address, from which it is removed at once.
function arrived() {
  const [, token] = location.hash.match(/^#(erp_[\w-]+)$/) ?? [];
  if (token) {
    localStorage.setItem(TOKEN, token);
    history.replaceState(history.state, "", location.pathname);
  }
  return token ?? localStorage.getItem(TOKEN);
}

function asksForToken(token) {
  const typed = signal("");
  const run = () => {
    localStorage.setItem(TOKEN, typed.value.trim());
    token.value = typed.value.trim();
  };
  return div(
    { class: "narrow" },
    card(
      {},
      h1({ tabindex: "-1" }, t("Kiosk")),
      p(t("Open the address of this kiosk, or enter its token. HR sets up kiosks under Attendance.")),
      form(
        { run, submit: t("Set up"), label: t("Kiosk") },
        field({ label: t("Token"), name: "token" }, textInput({ value: typed, name: "token" })),
      ),
    ),
  );
}

// What the kiosk knows: its people, whether the server answers, and what waits.
function opened(token) {
  const people = signal([]);
  const isOffline = signal(false);
  const forgetToken = () => {
    localStorage.removeItem(TOKEN);
    token.value = null;
  };
  const queue = clockings({ token: () => token.peek(), now: serverTime, onRefused: forgetToken });
  const look = async () => {
    if (!token.peek()) return;
    try {
      people.value = await get("/kiosk/people", { token: token.peek() });
      isOffline.value = false;
    } catch (refusal) {
      if (refusal.status === 401) queue.drop(refusal.message);
      isOffline.value = true;
    }
  };
  const follow = async () => {
    await queue.flush();
    await look();
  };
  const timer = setInterval(follow, POLL);
  addEventListener("online", follow);
  onDrop(() => (clearInterval(timer), removeEventListener("online", follow)));
  effect(() => void (token.value && follow()));
  return { people, isOffline, queue, look };
}

function clock(kiosk) {
  const chosen = signal(null);
  const said = signal(null);
  let timer;
  const say = (answer) => {
    said.value = answer;
    clearTimeout(timer);
    timer = setTimeout(() => void (said.value = null), SHOWN);
  };
  onDrop(() => clearTimeout(timer));
  const run = async (person, pin) => {
    const answer = await kiosk.queue.add(person.id, person.name, pin);
    if (answer?.refusal) throw answer.refusal;
    chosen.value = null;
    say(answer ?? waitingAnswer(kiosk, person));
    if (answer) await kiosk.look();
  };
  return [
    top(kiosk),
    div({ role: "status", class: "kiosk-said" }, () => said.value && answerOf(said.value)),
    () =>
      chosen.value
        ? pinPad({ person: chosen.value, run, close: () => void (chosen.value = null) })
        : grid(kiosk, chosen, said),
    () => (chosen.value ? null : lostOnes(kiosk.queue)),
  ];
}

// Without the server the screen goes by what it knew last.
function waitingAnswer({ people, isOffline }, { id, name, isIn }) {
  isOffline.value = true;
  people.value = people.peek().map((one) => (one.id === id ? { ...one, isIn: !isIn } : one));
  return { name, isIn: !isIn, at: new Date(serverTime()).toISOString(), isWaiting: true };
}

function top({ isOffline, queue }) {
  const now = signal(serverTime());
  const timer = setInterval(() => void (now.value = serverTime()), SECOND);
  onDrop(() => clearInterval(timer));
  const waiting = () => {
    const count = queue.waiting.value.length;
    if (!count && !isOffline.value) return null;
    const text = count
      ? tn("{n} clocking waits for the server", "{n} clockings wait for the server", count)
      : t("The server cannot be reached. You can clock in and out all the same.");
    return alert({ text, kind: "warn" });
  };
  return header(
    { class: "kiosk-top" },
    h1({ tabindex: "-1", class: "visually-hidden" }, t("Kiosk")),
    p({ class: "kiosk-time", "aria-hidden": "true" }, () => time(new Date(now.value).toISOString())),
    waiting,
  );
}

const answerOf = ({ name, isIn, at, workedMinutes, isWaiting }) =>
  p(
    { class: `kiosk-answer ${isIn ? "is-in" : "is-out"}` },
    isIn ? t("{name}: clocked in at {time}", { name, time: time(at) }) : t("{name}: clocked out at {time}", {
      name,
      time: time(at),
    }),
    isWaiting
      ? span(t("It is sent when the server answers again. The PIN is checked then."))
      : !isIn && span(t("Today {worked}", { worked: duration(workedMinutes) })),
  );

function grid({ people, isOffline }, chosen, said) {
  const choose = (person) => {
    said.value = null;
    chosen.value = person;
  };
  return [
    ul({ class: "kiosk-people" }, each(() => people.value, ({ id }) => id, (get) => li(personButton(get, choose)))),
    () =>
      !people.value.length && !isOffline.value &&
      p({ class: "soft" }, t("Nobody has a PIN yet. People set theirs under Me, or HR on the page of the person.")),
  ];
}

const personButton = (get, choose) =>
  button(
    [
      span({ class: "kiosk-name" }, () => get.value.name),
      () => {
        const { isIn } = get.value;
        return span({ class: `pill is-${isIn ? "good" : "neutral"}` }, isIn ? t("in") : t("out"));
      },
    ],
    () => choose(get.peek()),
    { class: "kiosk-person" },
  );

const lostOnes = ({ lost, forget }) => () =>
  lost.value.length > 0 &&
  card(
    { title: t("Not recorded") },
    ul({ class: "plain-list" }, lost.value.map(({ name, at, reason }) => li(`${name}, ${time(at)}: ${reason}`))),
    button(t("Remove from the list"), forget),
  );
