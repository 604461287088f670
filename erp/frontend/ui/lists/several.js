// A filter that takes several values, or all but some.
import { t } from "../../core/i18n.js";
import { each, signal, tags } from "../../core/view.js";
import { radios } from "../choice.js";
import { listOf } from "../filters.js";
import { popover } from "../menu.js";

const { div, input, label, span } = tags;
const MANY = 8; // more choices than this are searched

export const severalOf = (filter, anchor) =>
  popover(anchor, () => panel(filter), { label: filter.text, class: "several" });

const valuesOf = (filter) => (filter.value() ? filter.value().split(",") : []);

function panel(filter) {
  const chosen = signal(valuesOf(filter));
  const isNot = signal(filter.isNot());
  const found = signal(chosen.peek().map((value) => ({ value, text: value })));
  const names = new Map();
  let turn = 0;
  const apply = () => filter.choose(chosen.peek().join(",") || null, isNot.peek());
  const find = async (typed) => {
    const now = (turn += 1);
    const options = filter.load ? await filter.load(typed) : listOf(filter).filter((one) => fits(one.text, typed));
    if (now !== turn) return;
    options.forEach((one) => names.set(String(one.value), one.text));
    const before = await Promise.all(chosen.peek().map(named));
    const values = before.map(({ value }) => value);
    const others = options.map((one) => ({ ...one, value: String(one.value) })).filter((one) =>
      !values.includes(one.value)
    );
    found.value = typed || !isLong ? inOrder(options, [...before, ...others]) : [...before, ...others];
  };
  const named = async (value) => ({ value, text: names.get(value) ?? (await filter.shown?.(value)) ?? value });
  const toggle = (value) => {
    const values = chosen.peek();
    chosen.value = values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
    apply();
  };
  const isLong = filter.load || listOf(filter).length > MANY;
  find("");
  return div(
    { class: "stack-tight" },
    radios({
      value: {
        get value() {
          return isNot.value;
        },
        set value(value) {
          isNot.value = value;
          apply();
        },
      },
      label: filter.text,
      isRow: true,
      options: [{ value: false, text: t.of("filter", "is") }, { value: true, text: t.of("filter", "is not") }],
    }),
    isLong && input({
      type: "search",
      class: "input",
      "aria-label": t("Search"),
      "data-autofocus": "",
      oninput: (event) => find(event.target.value),
    }),
    div(
      { class: "choices" },
      each(() => found.value, ({ value }) => value, (get) => {
        const { value } = get.peek();
        return label(
          { class: "check" },
          input({ type: "checkbox", checked: () => chosen.value.includes(value), onchange: () => toggle(value) }),
          span(() => get.value.text),
        );
      }),
    ),
  );
}

const fits = (text, typed) => text.toLowerCase().includes(typed.trim().toLowerCase());

// Options that all are shown keep their order.
function inOrder(options, found) {
  const places = new Map(options.map(({ value }, at) => [String(value), at]));
  return found.toSorted((one, other) => (places.get(one.value) ?? -1) - (places.get(other.value) ?? -1));
}
