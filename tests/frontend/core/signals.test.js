// The signals that every screen is built on.
import { deepEqual as equal } from "node:assert/strict";
import { batch, computed, effect, listen, onDrop, scope, signal } from "../../../erp/frontend/core/signals.js";

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

Deno.test("a computed value is worked out once for a change of two things it depends on", () => {
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
});

Deno.test("a computed value that stays the same wakes nobody", () => {
  const n = signal(1);
  const isEven = computed(() => n.value % 2 === 0);
  let runs = 0;
  effect(() => void (isEven.value, (runs += 1)));
  n.value = 3;
  n.value = 5;
  equal(runs, 1);
  n.value = 6;
  equal(runs, 2);
});

Deno.test("a computed value that nobody reads is not worked out", () => {
  const n = signal(1);
  let runs = 0;
  const twice = computed(() => (runs += 1) && n.value * 2);
  n.value = 2;
  equal(runs, 0);
  equal(twice.value, 4);
  n.value = 3;
  equal([twice.value, runs], [6, 2]);
});

Deno.test("what is no longer read is no longer followed", () => {
  const [isShort, short, long] = [signal(true), signal("a"), signal("b")];
  let runs = 0;
  effect(() => void ((isShort.value ? short : long).value, (runs += 1)));
  isShort.value = false;
  short.value = "c";
  equal(runs, 2);
  long.value = "d";
  equal(runs, 3);
});

Deno.test("several changes in a batch run an effect once", () => {
  const [a, b] = [signal(1), signal(2)];
  const seen = [];
  effect(() => void seen.push(a.value + b.value));
  batch(() => {
    a.value = 10;
    b.value = 20;
  });
  equal(seen, [3, 30]);
});

Deno.test("a value that depends on itself is caught", () => {
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
});

Deno.test("effects that change each other without end are stopped and reported", async () => {
  const [a, b] = [signal(0), signal(0)];
  const errors = await reported(() => {
    effect(() => void (b.value = a.value + 1));
    effect(() => void (a.value = b.value + 1));
  });
  equal(errors.at(-1), "Effects change each other without end.");
});

Deno.test("a computed value must not change a signal", () => {
  const n = signal(0);
  const bad = computed(() => (n.value = 1));
  let message = null;
  try {
    bad.value;
  } catch (error) {
    message = error.message;
  }
  equal(message, "A computed value must not change a signal.");
});

Deno.test("an effect that changes what it has read runs again, until it is content", () => {
  const n = signal(1);
  effect(() => {
    if (n.value < 5) n.value += 1;
  });
  equal(n.peek(), 5);
});

Deno.test("an effect that throws stops no other, and runs again after the next change", async () => {
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
});

Deno.test("a computed value that throws says so to all who read it, and recovers", () => {
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
});

Deno.test("parents run before children, and drop them", () => {
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
});

Deno.test("what an effect returns, and what it leaves to be undone, is done before its next run and when it is dropped", () => {
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
});

Deno.test("dropping a scope drops all within, listeners too", () => {
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
});

Deno.test("any change to any graph gives what working it out afresh gives", () => {
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
});
