// One's notices, the newest first; each leads to its record.
import { address } from "../../core/api.js";
import { moment } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { parametersOf } from "../../core/router.js";
import { list } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { empty } from "../../ui/empty.js";
import { filterChips } from "../../ui/filters.js";
import { pill } from "../../ui/pill.js";
import { table } from "../../ui/table.js";
import { mark, readThrough } from "./bell.js";
import { hrefOf, KINDS, NOTICES } from "./words.js";

export default () => {
  const notices = list(() => address(NOTICES, parametersOf(["kind", "isRead"])));
  const hasUnread = () => (notices.items ?? []).some(({ readAt }) => !readAt);
  return {
    title: t("Notices"),
    actions: [{
      name: t("All read"),
      key: "a",
      icon: "check",
      isShown: hasUnread,
      run: () => readThrough(notices.items[0].id),
    }],
    body: tags.div(
      { class: "stack" },
      filterChips(chips()),
      table({
        label: t("Notices"),
        page: "notices",
        list: notices,
        key: ({ id }) => id,
        href: hrefOf,
        columns,
        actions: rowActions,
        empty: empty(t("No notices.")),
      }),
    ),
  };
};

const columns = [
  {
    key: "text",
    text: t("Notice"),
    place: "name",
    cell: ({ text, readAt }) => (readAt ? text : tags.strong(text)),
  },
  {
    key: "count",
    text: t("Times"),
    isMinor: true,
    width: "6rem",
    cell: ({ count }) => (count > 1 ? `${count} ×` : ""),
  },
  { key: "when", text: t("When"), place: "meta", width: "11rem", cell: ({ createdAt }) => moment(createdAt) },
  {
    key: "state",
    text: t("Status"),
    place: "state",
    width: "7rem",
    cell: ({ readAt }) => (readAt ? "" : pill(t("unread"), "info")),
  },
];

const rowActions = ({ id, readAt }) => [
  readAt
    ? { name: t("Mark as unread"), icon: "eye-off", run: () => mark("unread", [id]) }
    : { name: t("Mark as read"), key: "e", icon: "check", run: () => mark("read", [id]) },
];

const chips = () => [
  {
    key: "isRead",
    text: t("Status"),
    options: [{ value: "false", text: t("unread") }, { value: "true", text: t("read") }],
  },
  {
    key: "kind",
    text: t.of("notice", "Kind"),
    options: Object.entries(KINDS).map(([value, [text]]) => ({ value, text: text() })),
  },
];
