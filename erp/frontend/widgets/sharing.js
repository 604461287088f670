// The address that others use, with its QR code; or how the server comes to have one.
import { copied } from "./copied.js";
import { element, paragraph } from "./element.js";

export function sharing(addresses) {
  const url = addresses.public ?? addresses.network[0];
  return url ? shared(url) : howTo();
}

function shared(url) {
  const code = element("img", { src: "/api/v1/system/qr", alt: `QR code of ${url}`, width: "144", height: "144" });
  const words = element("div", {}, paragraph("Colleagues open this address, or scan the code:"), copied(url));
  return element("div", {}, element("div", { class: "sharing" }, code, words), url.startsWith("http:") && unencrypted());
}

const unencrypted = () =>
  element(
    "p",
    { class: "note" },
    "Others on this network could read along, as http is not encrypted. In a network that you do not trust, put an https ",
    "proxy in front and name it with ",
    element("code", {}, "--public-url"),
    ".",
  );

function howTo() {
  return paragraph(
    "So far only this computer reaches the server. To share it with the network, stop it and start it again as ",
    element("code", {}, "erp serve --lan"),
    "; it then shows the address to be opened elsewhere, here and where it was started.",
  );
}
