// The browser's offer to install the page as an app. It makes it where it can, and each offer is good for one question.

let offer = null;

export const canInstall = () => offer !== null;

export function followOffer() {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault(); // the menu of the person has the question; a phone would cover the page with it
    offer = event;
  });
  addEventListener("appinstalled", () => (offer = null));
}

export function install() {
  void offer.prompt();
  offer = null;
}
