// Asks the first questions while the scripts load: on a slow phone each takes a round trip. `core/api.js` takes the
// answers, or null where there is nothing to ask. The page has this text in itself, and its policy the checksum.
(function () {
  const { files, languages, screen, session: inside } = document.currentScript.dataset;
  const ask = (path, headers) => fetch(`/api/v1${path}`, { headers });
  const dataOf = async (answer) => (await answer.clone().json()).data;
  const own = () => localStorage.getItem("locale") ?? navigator.language;
  const languageOf = ({ preferences }) => preferences?.locale ?? own();
  const learn = (language) => {
    const base = language.split("-")[0];
    if (!languages.split(" ").includes(base)) return;
    for (const name of ["", `/${screen}`]) fetch(`${files}/messages/${base}${name}.json`);
  };
  const early = {
    "/auth/register": async () => await ask("/auth/register"),
    "/auth/session": async () => {
      if (inside === "" || (await dataOf(await asked["/auth/register"])).hasSession) return await ask("/auth/session");
      learn(own());
      return null;
    },
    "/workspace/home": async () => {
      const session = await asked["/auth/session"];
      const { user, workspace, ...about } = session ? await dataOf(session) : {};
      if (user) learn(languageOf(about));
      if (location.pathname !== "/" || !workspace || workspace.lacksTwoFactor) return null;
      return await ask("/workspace/home", {
        "Accept-Language": languageOf(about),
        "x-user-id": user.id,
        "x-workspace-id": workspace.id,
      });
    },
  };
  const asked = Object.assign(self, { early: {} }).early;
  for (const [path, work] of Object.entries(early)) asked[path] = work().catch(() => null); // the app asks again
})();
