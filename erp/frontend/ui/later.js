// A part of a screen that few need, so that its module is loaded only once it is to be shown. `load()` answers what makes it
// of what is given.
import { signal, untracked } from "../core/view.js";

export function later(load, ...given) {
  const loaded = signal(null);
  load().then((make) => void (loaded.value = make));
  return () => {
    const make = loaded.value;
    return make && untracked(() => make(...given)); // here, so that it is dropped with what it is in
  };
}
