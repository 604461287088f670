// What the base promises, tried in a browser: each test throws if a promise is broken.
import { batch, computed, each, effect, listen, onDrop, scope, signal, tags } from "/core/view.js";

const equal = (found, wanted) => {
  const [one, other] = [found, wanted].map((value) => JSON.stringify(value));
  if (one !== other) throw new Error(`${one} is not ${other}`);
};

async function reported(work) {
  const errors = [];
  const note = (event) => {
    event.preventDefault();
    errors.push(event.error?.message ?? event.message);
  };
  addEventListener("error", note);
  await work();
  removeEventListener("error", note);
  return errors;
}

export const tests = {
  "a computed value is worked out once for a change of two things it depends on"() {
    const a = signal(1);
    const left = computed(() => a.value + 1);
    const right = computed(() => a.value * 2);
    let runs = 0;
    const sum = computed(() => (runs += 1) && left.value + right.value);
    const seen = [];
    effect(() => void seen.push(sum.value));
    a.value = 2;
    equal(seen, [4, 7]);
    equal(runs, 2);
  },
  "a computed value that stays the same wakes nobody"() {
    const n = signal(1);
    const isEven = computed(() => n.value % 2 === 0);
    let runs = 0;
    effect(() => void (isEven.value, (runs += 1)));
    n.value = 3;
    n.value = 5;
    equal(runs, 1);
    n.value = 6;
    equal(runs, 2);
  },
  "a computed value that nobody reads is not worked out"() {
    const n = signal(1);
    let runs = 0;
    const twice = computed(() => (runs += 1) && n.value * 2);
    n.value = 2;
    equal(runs, 0);
    equal(twice.value, 4);
    n.value = 3;
    equal([twice.value, runs], [6, 2]);
  },
  "what is no longer read is no longer followed"() {
    const [isShort, short, long] = [signal(true), signal("a"), signal("b")];
    let runs = 0;
    effect(() => void ((isShort.value ? short : long).value, (runs += 1)));
    isShort.value = false;
    short.value = "c";
    equal(runs, 2);
    long.value = "d";
    equal(runs, 3);
  },
  "several changes in a batch run an effect once"() {
    const [a, b] = [signal(1), signal(2)];
    const seen = [];
    effect(() => void seen.push(a.value + b.value));
    batch(() => {
      a.value = 10;
      b.value = 20;
    });
    equal(seen, [3, 30]);
  },
  "a value that depends on itself is caught"() {
    let other;
    const one = computed(() => other.value + 1);
    other = computed(() => one.value + 1);
    let message = null;
    try {
      one.value;
    } catch (error) {
      message = error.message;
    }
    equal(message, "A value depends on itself.");
  },
  async "effects that change each other without end are stopped and reported"() {
    const [a, b] = [signal(0), signal(0)];
    const errors = await reported(() => {
      effect(() => void (b.value = a.value + 1));
      effect(() => void (a.value = b.value + 1));
    });
    equal(errors.at(-1), "Uncaught Error: Effects change each other without end.".replace("Uncaught Error: ", ""));
  },
  "a computed value must not change a signal"() {
    const n = signal(0);
    const bad = computed(() => (n.value = 1));
    let message = null;
    try {
      bad.value;
    } catch (error) {
      message = error.message;
    }
    equal(message, "A computed value must not change a signal.");
  },
  "an effect that changes what it has read runs again, until it is content"() {
    const n = signal(1);
    effect(() => {
      if (n.value < 5) n.value += 1;
    });
    equal(n.peek(), 5);
  },
  async "an effect that throws stops no other, and runs again after the next change"() {
    const n = signal(0);
    const seen = [];
    const errors = await reported(() => {
      effect(() => {
        if (n.value === 1) throw new Error("one");
        seen.push(`first ${n.value}`);
      });
      effect(() => void seen.push(`second ${n.value}`));
      n.value = 1;
      n.value = 2;
    });
    equal(errors, ["one"]);
    equal(seen, ["first 0", "second 0", "second 1", "first 2", "second 2"]);
  },
  "a computed value that throws says so to all who read it, and recovers"() {
    const n = signal(0);
    const half = computed(() => {
      if (n.value === 0) throw new Error("nothing");
      return 1 / n.value;
    });
    const seen = [];
    effect(() => {
      try {
        seen.push(half.value);
      } catch (error) {
        seen.push(error.message);
      }
    });
    n.value = 2;
    equal(seen, ["nothing", 0.5]);
  },
  "parents run before children, and drop them"() {
    const [isShown, text] = [signal(true), signal("a")];
    const seen = [];
    effect(() => {
      seen.push(`parent ${isShown.value}`);
      if (isShown.value) effect(() => void seen.push(`child ${text.value}`));
    });
    batch(() => {
      text.value = "b";
      isShown.value = false;
    });
    text.value = "c";
    equal(seen, ["parent true", "child a", "parent false"]);
  },
  "what an effect returns, and what it leaves to be undone, is done before its next run and when it is dropped"() {
    const n = signal(0);
    const seen = [];
    const drop = effect(() => {
      const now = n.value;
      onDrop(() => seen.push(`left ${now}`));
      return () => seen.push(`returned ${now}`);
    });
    n.value = 1;
    equal(seen, ["returned 0", "left 0"]);
    drop();
    n.value = 2;
    equal(seen.slice(2), ["returned 1", "left 1"]);
  },
  "dropping a scope drops all within, listeners too"() {
    const [n, seen, target] = [signal(0), [], new EventTarget()];
    const { drop } = scope(() => {
      effect(() => void seen.push(n.value));
      scope(() => effect(() => void seen.push(n.value * 10)));
      listen(target, "ping", () => seen.push("ping"));
    });
    target.dispatchEvent(new Event("ping"));
    drop();
    n.value = 1;
    target.dispatchEvent(new Event("ping"));
    equal(seen, [0, 0, "ping"]);
    equal(n.readers.size, 0);
  },
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
    equal(box.outerHTML, '<p class="of-Anna" aria-busy="false">Hello Anna!</p>');
    batch(() => {
      name.value = "Bo";
      isOff.value = true;
    });
    equal(box.outerHTML, '<p class="of-Bo" aria-busy="true">Hello Bo!</p>');
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
  "any change to any graph gives what working it out afresh gives"() {
    let seed = 7;
    const random = (below) => (seed = (seed * 16807) % 2147483647) % below;
    for (let round = 0; round < 50; round += 1) {
      const sources = Array.from({ length: 4 }, () => signal(random(10)));
      const rules = [];
      const nodes = [...sources];
      for (let at = 0; at < 12; at += 1) {
        const [one, other, kind] = [random(nodes.length), random(nodes.length), random(3)];
        rules.push([one, other, kind]);
        const [first, second] = [nodes[one], nodes[other]];
        nodes.push(
          computed(() => (kind === 0
            ? first.value + second.value
            : kind === 1
            ? Math.max(first.value, second.value)
            : first.value % 2
            ? second.value
            : 0)
          ),
        );
      }
      const seen = nodes.map(() => null);
      nodes.forEach((one, at) => effect(() => void (seen[at] = one.value)));
      for (let change = 0; change < 10; change += 1) {
        sources[random(4)].value = random(10);
        const plain = sources.map((one) => one.peek());
        for (const [one, other, kind] of rules) {
          plain.push(
            kind === 0
              ? plain[one] + plain[other]
              : kind === 1
              ? Math.max(plain[one], plain[other])
              : plain[one] % 2
              ? plain[other]
              : 0,
          );
        }
        equal(seen, plain);
      }
    }
  },
};
