// A proposed letter, unfolded: its level and its items, which a person may choose; the server says what it then asks for.
import { previewed } from "../../core/preview.js";
import { t, tn } from "../../core/i18n.js";
import { may } from "../../core/session.js";
import { resource } from "../../core/store.js";
import { computed, effect, signal, tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { checkbox, choice } from "../../ui/choice.js";
import { field } from "../../ui/field.js";
import { sumsOf } from "./items.js";
import { amountOf, levelName, LEVELS, RUNS } from "./words.js";

const { a, div, fieldset, legend, li, p, span, ul } = tags;

// `now` is the letter as it stands; `choose(chosen)` keeps what differs from the proposal, with what the server says of it.
export function unfolded(proposed, now, choose, close) {
  const level = signal(now.level);
  const taken = signal(new Set(now.items.map(({ itemId }) => itemId)));
  const ids = () => proposed.items.map(({ itemId }) => itemId).filter((id) => taken.value.has(id));
  const body = () => ({
    contactId: proposed.contactId,
    currency: proposed.currency,
    ...(level.value !== proposed.level && { level: level.value }),
    ...(ids().length < proposed.items.length && { itemIds: ids() }),
  });
  const isProposed = () => level.value === proposed.level && ids().length === proposed.items.length;
  const refusal = signal(null);
  const preview = previewed(
    RUNS,
    () => {
      refusal.value = null;
      return isProposed() || !ids().length ? null : { letters: [body()], dryRun: true };
    },
    (one) => void (refusal.value = one.reason),
  );
  const letter = computed(() => (isProposed() ? proposed : preview.value?.letters[0] ?? null));
  let isFirst = true;
  effect(() => {
    const chosen = isProposed() ? null : { body: body(), letter: letter.value ?? {} };
    if (isFirst) isFirst = false;
    else choose(chosen);
  });
  const problem = () => (ids().length ? refusal.value : t("Choose at least one item."));
  return div(
    { class: "stack" },
    may("finance.write") && levelField(level),
    may("finance.write") && proposed.items.length > 1 ? itemChoice(proposed, taken) : itemList(proposed),
    p({ class: "warn", role: "status" }, problem),
    ul(
      { class: "plain-list" },
      () =>
        sumsOf(letter.value ?? now).map(([label, amount]) =>
          li({ class: "spread soft" }, span(label), span({ class: "figure" }, amount))
        ),
    ),
    div(
      { class: "row" },
      button(t.of("window", "Close"), close, { isSmall: true, autofocus: true }),
      a({ href: `/contacts/${proposed.contactId}` }, proposed.contactName),
    ),
  );
}

function levelField(level) {
  const levels = resource(LEVELS);
  const options = () =>
    (levels.value ?? []).map(({ position, name }) => ({
      value: position,
      text: `${position} · ${levelName(name)}`,
    }));
  return field({ label: t("Level"), name: "level" }, choice({ value: level, name: "level", options }));
}

const itemChoice = (letter, taken) =>
  fieldset(
    { class: "radios", "data-name": "itemIds", tabindex: "-1" },
    legend({ class: "field-label" }, t("Items of the letter")),
    letter.items.map((item) => checkbox({ value: isTaken(item, taken), text: item.number, hint: about(item, letter) })),
  );

const isTaken = ({ itemId }, taken) => ({
  get value() {
    return taken.value.has(itemId);
  },
  set value(isIn) {
    const next = new Set(taken.peek());
    isIn ? next.add(itemId) : next.delete(itemId);
    taken.value = next;
  },
});

const about = (item, letter) =>
  [
    tn("{n} day overdue", "{n} days overdue", item.daysOverdue),
    item.level !== item.lastLevel && t("level {from} → {to}", { from: item.lastLevel, to: item.level }),
    amountOf(item.open, letter),
  ].filter(Boolean).join(" · ");

const itemList = (letter) =>
  ul(
    { class: "plain-list" },
    letter.items.map((item) =>
      li(
        { class: "spread" },
        span(
          item.invoiceId ? a({ href: `/invoices/${item.invoiceId}` }, item.number) : item.number,
          ` · ${tn("{n} day overdue", "{n} days overdue", item.daysOverdue)}`,
          item.level !== item.lastLevel && ` · ${t("level {from} → {to}", { from: item.lastLevel, to: item.level })}`,
        ),
        span({ class: "figure" }, amountOf(item.open, letter)),
      )
    ),
  );
