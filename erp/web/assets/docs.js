// The documentation: Swagger UI, and a search box above it over paths, summaries and fields.

const FIELDS = "properties";

/** The names of all fields of a schema, those of the schemas inside it included. */
function fieldsOf(node, schemas, seen = new Set(), names = []) {
  if (!node || typeof node !== "object") return names;
  if (typeof node.$ref === "string") {
    const name = node.$ref.split("/").pop();
    if (seen.has(name)) return names;
    seen.add(name);
    return fieldsOf(schemas[name], schemas, seen, names);
  }
  names.push(...Object.keys(node[FIELDS] ?? {}));
  for (const inner of Object.values(node)) fieldsOf(inner, schemas, seen, names);
  return names;
}

/** What can be searched for, by verb and path. */
function indexOf(document) {
  const index = new Map();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [verb, operation] of Object.entries(item)) {
      const done = Object.entries(operation.responses).filter(([status]) => status < "300");
      const parameters = operation.parameters.map((parameter) => parameter.name);
      const content = [operation.requestBody?.content, ...done.map(([, answer]) => answer.content)];
      const fields = fieldsOf(content, document.components.schemas);
      const words = [verb, path, operation.summary, operation.operationId, ...parameters, ...fields];
      index.set(`${verb} ${path}`, words.join(" ").toLowerCase());
    }
  }
  return index;
}

/** What the viewer leaves out for those who cannot see it: the level of a heading, the name of a choice. */
function mend() {
  const headings = ".opblock-tag:not([aria-level]), section.models h4:not([aria-level])";
  for (const heading of document.querySelectorAll(headings)) heading.setAttribute("aria-level", "2");
  for (const [part, name] of [[".information-container", "About"], [".scheme-container", "Signing in"]]) {
    const region = document.querySelector(`${part}:not([role])`);
    region?.setAttribute("role", "region");
    region?.setAttribute("aria-label", name);
  }
  document.querySelector("#servers:not([aria-label])")?.setAttribute("aria-label", "Server");
}

async function start() {
  const spec = await (await fetch("/api/openapi.json")).json();
  const index = indexOf(spec);
  const fits = (verb, path, phrase) => {
    const text = index.get(`${verb} ${path}`) ?? "";
    return phrase.toLowerCase().split(/\s+/).every((word) => text.includes(word));
  };
  const opsFilter = (tagged, phrase) =>
    tagged
      .map((tag) => tag.update("operations", (all) => all.filter((one) => fits(one.get("method"), one.get("path"), phrase))))
      .filter((tag) => tag.get("operations").size > 0);
  // A token typed under "Authorize" is forgotten when the page closes: kept, any script of this origin could read it.
  const ui = SwaggerUIBundle({
    dom_id: "#docs",
    spec,
    deepLinking: true,
    docExpansion: "none",
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    persistAuthorization: false,
    plugins: [{ fn: { opsFilter } }],
    tryItOutEnabled: true,
    validatorUrl: null,
  });
  document.querySelector("section#operations").hidden = true;
  mend();
  new MutationObserver(mend).observe(document.getElementById("docs"), { childList: true, subtree: true });
  const box = document.getElementById("words");
  const search = () => {
    const phrase = box.value.trim();
    ui.layoutActions.updateFilter(phrase || true);
    const found = [...index.keys()].filter((key) => fits(...key.split(" "), phrase));
    document.getElementById("count").textContent = phrase ? `${found.length} of ${index.size} operations` : "";
    const tags = new Set(found.map((key) => key.split(" ")).map(([verb, path]) => spec.paths[path][verb].tags[0]));
    for (const { name } of spec.tags) ui.layoutActions.show(["operations-tag", name], phrase !== "" && tags.has(name));
  };
  box.addEventListener("input", search);
  document.getElementById("search").hidden = false;
  box.value = new URLSearchParams(location.search).get("q") ?? "";
  if (box.value) search();
}

start();
