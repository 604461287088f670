// Choosing the blocks of Home and their order: an arrow leads to the next block, and with Alt it moves the block itself.
import { t } from "../../core/i18n.js";
import { keep } from "../../core/session.js";
import { each, signal, tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { checkbox } from "../../ui/choice.js";
import { dialog } from "../../ui/dialog.js";
import { form } from "../../ui/form.js";
import { moveIn, movers, stepOf } from "../../ui/lists/order.js";
import { titleOf } from "./blocks.js";

const { li, ul } = tags;

export const arrange = (blocks) => dialog({ title: t("Arrange"), body: (close) => arranging(blocks, close) });

function arranging(blocks, close) {
  const order = signal(blocks.map(({ key, isHidden }) => ({ key, isShown: signal(!isHidden) })));
  const choose = async (home) => {
    await keep("home", home);
    close();
  };
  const run = () => choose(order.peek().map(({ key, isShown }) => ({ key, isHidden: !isShown.peek() })));
  return form(
    { run, submit: t("Save"), label: t("Arrange") },
    ul({ class: "plain-list" }, each(() => order.value, ({ key }) => key, (one) => row(one.peek(), order))),
    button(t("As it was"), () => choose(null)),
  );
}

function row(one, order) {
  const name = titleOf(one.key);
  const move = (by) => void moveIn(order, one, by);
  const onkeydown = (event) => {
    const by = stepOf(event);
    if (!by) return;
    event.preventDefault();
    if (event.altKey) return move(by);
    const boxes = [...event.currentTarget.parentElement.querySelectorAll("input")];
    boxes[boxes.findIndex(({ name: key }) => key === one.key) + by]?.focus();
  };
  return li(
    { class: "spread", onkeydown },
    checkbox({ value: one.isShown, name: one.key, text: name }),
    movers(name, move),
  );
}
