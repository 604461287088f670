// The address for other computers with its QR code, or how to share the server.
import { copied } from "./copied.js";
import { element, paragraph } from "./element.js";

export function sharing(addresses) {
  const url = addresses.public ?? addresses.network[0];
  return url ? shared(url) : howTo();
}

function shared(url) {
  const code = element("img", { src: "/api/v1/system/qr", alt: `QR code of ${url}`, width: "144", height: "144" });
  const words = element("div", {}, paragraph("Colleagues can open this address or scan the code:"), copied(url));
  return element("div", {}, element("div", { class: "sharing" }, code, words), url.startsWith("http:") && unencrypted());
}

const unencrypted = () =>
  element(
    "p",
    { class: "note" },
    "Others on this network could read the traffic, because http is not encrypted. On a network that you do not trust, put ",
    "an https proxy in front of the server and name its address with ",
    element("code", {}, "--public-url"),
    ".",
  );

function howTo() {
  return paragraph(
    "Only this computer can open the server so far. To share it with the network, stop it and start it again with ",
    element("code", {}, "erp serve --lan"),
    ". The address for other computers is then shown here and in the terminal.",
  );
}
