// One fixed asset: its terms, its depreciation by year and month, and how it leaves the books.
import { send } from "../../core/api.js";
import { money, month } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { listScreen, neighbours } from "../../core/neighbours.js";
import { notify } from "../../core/notices.js";
import { go } from "../../core/router.js";
import { currency } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { alert } from "../../ui/alert.js";
import { card, more } from "../../ui/card.js";
import { dialog } from "../../ui/dialog.js";
import { facts } from "../../ui/facts.js";
import { factsOf } from "../../ui/fields.js";
import { history } from "../../ui/history.js";
import { pager } from "../../ui/pager.js";
import { pill } from "../../ui/pill.js";
import { editing } from "../../ui/records.js";
import { loaded } from "../../ui/skeleton.js";
import { table } from "../../ui/table.js";
import { entry } from "../journals/entry.js";
import { changingLife, disposing } from "./dispose.js";
import { aboutAssets, disposedFacts, fieldsOf } from "./fields.js";
import { putInUse } from "./use.js";
import { ASSETS, assetState, DISPOSALS, POSTED } from "./words.js";

const { div } = tags;

export default ({ params }) => {
  const asset = resource(`${ASSETS}/${params.id}`);
  const get = () => asset.value;
  return {
    title: () => (get() ? `${get().number} ${get().name}` : ""),
    state: () => get() && assetState(get()),
    back: { href: listScreen(ASSETS, "/assets"), text: t.of("fixed", "Assets") },
    leadsOn: true,
    pager: pager(neighbours(ASSETS, params.id), ({ id }) => `/assets/${id}`),
    actions: () => (get() ? actionsOn(get()) : []),
    body: loaded(asset, () =>
      div(
        { class: "stack document" },
        () => get().warnings.map(({ message }) => alert({ text: message, kind: "warn" })),
        card({}, () => worth(get()), () => factsOf(fieldsOf(get()), get())),
        () => get().disposedOn && gone(get()),
        card(
          { title: t("Depreciation") },
          scheduleOf(() => get().years, { key: "year", text: t("Fiscal year"), cell: ({ year }) => year }),
          more(
            t("By month"),
            scheduleOf(() => get().months, { key: "month", text: t("Month"), cell: (one) => month(one.month) }),
          ),
        ),
      )),
  };
};

const amount = (value) => money(value, currency(), { withCurrency: true });

const worth = (asset) =>
  facts([
    [t("Cost"), amount(asset.cost)],
    [t("Accumulated depreciation"), amount(asset.accumulated)],
    [t("Book value"), amount(asset.bookValue)],
  ]);

const gone = (asset) =>
  card(
    { title: t("Disposal") },
    facts(disposedFacts(asset, DISPOSALS)),
    entry(asset.disposalEntryId, asset.disposalEntryNumber),
  );

const figure = (key, text, isMinor = false) => ({
  key,
  text,
  isMinor,
  isFigure: true,
  place: isMinor ? "meta" : "figure",
  width: "10rem",
  cell: (one) => money(one[key], currency(), { dash: true }),
});

const scheduleOf = (rows, first) =>
  table({
    label: first.text,
    rows,
    key: (one) => one[first.key],
    columns: [
      { ...first, place: "name" },
      {
        key: "state",
        text: t("Status"),
        place: "state",
        width: "8rem",
        cell: ({ isPosted }) => (isPosted ? pill(t("posted"), "good") : null),
      },
      figure("depreciation", t("Depreciation")),
      { ...figure("accumulated", t("Accumulated depreciation"), true), place: undefined },
      figure("bookValue", t("Book value"), true),
    ],
  });

function actionsOn(asset) {
  const can = (action) => asset.can.includes(action);
  const path = `${ASSETS}/${asset.id}`;
  const act = async (verb, done) => {
    await send("POST", `${path}/${verb}`, {}, { version: asset.version });
    changed(ASSETS, ...POSTED);
    notify(done, { kind: "good" });
  };
  const { name, number } = asset;
  return [
    can("activate") && {
      name: t("Put in use"),
      main: true,
      icon: "play",
      run: () => putInUse(asset),
    },
    { name: t("Edit"), key: "e", icon: "pencil", may: "finance.write", run: () => editing(aboutAssets(), asset) },
    can("dispose") && {
      name: t("Dispose"),
      icon: "log-out",
      run: () => dialog({ title: t("Dispose of {name}", { name }), size: "wide", body: disposing(asset) }),
    },
    can("changeLife") && {
      name: t("Change useful life"),
      icon: "timer",
      run: () => dialog({ title: t("Change useful life"), body: changingLife(asset) }),
    },
    can("undoDisposal") && {
      name: t("Undo disposal"),
      icon: "undo-2",
      asks: {
        title: t("Undo the disposal of {number}?", { number }),
        text: t("Its entries are reversed on their own day, and the asset is in use again."),
        figures: [[t("Book value"), amount(asset.bookValue)]],
        verb: t("Undo disposal"),
      },
      run: () => act("dispose/undo", t("{number} is in use.", { number })),
    },
    can("delete") && {
      name: t("Delete"),
      icon: "trash-2",
      danger: true,
      asks: {
        title: t("Delete {name}?", { name }),
        text: t("Nothing is posted for it."),
        verb: t("Delete"),
        danger: true,
      },
      run: async () => {
        await send("DELETE", path, undefined, { version: asset.version });
        await go("/assets");
        changed(ASSETS, "/workspace/home");
      },
    },
    history(asset),
  ];
}
