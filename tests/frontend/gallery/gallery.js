// All components in all states, for tests and for people to look at. The figures are made up.
import { day, duration, money } from "/core/format.js";
import { notify } from "/core/notices.js";
import { addDays } from "/core/parse.js";
import { scope, signal, tags } from "/core/view.js";
import { alert, problem } from "/ui/alert.js";
import { avatar } from "/ui/avatar.js";
import { board } from "/ui/board.js";
import { button, iconButton, link } from "/ui/button.js";
import { card, more } from "/ui/card.js";
import { barChart, lineChart } from "/ui/chart.js";
import { checkbox, choice, radios, toggle } from "/ui/choice.js";
import { combobox } from "/ui/combobox.js";
import { dateField } from "/ui/date.js";
import { confirm, dialog, panel } from "/ui/dialog.js";
import { empty } from "/ui/empty.js";
import { fieldErrors } from "/ui/errors.js";
import { facts } from "/ui/facts.js";
import { field } from "/ui/field.js";
import { figureCard, figures, meter } from "/ui/figure.js";
import { filterChips } from "/ui/filters.js";
import { form } from "/ui/form.js";
import { icon } from "/ui/icon.js";
import { searchField, textArea, textInput } from "/ui/input.js";
import { keyHint } from "/ui/key.js";
import { lineGrid, lineList } from "/ui/lines.js";
import { menu } from "/ui/menu.js";
import { monthCalendar } from "/ui/month.js";
import { durationInput, moneyInput, numberInput } from "/ui/number.js";
import { pageHead } from "/ui/page.js";
import { pager } from "/ui/pager.js";
import { pill } from "/ui/pill.js";
import { loaded, skeleton } from "/ui/skeleton.js";
import { steps } from "/ui/steps.js";
import { table } from "/ui/table.js";
import { tabs } from "/ui/tabs.js";
import { toastRegion } from "/ui/toast.js";
import { waitingList } from "/ui/waiting.js";
import { weekGrid } from "/work/time/grid.js";

const { div, p, span } = tags;
const group = (...buttons) => div({ class: "row" }, buttons); // buttons that belong together
const done = signal([]); // what was called, for the tests
const note = (text) => void (done.value = [...done.peek(), text]);
window.done = () => done.peek();

const NAMES = [
  "Hansen & Söhne",
  "Yoga am Kanal",
  "Tidal Energy Cooperative of the North Sea Coast",
  "Café Lindenhof",
  "Okafor Logistics",
  "Mei Takahashi",
];
const customers = NAMES.map((text, at) => ({
  value: String(at + 1),
  text,
  more: ["Hamburg · 1,242.24 overdue", "Berlin", "Cuxhaven", "Leipzig", "Lagos", "Kyoto"][at],
  figure: at ? null : "1,242.24",
}));
const find = async (typed) => customers.filter(({ text }) => text.toLowerCase().includes(typed.toLowerCase()));
const STATES = [["overdue 5 days", "bad"], ["open", "neutral"], ["paid", "good"], ["draft", "info"], [
  "part paid",
  "warn",
]];

const invoice = (at) => ({
  id: String(at),
  number: `INV-2026-${String(at).padStart(5, "0")}`,
  customer: NAMES[at % 5],
  date: addDays("2026-11-21", -(at % 300)),
  total: `${(at * 7919) % 20000}.${String(at % 100).padStart(2, "0")}`,
  state: STATES[at % 5],
});

function buttons() {
  return card(
    { title: "Buttons" },
    group(
      button("Save", () => note("save"), { kind: "main", key: "Control+s" }),
      button("Book payment", () => note("book"), { icon: "banknote", key: "p" }),
      button("Void", () => note("void"), { kind: "danger" }),
      button("Add", () => note("add"), { kind: "plain", icon: "plus" }),
    ),
    group(
      button("Off", null, { isOff: true }),
      button("Main, off", null, { kind: "main", isOff: true }),
      button("Small", null, { isSmall: true }),
      iconButton("x", "Close this", () => {}),
      link("New invoice", "#new", { icon: "plus" }),
      button("Slow", () => new Promise((resolve) => setTimeout(resolve, 400)), {}),
    ),
    group(
      menu({
        items: () => [
          {
            name: "Edit",
            icon: "pencil",
            key: "e",
            run: () => note("edit"),
          },
          {
            name: "Print",
            icon: "printer",
            run: () => note("print"),
          },
          null,
          { name: "Delete", danger: true, icon: "trash-2", run: () => note("delete") },
        ],
      }),
      menu({
        label: "Period",
        items: [{ name: "This month", run: () => note("month") }, { name: "This year", run: () => note("year") }],
      }),
      keyHint("Control+Enter"),
      keyHint("g i"),
    ),
    group(
      pill("neutral"),
      pill("paid", "good"),
      pill("part paid", "warn"),
      pill("overdue 5 days", "bad"),
      pill("draft", "info"),
      avatar("Mei Takahashi"),
      avatar("Rui Carvalho"),
      icon("tree-palm", "Leave"),
    ),
  );
}

