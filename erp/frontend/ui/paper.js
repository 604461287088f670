// A file beside a form: an image that can be enlarged, a PDF in the browser's own viewer. On a narrow screen it opens in a
// tab of its own.
import { t } from "../core/i18n.js";
import { keyOf } from "../core/keys.js";
import { effect, signal, tags } from "../core/view.js";
import { iconButton } from "./button.js";

const SHOWN = ["image/png", "image/jpeg", "application/pdf"];
const [LEAST, MOST] = [0.5, 4]; // how far an image is made smaller and larger
const { a, div, iframe, img, section } = tags;

export const isShown = ({ mediaType }) => SHOWN.includes(mediaType);

// `file` is an attachment, or has a `src` of its own, which may be a function. `isInside` stands within a card or a panel,
// and has no width of its own.
export function paper(file, { isInside = false } = {}) {
  const { id, name, mediaType = "application/pdf" } = file;
  const src = file.src ?? `/api/v1/workspace/attachments/${id}/content?inline=true`;
  const share = signal(45); // per cent of the width
  const element = section(
    { class: `paper${isInside ? " is-inside" : ""}`, "aria-label": t("Paper") },
    a({ class: "button paper-link", href: src, target: "_blank", rel: "noopener" }, t("Open the file")),
    div(
      { class: "paper-file" },
      mediaType === "application/pdf" ? framed(name, src) : picture(name, src),
    ),
    !isInside && divider(share),
  );
  if (!isInside) effect(() => element.style.setProperty("--paper", `${share.value}%`));
  return element;
}

// Another file has a frame of its own: a frame that goes on to it would be a step back in the browser's history.
const framed = (title, src) =>
  typeof src === "function" ? () => (src() ? iframe({ title, src: src() }) : null) : iframe({ title, src });

function picture(name, src) {
  const zoom = signal(1);
  const by = (factor) => void (zoom.value = Math.min(MOST, Math.max(LEAST, zoom.peek() * factor)));
  const image = img({ src, alt: name, draggable: "false" });
  effect(() => image.style.setProperty("width", `${zoom.value * 100}%`));
  const keys = { "+": 1.25, "-": 0.8 };
  const sheet = div(
    {
      class: "paper-image",
      tabindex: "0",
      role: "group",
      "aria-label": name,
      onkeydown: (event) => {
        if (!keys[keyOf(event)]) return;
        event.preventDefault();
        by(keys[keyOf(event)]);
      },
      onpointermove: (event) => event.buttons === 1 && sheet.scrollBy(-event.movementX, -event.movementY),
    },
    image,
  );
  return [
    div(
      { class: "row" },
      iconButton("search", t("Larger"), () => by(1.25), { isSmall: true, key: "+" }),
      iconButton("rotate-ccw", t("Whole width"), () => void (zoom.value = 1), { isSmall: true }),
    ),
    sheet,
  ];
}

// Moved by arrows and by the mouse.
function divider(share) {
  const set = (value) => void (share.value = Math.round(Math.min(70, Math.max(25, value))));
  const steps = { ArrowLeft: -5, ArrowRight: 5 };
  return div({
    class: "paper-divider",
    role: "separator",
    tabindex: "0",
    "aria-label": t("Width of the paper"),
    "aria-orientation": "vertical",
    "aria-valuemin": "25",
    "aria-valuemax": "70",
    "aria-valuenow": () => String(share.value),
    onkeydown: (event) => {
      if (!steps[keyOf(event)]) return;
      event.preventDefault();
      set(share.peek() + steps[keyOf(event)]);
    },
    onpointerdown: (event) => event.currentTarget.setPointerCapture(event.pointerId),
    onpointermove: (event) => {
      if (event.buttons !== 1) return;
      const whole = event.currentTarget.closest(".with-paper").getBoundingClientRect();
      set((event.clientX - whole.left) / whole.width * 100);
    },
  });
}
