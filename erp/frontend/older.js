// A browser without what the pages are made with says so, in place of an empty page. It is no module, and only words that
// old browsers know are in it.
(function () {
  const css = self.CSS;
  const isNew = self.navigation && URL.parse && "popover" in HTMLElement.prototype && Array.prototype.toSpliced &&
    css && css.supports("color", "light-dark(red, red)");
  if (isNew) return;
  document.documentElement.setAttribute("data-older", "");
  document.addEventListener("DOMContentLoaded", function () {
    const say = function (text, language) {
      const line = document.createElement("p");
      line.textContent = text;
      line.lang = language;
      document.body.appendChild(line);
    };
    say("This browser is too old for these pages. Update it, or open them in another one.", "en");
    say("Dieser Browser ist zu alt für diese Seiten. Aktualisieren Sie ihn oder nehmen Sie einen anderen.", "de");
  });
})();