const refusal = {
  message: "The invoice was not taken.",
  details: [{ field: "dueDate", message: "Due is before the date of the invoice." }, {
    field: "email",
    message: "This is not an address.",
  }, { field: "other", message: "Nobody may do that." }],
};

function typing() {
  const values = {
    name: signal("Hansen"),
    notes: signal(""),
    price: signal("1242.5"),
    quantity: signal("7.5"),
    time: signal(450),
    due: signal("2026-12-05"),
    customer: signal("2"),
    tax: signal("19"),
    email: signal("nobody@"),
    kind: signal("b"),
    on: signal(true),
    agree: signal(false),
  };
  window.values = values;
  const element = form(
    {
      label: "Example",
      submit: "Send",
      cancel: () => note("cancel"),
      run: async () => {
        throw { ...refusal, status: 422 };
      },
      draft: { isRestored: signal(true), savedAt: signal("2026-11-21T13:02:00Z"), clear: () => note("discard") },
    },
    div(
      { class: "fields" },
      field({ label: "Name", name: "name" }, textInput({ value: values.name })),
      field(
        { label: "Email", name: "email", isOptional: true, hint: "Invoices are sent there." },
        textInput({ value: values.email, type: "email" }),
      ),
      field(
        { label: "Customer", name: "contactId" },
        combobox({
          value: values.customer,
          options: find,
          shown: (value) => customers.find((one) => one.value === value)?.text,
          create: async (typed) => ({ value: `new ${typed}`, text: typed }),
          choose: (option) => note(`customer ${option?.value}`),
          isOptional: true,
        }),
      ),
      field({ label: "Due", name: "dueDate" }, dateField({ value: values.due, from: () => "2026-11-21" })),
      field(
        { label: "Price", name: "price" },
        moneyInput({ value: values.price, currency: "EUR", withCurrency: true }),
      ),
      field({ label: "Quantity", name: "quantity" }, numberInput({ value: values.quantity, unit: "h" })),
      field({ label: "Time", name: "minutes" }, durationInput({ value: values.time })),
      field(
        { label: "Tax", name: "tax" },
        choice({
          value: values.tax,
          options: [{ value: "19", text: "19 %" }, { value: "7", text: "7 %" }],
          empty: "None",
        }),
      ),
      field({ label: "Notes", name: "notes", isOptional: true, isWide: true }, textArea({ value: values.notes })),
    ),
    radios({
      value: values.kind,
      name: "kind",
      label: "Kind",
      isRow: true,
      options: [{ value: "a", text: "Goods" }, { value: "b", text: "Services", hint: "By the hour" }],
    }),
    toggle({ value: values.on, name: "on", text: "Remind by mail", hint: "Every Monday." }),
    checkbox({ value: values.agree, name: "agree", text: "Lock the period" }),
    more(
      "Discount, notes",
      field({ label: "Discount", name: "discount" }, numberInput({ value: signal("5"), unit: "%" })),
    ),
  );
  return card({ title: "Typing" }, element);
}

function errors() {
  const element = form(
    { label: "Refused", run: async () => {} },
    div(
      { class: "fields" },
      field({ label: "Due", name: "dueDate" }, dateField({ value: signal("2026-10-01") })),
      field({ label: "Email", name: "email" }, textInput({ value: signal("nobody@") })),
    ),
  );
  fieldErrors(element, refusal);
  return card({ title: "Refused" }, element);
}

