// What the base promises, tried in a browser: each test throws if a promise is broken.
import { batch, each, onDrop, scope, signal, tags } from "/core/view.js";

const equal = (found, wanted) => {
  const [one, other] = [found, wanted].map((value) => JSON.stringify(value));
  if (one !== other) throw new Error(`${one} is not ${other}`);
};

export const tests = {
  "an element follows signals in its text, attributes and properties"() {
    const [name, isOff] = [signal("Anna"), signal(false)];
    const box = tags.p(
      { class: () => `of-${name.value}`, hidden: isOff.value, "aria-busy": () => String(isOff.value) },
      "Hello ",
      () => name.value,
      false,
      null,
      ["!"],
    );
    const input = tags.input({ value: () => name.value, disabled: () => isOff.value });
    const shown = () => box.outerHTML.replaceAll("<!---->", "");
    equal(shown(), '<p class="of-Anna" aria-busy="false">Hello Anna!</p>');
    batch(() => {
      name.value = "Bo";
      isOff.value = true;
    });
    equal(shown(), '<p class="of-Bo" aria-busy="true">Hello Bo!</p>');
    equal([input.value, input.disabled], ["Bo", true]);
  },
  "text is text, and an address that runs a script is no link"() {
    const probe = "<img src=x onerror=alert(1)>";
    equal(tags.p(probe, () => probe).children.length, 0);
    for (const bad of ["javascript:alert(1)", " JaVaScRiPt:alert(1)", "data:text/html,x", "vbscript:x"]) {
      equal(tags.a({ href: bad }).hasAttribute("href"), false);
    }
    for (const good of ["/invoices/1", "https://example.com", "mailto:a@example.com", "#x"]) {
      equal(tags.a({ href: good }).getAttribute("href"), good);
    }
  },
  "content that changes takes the place of the content before, with what followed signals inside"() {
    const [which, text] = [signal("a"), signal("x")];
    const box = tags.div("<", () => (which.value === "a" ? [tags.b(() => text.value), "1"] : null), ">");
    equal(box.textContent, "<x1>");
    text.value = "y";
    equal(box.textContent, "<y1>");
    which.value = "b";
    equal(box.textContent, "<>");
    equal(text.readers.size, 0);
  },
  "content still changes after an extension has normalized the page"() {
    const [text, names] = [signal(""), signal(["a", "b"])];
    const box = tags.p(
      "Say ",
      () => text.value,
      () => ["x", text.value],
      each(() => names.value, String, (one) => tags.b(() => one.value)),
    );
    box.normalize();
    batch(() => {
      text.value = "no";
      names.value = ["b", "c"];
    });
    box.normalize();
    text.value = "yes";
    equal(box.textContent, "Say yesxyesbc");
    equal(box.querySelectorAll("b").length, 2);
  },
  "rows keep their elements when the list is put in another order"() {
    const items = signal([1, 2, 3, 4, 5].map((id) => ({ id, name: `n${id}` })));
    const box = tags.ul(each(() => items.value, ({ id }) => id, (item) => tags.li(() => item.value.name)));
    const before = new Map([...box.children].map((one) => [one.textContent, one]));
    const orders = [[5, 4, 3, 2, 1], [2, 3, 4, 5, 1], [1, 2, 3, 4, 5], [5, 1, 2, 3, 4], [3, 1], [1, 2, 3]];
    for (const order of orders) {
      const texts = order.map((id) => `n${id}`);
      items.value = order.map((id) => ({ id, name: `n${id}` }));
      equal([...box.children].map((one) => one.textContent), texts);
    }
    equal(box.children[0] === before.get("n1"), true);
    items.value = [{ id: 1, name: "renamed" }];
    equal([box.textContent, box.children[0] === before.get("n1")], ["renamed", true]);
  },
  "a row that moves down moves alone, so that the focus in another stays"() {
    const order = signal([1, 2, 3, 4]);
    const box = tags.div(each(() => order.value, (id) => id, (id) => tags.input({ name: `n${id.peek()}` })));
    document.body.append(box);
    box.querySelector("[name=n3]").focus();
    let moves = 0;
    const watch = new MutationObserver((
      records,
    ) => (moves += records.filter(({ addedNodes }) => addedNodes.length).length));
    watch.observe(box, { childList: true });
    order.value = [2, 3, 4, 1];
    moves += watch.takeRecords().filter(({ addedNodes }) => addedNodes.length).length;
    equal(document.activeElement.name, "n3");
    equal(moves <= 2, true);
    box.remove();
  },
  "a row that goes is dropped, and rows never remake each other"() {
    const items = signal([1, 2]);
    const [made, gone] = [[], []];
    tags.ul(
      each(() => items.value, (id) => id, (id) => {
        made.push(id.peek());
        onDrop(() => gone.push(id.peek()));
        return tags.li();
      }),
    );
    items.value = [2, 3];
    items.value = [3];
    equal([made, gone], [[1, 2, 3], [1, 2]]);
  },
  "making and dropping a screen 200 times leaves nothing behind"() {
    const [items, name, host] = [signal([1, 2, 3]), signal("x"), tags.div()];
    for (let round = 0; round < 200; round += 1) {
      const { value, drop } = scope(() =>
        tags.section(
          each(() => items.value, (id) => id, (id) => tags.p(() => `${name.value}${id.value}`)),
          () => name.value,
        )
      );
      host.replaceChildren(value);
      drop();
    }
    equal([items.readers.size, name.readers.size, host.childNodes.length], [0, 0, 1]);
  },
};
