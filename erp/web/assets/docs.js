// The documentation: the server lists the operations; Swagger UI shows one, with its part of the document, when it is opened.

const VIEWER = "/api/docs/swagger_bundle.js";
const STYLE = "/api/docs/swagger_style.css";

// A token typed under "Authorize" is forgotten when the page closes: kept, any script of this origin could read it.
let authorized = {};

/** Load the viewer, once. */
const viewer = (() => {
  let loading;
  return () =>
    loading ??= new Promise((resolve, reject) => {
      const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: STYLE });
      const script = Object.assign(document.createElement("script"), { src: VIEWER, onload: resolve, onerror: reject });
      document.head.append(style, script);
    });
})();

/** Remember who signs in under one operation for all others. */
function remembering() {
  const wrapped = (next) => (original) => (payload) => {
    authorized = next(payload);
    return original(payload);
  };
  const authorize = wrapped((added) => ({ ...authorized, ...added }));
  const logout = wrapped((names) =>
    Object.fromEntries(Object.entries(authorized).filter(([name]) => !names.includes(name)))
  );
  return { statePlugins: { auth: { wrapActions: { authorize, logout } } } };
}

/** The keys of the operation in a document that describes one alone. */
function keysOf({ paths }) {
  const [[path, verbs]] = Object.entries(paths);
  return ["paths", path, Object.keys(verbs)[0]];
}

/** The operation and the button to sign in, without the viewer's own page around them. */
const layout = (keys) => ({ React: { createElement } }) => {
  const drawn = (getComponent, name) => createElement(getComponent(name, true), { key: name });
  const OneOperation = ({ getComponent, specSelectors }) => {
    // Before its references are followed, a request would be refused as one of an unknown operation.
    const ready = specSelectors.specResolvedSubtree(keys);
    return createElement("div", { className: "swagger-ui" }, [
      createElement(getComponent("SvgAssets"), { key: "images" }),
      drawn(getComponent, "errors"),
      createElement(
        "div",
        { className: "scheme-container", key: "signing in" },
        drawn(getComponent, "AuthorizeBtnContainer"),
      ),
      ready && drawn(getComponent, "operations"),
    ]);
  };
  return { components: { OneOperation } };
};

/** Give what the viewer draws the levels, names and roles that it leaves out for those who cannot see it. */
function mend(place) {
  const set = (selector, attributes) => {
    for (const element of place.querySelectorAll(selector)) {
      for (const [name, value] of Object.entries(attributes(element))) {
        if (element.getAttribute(name) !== value) element.setAttribute(name, value);
      }
    }
  };
  const parameter = (element) => ({ "aria-label": element.closest("tr")?.dataset.paramName ?? "Value" });
  set("h4, h5", () => ({ "aria-level": "2" }));
  set(".scheme-container", () => ({ role: "group", "aria-label": "Signing in" }));
  set("textarea", () => ({ "aria-label": "Request body" }));
  set(".parameters select, .parameters input", parameter);
  set(".microlight", () => ({ tabindex: "0" }));
}

/** Show an operation, so that it can be tried out. */
async function show(operation) {
  if (operation.querySelector(".shown")) return;
  const place = Object.assign(document.createElement("div"), { className: "shown", textContent: "Loading …" });
  operation.append(place);
  try {
    const part = fetch(`/api/docs/operations/${operation.id}`).then((answer) => answer.json());
    const [spec] = await Promise.all([part, viewer()]);
    new MutationObserver(() => mend(place)).observe(place, { childList: true, subtree: true });
    const keys = keysOf(spec);
    const ui = SwaggerUIBundle({
      domNode: place,
      spec,
      layout: "OneOperation",
      docExpansion: "full",
      displayRequestDuration: true,
      onComplete: () => {
        ui.authActions.authorize(authorized);
        ui.specActions.requestResolvedSubtree(keys);
      },
      persistAuthorization: false,
      plugins: [remembering, layout(keys)],
      tryItOutEnabled: true,
      validatorUrl: null,
    });
  } catch {
    place.remove();
    operation.open = false;
    document.getElementById("count").textContent = "The server did not answer. Open the operation again.";
  }
}

/** Show the operations in which all words are found; all of them without words. */
function search(phrase) {
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
  const all = document.querySelectorAll("[data-words]");
  let found = 0;
  for (const item of all) {
    const text = `${item.dataset.words} ${item.querySelector("summary").textContent}`.toLowerCase();
    item.hidden = !words.every((word) => text.includes(word));
    found += item.hidden ? 0 : 1;
  }
  for (const group of document.querySelectorAll("#operations > details")) {
    group.hidden = !group.querySelector("[data-words]:not([hidden])");
    group.open = words.length > 0 && !group.hidden;
  }
  document.getElementById("count").textContent = words.length ? `${found} of ${all.length} operations` : "";
}

/** Open the operation that the address names. */
function openNamed() {
  const operation = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const group = operation?.parentElement?.closest("details");
  if (!group) return;
  group.open = operation.open = true;
  operation.scrollIntoView();
}

document.getElementById("operations").addEventListener("toggle", ({ target }) => {
  if (!target.open || !target.id) return;
  history.replaceState(null, "", `#${target.id}`);
  show(target);
}, { capture: true });
addEventListener("hashchange", openNamed);

const box = document.getElementById("words");
box.addEventListener("input", () => search(box.value));
document.querySelector("search").hidden = false;
box.value = new URLSearchParams(location.search).get("q") ?? "";
if (box.value) search(box.value);
openNamed();