function lists() {
  const selected = signal(new Set());
  const sort = signal("-date");
  const status = signal("open");
  const customer = signal("");
  const rows = signal(Array.from({ length: 8 }, (_, at) => invoice(65 - at)));
  window.rows = rows;
  window.selected = selected;
  const columns = [
    { key: "number", text: "Number", place: "meta", cell: (row) => row.number, sort: "number" },
    { key: "customer", text: "Customer", place: "name", cell: (row) => row.customer },
    { key: "date", text: "Date", place: "meta", cell: (row) => day(row.date), sort: "date" },
    { key: "due", text: "Due", isMinor: true, cell: (row) => day(addDays(row.date, 14)) },
    {
      key: "total",
      text: "Total",
      isFigure: true,
      cell: (row) => money(row.total, "EUR"),
      sum: () => "80,528.00",
      sort: "total",
    },
    { key: "open", text: "Open", place: "figure", cell: (row) => money(row.total, "EUR"), sum: () => "68,120.00" },
    { key: "state", text: "State", place: "state", cell: (row) => pill(...row.state) },
  ];
  const editor = (row, close) =>
    form(
      {
        label: "Payment",
        run: async () => {
          note(`paid ${row.id}`);
          close();
        },
      },
      div(
        { class: "row" },
        field({ label: "Amount", name: "amount" }, moneyInput({ value: signal(row.total) })),
        field({ label: "Date", name: "date" }, dateField({ value: signal("2026-11-21") })),
        button("Book", null, { type: "submit", kind: "main" }),
      ),
    );
  return div(
    { class: "stack" },
    pageHead({
      title: "Invoices",
      state: pill("unsent", "info"),
      back: { href: "#home", text: "Home" },
      pager: pager(signal({ items: [{ id: 1 }, { id: 2 }], at: 1, total: "2" }), ({ id }) => `#${id}`),
      actions: [
        { name: "New invoice", key: "n", main: true, run: () => note("new") },
        { name: "From time", run: () => note("time") },
        { name: "Export", icon: "download", run: () => note("export") },
        { name: "Import", run: () => {} },
        {
          name: "Delete drafts",
          danger: true,
          asks: { title: "Delete 2 drafts?", text: "They are gone for good." },
          run: () => note("deleted"),
        },
      ],
    }),
    div(
      { class: "spread" },
      tabs({
        label: "States",
        items: () => [
          { key: "all", text: "All", href: "#all" },
          { key: "draft", text: "Draft", count: 2, href: "#draft" },
          { key: "open", text: "Open", count: 9, href: "#open" },
          { key: "overdue", text: "Overdue", count: 4, href: "#overdue" },
          { key: "paid", text: "Paid", href: "#paid" },
        ],
        current: () => status.value,
      }),
      searchField({ value: signal("") }),
    ),
    filterChips([{
      key: "contactId",
      text: "Customer",
      load: find,
      shown: (value) => customers.find((one) => one.value === value)?.text,
      value: () => customer.value,
      choose: (value) => void (customer.value = value),
    }, {
      key: "period",
      text: "Period",
      options: [{ value: "month", text: "This month" }, { value: "year", text: "This year" }],
      value: () => "month",
      choose: () => {},
    }, { key: "from", text: "From", kind: "day", value: () => null, choose: () => {} }]),
    table({
      label: "Invoices",
      rows: () => rows.value,
      key: (row) => row.id,
      href: (row) => `#invoice-${row.id}`,
      columns,
      selected,
      sort: { value: () => sort.value, choose: (by) => void (sort.value = by) },
      bulk: [{ name: "Issue", run: (chosen) => note(`issue ${chosen.map(({ id }) => id)}`) }, {
        name: "Delete",
        danger: true,
        run: () => {},
      }],
      actions: (row) => [{ name: "Copy", key: "c", icon: "copy", run: () => note(`copy ${row.id}`) }],
      editor: { key: "p", name: "Payment", make: editor },
      counted: (n) => `${n} open`,
    }),
    table({
      label: "Nothing",
      rows: () => [],
      key: () => "",
      columns,
      empty: empty("No invoice yet.", button("New invoice", () => {}, { kind: "main" })),
    }),
  );
}

