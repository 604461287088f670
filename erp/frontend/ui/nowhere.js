// Shown for an address without a screen, or one that someone may not see.
import { t } from "../core/i18n.js";
import { session } from "../core/session.js";
import { tags } from "../core/view.js";
import { card } from "./card.js";
import { empty } from "./empty.js";
import { link } from "./button.js";

const { div, h1 } = tags;

export const nowhere = () => {
  const says = empty(
    t("No page at this address, or your role cannot see it."),
    link(t("Go to the start page"), "/"),
  );
  if (session.peek()?.workspace) return { title: t("Page not found"), body: div({ class: "stack" }, says) };
  return {
    title: t("Page not found"),
    isBare: true,
    body: div({ class: "narrow" }, card({}, h1({ tabindex: "-1" }, t("Page not found")), says)),
  };
};
