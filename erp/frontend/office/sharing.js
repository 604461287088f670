// The address for other computers with its QR code, or how to share the server.
import { t } from "../core/i18n.js";
import { tags } from "../core/view.js";
import { handedOver } from "./handed_over.js";

const { code, div, img, p } = tags;

export function sharing({ public: address, network }) {
  const url = address ?? network[0];
  return url ? shared(url) : [p(t("Only this computer can open the server so far. To share it with the network, stop it and start it again with this command. The address for other computers is then shown here and in the terminal.")), code("erp serve --lan")];
}

const shared = (url) => [
  div({ class: "row" }, img({ src: "/api/v1/system/qr", alt: t("QR code of {url}", { url }), width: "144", height: "144" }), div({ class: "stack-tight" }, p(t("Colleagues can open this address or scan the code:")), handedOver(url))),
  url.startsWith("http:") && p({ class: "soft small" }, t("Others on this network could read the traffic, because http is not encrypted. On a network that you do not trust, put an https proxy in front of the server and name its address with --public-url.")),
];