function lines() {
  const list = lineList({
    blank: () => ({ description: "", quantity: "1", unitPrice: null, tax: "19" }),
    rows: [{ description: "Consulting", quantity: "7.5", unitPrice: "120.00", tax: "19" }, {
      description: "Travel",
      quantity: "1",
      unitPrice: "89.90",
      tax: "19",
    }, {}],
  });
  window.lines = list;
  const grid = lineGrid({
    label: "Lines",
    name: "lines",
    lines: list,
    addText: "Line",
    columns: [
      {
        key: "description",
        text: "Description",
        width: "minmax(9rem, 1fr)",
        control: (cell) =>
          combobox({
            ...cell,
            options: [{ value: "Consulting", text: "Consulting" }, { value: "Travel", text: "Travel" }],
            create: (typed) => ({ value: typed, text: typed }),
            shown: (value) => value,
          }),
      },
      { key: "quantity", text: "Quantity", isFigure: true, width: "6rem", control: numberInput },
      { key: "unitPrice", text: "Price", isFigure: true, width: "8rem", control: moneyInput },
      {
        key: "tax",
        text: "Tax",
        width: "6rem",
        control: (cell) => choice({ ...cell, options: [{ value: "19", text: "19 %" }, { value: "7", text: "7 %" }] }),
      },
      {
        key: "net",
        text: "Net",
        isFigure: true,
        width: "6rem",
        show: (line) => () => (line.cells.unitPrice.value ? money("900.00", "EUR") : ""),
      },
    ],
    detail: () => field({ label: "Account", name: "account" }, textInput({ value: signal("4400 Sales") })),
  });
  return card({ title: "Lines" }, grid);
}

function shown() {
  const failing = {
    value: ["kept"],
    problem: { message: "The server does not answer. What you type is kept." },
    isLoading: false,
    renew: () => note("again"),
  };
  return div(
    { class: "columns" },
    card(
      { title: "Notices" },
      alert({
        kind: "warn",
        text: "Rui Carvalho has no bank account.",
        actions: [button("Open", () => {}, { isSmall: true })],
      }),
      alert({ kind: "info", text: "The period is locked until 31 October." }),
      alert({ kind: "good", text: "The books balance." }),
      problem(() => null),
      loaded(failing, (get) => p(() => get().join())),
    ),
    card(
      { title: "Facts", actions: [button("Edit", () => {}, { kind: "plain", isSmall: true })] },
      facts([["Date", day("2026-11-02")], ["Due", day("2026-11-16")], ["Their reference", "PO-7"], ["Nothing", null]]),
      meter({ label: "Paid", part: "500.00", whole: "1242.24", text: "742.24 of 1,242.24 open" }),
      skeleton({ rows: 3 }),
      empty("Not paid yet."),
    ),
    card(
      { title: "Waiting for you (2)" },
      waitingList({
        label: "Waiting",
        items: () => [{
          key: 1,
          text: "Mei Takahashi · leave 1–5 Dec, 5 days",
          more: "Rui away too",
          href: "#leave",
          actions: [{ name: "Approve", run: () => note("approved") }, { name: "Reject", run: () => {} }],
        }, {
          key: 2,
          text: "Hansen stores",
          more: "42 h unbilled · 5,460.00",
          actions: [{ name: "Bill", run: () => {} }],
        }],
      }),
      waitingList({ items: () => [], empty: "Nothing waits for you." }),
    ),
  );
}

