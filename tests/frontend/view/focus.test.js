// What stays where it is when the page is drawn again, tried in a browser.
import { focusAgain, forgetPlace } from "/core/focus.js";
import { each, signal, tags } from "/core/view.js";

const equal = (found, wanted) => {
  const [one, other] = [found, wanted].map((value) => JSON.stringify(value));
  if (one !== other) throw new Error(`${one} is not ${other}`);
};

const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
const words = () => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent;

function shown(...content) {
  const box = tags.main(tags.h1({ tabindex: "-1" }, "Page"), content);
  document.body.replaceChildren(box);
  return box;
}

const rows = (items) =>
  tags.section(
    tags.h2("Waiting"),
    tags.ul(
      each(() => items.value, (id) => id, (id) =>
        tags.li(
          tags.button({ "aria-label": `Approve ${id.peek()}` }, "Approve"),
          tags.button({ "aria-label": `Reject ${id.peek()}` }, "Reject"),
        )),
    ),
  );

export const tests = {
  "a text is changed where it is, and a node that stays is not touched"() {
    const [name, isLong] = [signal("Anna"), signal(false)];
    const stays = tags.input({ name: "stays" });
    const box = shown(tags.p(() => name.value), tags.div(() => [isLong.value && tags.b("long"), stays]));
    const text = box.querySelector("p").firstChild;
    stays.focus();
    name.value = "Bo";
    isLong.value = true;
    equal([text.data, text.isConnected, box.querySelector("div").textContent], ["Bo", true, "long"]);
    equal(document.activeElement === stays, true);
  },
  async "content that is drawn again gives the focus to the control of the same name, and selects the same in it"() {
    const n = signal(0);
    shown(
      () => [n.value > 0 && tags.button("New"), tags.a({ href: "/x" }, `x${n.value}`), tags.input({ name: "who" })],
    );
    const field = document.querySelector("input");
    field.value = "";
    document.querySelector("a").focus();
    n.value = 1;
    await drawn();
    equal(words(), "x1");
    const typed = document.querySelector("input");
    typed.focus();
    n.value = 2;
    await drawn();
    equal([document.activeElement === typed, document.activeElement.name], [false, "who"]);
  },
  async "what is selected in a field stays selected"() {
    const n = signal(0);
    shown(() => tags.input({ name: `who`, value: "Hansen", "data-n": String(n.value) }));
    document.querySelector("input").focus();
    document.querySelector("input").setSelectionRange(1, 4, "backward");
    n.value = 1;
    await drawn();
    const { selectionStart, selectionEnd, selectionDirection, dataset } = document.querySelector("input:focus");
    equal([selectionStart, selectionEnd, selectionDirection, dataset.n], [1, 4, "backward", "1"]);
  },
  async "a control that has another name now keeps the focus by its place"() {
    const isOn = signal(false);
    shown(() => tags.div(tags.button("First"), tags.button(isOn.value ? "Stop" : "Start")));
    document.querySelectorAll("button")[1].focus();
    isOn.value = true;
    await drawn();
    equal(words(), "Stop");
  },
  async "a row that goes gives the focus to the same control of the next, the last one to the one before"() {
    const items = signal([1, 2, 3, 4]);
    shown(rows(items));
    document.querySelector("[aria-label='Reject 1']").focus();
    items.value = [3, 4];
    await drawn();
    equal(words(), "Reject 3");
    items.value = [4];
    await drawn();
    equal(words(), "Reject 4");
    items.value = [2, 4, 5];
    items.value = [2];
    await drawn();
    equal(words(), "Reject 2");
  },
  async "without another row the focus goes to the heading of the list, without one to that of the page"() {
    const [items, isThere] = [signal([1]), signal(true)];
    shown(() => isThere.value && rows(items));
    document.querySelector("button").focus();
    items.value = [];
    await drawn();
    equal(words(), "Waiting");
    isThere.value = false;
    await drawn();
    equal(words(), "Page");
  },
  async "a control that cannot be seen is passed over"() {
    const isOn = signal(false);
    shown(tags.section(
      tags.h2("Timer"),
      () => tags.div(tags.button({ hidden: isOn.value }, isOn.value ? "Stop" : "Start")),
    ));
    document.querySelector("button").focus();
    isOn.value = true;
    await drawn();
    equal(words(), "Timer");
  },
  async "a record that goes into another list takes the focus along"() {
    const [left, right] = [signal([1, 2]), signal([3])];
    shown(rows(left), rows(right));
    document.querySelector("[aria-label='Approve 1']").focus();
    left.value = [2];
    right.value = [3, 1];
    await drawn();
    equal(words(), "Approve 1");
  },
  async "a row that is put elsewhere keeps the focus"() {
    const items = signal([1, 2, 3, 4]);
    shown(rows(items));
    document.querySelector("[aria-label='Approve 4']").focus();
    items.value = [4, 1, 2, 3];
    await drawn();
    equal(words(), "Approve 4");
    items.value = [1, 2, 4, 3];
    await drawn();
    equal(words(), "Approve 4");
  },
  async "a row that is only out of view passes no focus on"() {
    const items = signal([1, 2]);
    shown(each(() => items.value, (id) => id, (id) => tags.button(`n${id.peek()}`), () => false));
    document.querySelector("button").focus();
    items.value = [2];
    await drawn();
    equal(document.activeElement === document.body, true);
  },
  async "the focus that is set meanwhile, or left to another screen, is not taken away"() {
    const items = signal([1, 2, 3]);
    shown(rows(items), tags.input({ name: "own" }));
    document.querySelector("button").focus();
    items.value = [2, 3];
    document.querySelector("input").focus();
    await drawn();
    equal(document.activeElement.name, "own");
    document.querySelector("button").focus();
    items.value = [3];
    forgetPlace();
    await drawn();
    equal(document.activeElement === document.body, true);
  },
  async "what is gone for long still has someone who takes its place"() {
    const [items, n] = [signal([1, 2, 3]), signal(0)];
    shown(() => (n.value, rows(items)));
    const button = document.querySelector("[aria-label='Approve 1']");
    const all = [...document.querySelectorAll("li, ul, section")]; // what has gone is only held weakly
    items.value = [2, 3];
    items.value = [3];
    n.value = 1;
    await drawn();
    equal(focusAgain(button), true);
    equal([words(), all.length], ["Approve 3", 5]);
    equal(focusAgain(tags.button("never shown")), false);
  },
  async "a box that is drawn again is scrolled as far as before"() {
    const n = signal(0);
    const style = { height: "50px", overflow: "auto" };
    shown(() => tags.div({ class: "box", style }, tags.div({ style: { height: "500px" } }, `n${n.value}`)));
    document.querySelector(".box").scrollTo({ top: 120 });
    await drawn();
    n.value = 1;
    await drawn();
    equal([document.querySelector(".box").scrollTop, document.querySelector(".box").textContent], [120, "n1"]);
  },
};