const MONTHS = ["Dec", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov"];
const points = MONTHS.map((text, at) => ({
  text,
  values: [String(4000 + ((at * 3571) % 6000)), String(3000 + ((at * 2111) % 5000))],
  shown: [money(String(4000 + ((at * 3571) % 6000)), "EUR"), money(String(3000 + ((at * 2111) % 5000)), "EUR")],
  href: `#${text}`,
}));

function charts() {
  return div(
    { class: "stack" },
    figures(
      figureCard({ label: "Bank", value: "175,472.39", href: "#bank" }),
      figureCard({ label: "Due to us", value: "68,120.00", note: "9 invoices" }),
      figureCard({ label: "Overdue", value: "12,408.10", note: "4 invoices, 12 days", kind: "bad", href: "#overdue" }),
      figureCard({ label: "Invoiced, 12 months", value: "97,333.00" }),
    ),
    div(
      { class: "columns" },
      card({}, barChart({ label: "Invoiced and paid", series: ["Invoiced", "Paid"], points })),
      card(
        {},
        lineChart({
          label: "Balance of the bank",
          series: ["Balance"],
          points: points.map((one) => ({ ...one, values: [one.values[0]], shown: [one.shown[0]] })),
        }),
      ),
    ),
    steps({ label: "Payroll", items: ["Check", "Review", "Approve", "Pay"], current: () => 1 }),
  );
}

function times() {
  const week = Array.from(
    { length: 7 },
    (_, at) => ({
      iso: addDays("2026-11-16", at),
      text: ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"][at],
      note: at === 0 ? "half a day off" : null,
      isOff: at > 4,
      isToday: at === 4,
    }),
  );
  const rows = signal([{ key: "a", title: "HANSEN-6 Signage manual", href: "#6", more: "Hansen stores" }, {
    key: "b",
    title: "TIDAL-13 Quote panels",
    href: "#13",
  }]);
  const logs = signal({ "a 2026-11-16": 120, "a 2026-11-17": 450, "b 2026-11-18": 480 });
  const cell = (row, { iso }) => ({
    minutes: logs.value[`${row.key} ${iso}`] ?? null,
    isFixed: row.key === "b" && iso === "2026-11-18",
    note: iso === "2026-11-17" ? "With Rui" : null,
  });
  const save = async (row, { iso }, minutes) => {
    note(`${row.key} ${iso} ${minutes}`);
    logs.value = { ...logs.peek(), [`${row.key} ${iso}`]: minutes };
  };
  const month = signal("2026-11");
  return div(
    { class: "stack" },
    card(
      { title: "Week" },
      weekGrid({
        label: "Week",
        days: () => week,
        rows: () => rows.value,
        cell,
        save,
        open: (row, { iso }) => note(`open ${row.key} ${iso}`),
        note: (row, { iso }) => note(`note ${row.key} ${iso}`),
        sumOfRow: () => duration(570),
        sumOfDay: () => duration(120),
        sum: () => "21:30",
        foot: button("Task", () => {}, { kind: "plain", icon: "plus", isSmall: true }),
      }),
    ),
    card(
      { title: "Month" },
      monthCalendar({
        month,
        marks: (
          iso,
        ) => (iso.endsWith("-12")
          ? [{ text: "Mei, leave", kind: "info" }, { text: "Rui, ill", kind: "warn" }]
          : iso === "2026-11-21"
          ? [{ text: "8:00", kind: "good" }]
          : []),
        choose: (iso) => note(iso),
      }),
    ),
  );
}

function tasks() {
  const columns = [["todo", "To do"], ["doing", "In progress"], ["review", "Review"], ["blocked", "Blocked"], [
    "done",
    "Done",
  ]];
  const all = signal([
    { id: "9", column: "todo", title: "Lighting plan" },
    { id: "10", column: "todo", title: "Order the panels for the two shop windows" },
    { id: "6", column: "doing", title: "Signage manual", who: "Priya Raman" },
    { id: "7", column: "doing", title: "Colours" },
  ]);
  window.tasks = all;
  const cards = (column) => all.value.filter((task) => task.column === column);
  const move = async (task, column, index) => {
    const others = all.peek().filter(({ id }) => id !== task.id);
    const before = others.filter((one) => one.column === column)[index];
    const at = before ? others.indexOf(before) : others.length;
    all.value = others.toSpliced(at, 0, { ...task, column });
  };
  return board({
    label: "Tasks",
    columns: () => columns.map(([key, text]) => ({ key, text })),
    cards,
    key: ({ id }) => id,
    name: ({ id }) => `HANSEN-${id}`,
    move,
    card: (get) =>
      div(
        { class: "stack-tight" },
        tags.a({ href: `#task-${get().id}` }, () => `HANSEN-${get().id} ${get().title}`),
        div({ class: "row small soft" }, day("2026-11-28"), () => (get().who ? avatar(get().who) : null)),
      ),
    foot: (
      column,
    ) => (column === "todo" ? button("Task", () => {}, { kind: "plain", icon: "plus", isSmall: true }) : null),
  });
}

function floating() {
  return card(
    { title: "Floating" },
    group(
      button("Dialog", () =>
        void dialog({
          title: "New contact",
          body: () =>
            form(
              { label: "Contact", run: async () => {} },
              field({ label: "Name", name: "who" }, textInput({ value: signal("") })),
              field({ label: "Country", name: "country" }, combobox({ value: signal(null), options: customers })),
            ),
          actions: (
            close,
          ) => [button("Cancel", () => close()), button("Create", () => close("made"), { kind: "main" })],
        }).then((answer) => note(`dialog ${answer}`))),
      button(
        "Confirm",
        () =>
          void confirm({
            title: "Void payment PAY-131?",
            text: "The invoice is open again.",
            figures: [["Amount", "500.00 EUR"], ["Invoice", "INV-2026-00064"]],
            verb: "Void payment",
            danger: true,
          }).then((answer) => note(`confirm ${answer}`)),
      ),
      button(
        "Panel",
        () =>
          void panel({
            title: "HANSEN-6 Signage manual",
            body: () =>
              div(
                { class: "stack" },
                facts([["Assignee", "Mei Takahashi"], ["Due", "28 Nov"]]),
                field({ label: "Comment", name: "comment" }, textArea({ value: signal("") })),
              ),
          }),
      ),
      button("Toast", () => void notify("Moved to Done.", { undo: () => note("undo") })),
      button("Refusal", () => void notify("The period is locked.", { kind: "bad" })),
    ),
  );
}

function place(name, mark, isHere) {
  return tags.a(
    { href: `#${name}`, class: "nav-link", "aria-current": isHere ? "page" : null },
    icon(mark),
    span(name),
  );
}

// The shell's classes, as the application has them.
function shell(content) {
  return div(
    { class: "shell" },
    tags.a({ class: "skip", href: "#main" }, "Skip to the content"),
    tags.header(
      { class: "shell-header" },
      tags.a(
        { class: "brand", href: "#" },
        tags.img({ src: "/icon.svg", alt: "", width: "24", height: "24" }),
        span({ class: "brand-name" }, "Harbour Studio"),
      ),
      tags.button(
        { type: "button", class: "find", "aria-label": "Find or do" },
        icon("search"),
        span("Find or do"),
        keyHint("Control+k"),
      ),
      div(
        { class: "shell-tools" },
        tags.button({ type: "button", class: "user-button", "aria-label": "Mei Takahashi" }, avatar("Mei Takahashi")),
      ),
    ),
    tags.nav(
      { class: "sidebar", "aria-label": "Places" },
      div({ class: "nav-group" }, place("Home", "house"), place("Me", "user")),
      div(
        { class: "nav-group" },
        place("Invoices", "file-text", true),
        place("Payments", "banknote"),
        place("Contacts", "contact"),
      ),
    ),
    tags.main({ class: "main", id: "main" }, div({ class: "page" }, content)),
    tags.nav(
      { class: "bottombar", "aria-label": "Places on a phone" },
      place("Home", "house"),
      place("Me", "user"),
      place("Time", "clock"),
      place("Invoices", "file-text", true),
      place("More", "ellipsis"),
    ),
    toastRegion(),
  );
}

// A list of 10,000, read 200 at a time; the rows of an `uneven` one are of one to four lines.
function many() {
  const isUneven = location.search.includes("uneven");
  const items = signal(Array.from({ length: 200 }, (_, at) => invoice(at + 1)));
  window.many = items;
  const more = () =>
    void (items.value = [
      ...items.peek(),
      ...Array.from({ length: 200 }, (_, at) => invoice(items.peek().length + at + 1)),
    ]);
  const found = {
    get items() {
      return items.value;
    },
    total: location.search.includes("uncounted") ? null : 10000,
    get hasMore() {
      return items.value.length < 10000;
    },
    held: new Set(),
    path: "/many",
    problem: null,
    isLoading: false,
    more,
    renew: () => {},
  };
  return div(
    { class: "stack" },
    tags.h1({ tabindex: "-1" }, "Many"),
    table({
      label: "Many",
      list: found,
      key: (row) => row.id,
      href: (row) => `#invoice-${row.id}`,
      ...(location.search.includes("chosen") && { selected: signal(new Set()), bulk: [] }),
      columns: [{
        key: "number",
        text: "Number",
        place: "name",
        cell: (row) =>
          isUneven ? tags.span(Array.from({ length: 1 + row.id % 4 }, () => tags.div(row.number))) : row.number,
      }, { key: "total", text: "Total", place: "figure", cell: (row) => money(row.total, "EUR") }],
      counted: (n, { n: words } = {}) => `${words ?? n} rows`,
    }),
  );
}

const PARTS = { lists, lines, typing, errors, buttons, shown, charts, times, tasks, floating, many };
const asked = new URLSearchParams(location.search).get("parts")?.split(",");
const names = asked ?? Object.keys(PARTS).filter((name) => name !== "many");
const scheme = new URLSearchParams(location.search).get("scheme");
if (scheme) document.documentElement.dataset.scheme = scheme;
const told = () =>
  [
    ...done.value,
    ...Object.entries(window.values ?? {}).map(([name, { value }]) => `${name}=${value}`),
    window.many ? `rows=${window.many.value.length}` : "",
    window.tasks ? `order=${window.tasks.value.map(({ id }) => id)}` : "",
  ].join("; ");
const heading = asked && !asked.includes("lists") && !asked.includes("many") ? tags.h1("Components") : null;
const made = scope(() =>
  shell([heading, names.map((name) => PARTS[name]()), tags.output({ id: "told", hidden: true }, told)])
);
document.body.append(made.value);
