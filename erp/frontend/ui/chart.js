// Charts of at most two series with a scale; bars may have marks as well, such as of the year before. The values of a point are shown while it has the mouse or the focus, and all in
// a table under "Figures". Amounts are text; the pictures may be rough. A picture is drawn for the width that it has, so
// that its words keep their size.
import { t } from "../core/i18n.js";
import { onDrop, signal, svg, tags } from "../core/view.js";
import { scaleOf } from "./scale.js";

const [HEIGHT, FOOT, TOP] = [200, 24, 20];
const LABEL = 44; // px that the name of a period takes
const INSET = 12;
const LETTER = 8; // px that a figure takes at most
const FOOT_LETTER = 6.5; // px that a letter of the name of a period takes
const LINE = 14; // px from one value to another above it
const HALO = 2; // px around a value

const scaleFor = (points) => scaleOf(points.flatMap(({ values }) => values.map(Number)));
const heightOf = ({ low, high }) => (value) => TOP + ((high - Number(value)) / (high - low)) * (HEIGHT - FOOT - TOP);

function framed({ label, series, points }, drawing) {
  const width = signal(640);
  const chosen = signal(null); // the point with the mouse or the focus
  const names = series.length > 1
    ? tags.ul({ class: "chart-names" }, series.map((name, at) => tags.li({ class: `series-${at}` }, name)))
    : null;
  const picture = svg.svg({
    viewBox: () => `0 0 ${width.value} ${HEIGHT}`,
    role: "group",
    "aria-label": label,
    class: "chart-picture",
  }, () => drawing(width.value, chosen));
  const watcher = new ResizeObserver(([{ contentRect }]) =>
    void (width.value = Math.max(160, Math.round(contentRect.width)))
  );
  watcher.observe(picture);
  onDrop(() => watcher.disconnect());
  return tags.figure(
    { class: "chart" },
    tags.figcaption(tags.span({ class: "strong" }, label), names),
    picture,
    tags.details({ class: "more" }, tags.summary(t("Figures")), figuresOf(label, series, points)),
  );
}

const figuresOf = (label, series, points) =>
  tags.table(
    { class: "table is-plain", "aria-label": label },
    tags.thead(tags.tr(
      tags.th({ scope: "col" }, t("Period")),
      series.map((name) => tags.th({ scope: "col", class: "is-figure" }, name)),
    )),
    tags.tbody(points.map((point) =>
      tags.tr(
        tags.th({ scope: "row" }, point.href ? tags.a({ href: point.href }, point.text) : point.text),
        written(point).map((value) => tags.td({ class: "is-figure" }, value)),
      )
    )),
  );

const written = (point) => point.shown ?? point.values;
const named = (point, series) =>
  `${point.text}: ${series.map((name, at) => `${name} ${written(point)[at]}`).join(", ")}`;

// As many names of periods as there is room for, the last one always, and none beyond the picture.
function foot(points, x, room, width) {
  const every = Math.ceil(points.length / Math.max(1, Math.floor(room / LABEL)));
  const last = points.length - 1;
  const inside = (middle, { length }) => Math.min(middle, width - (length * FOOT_LETTER) / 2);
  return points.map((
    point,
    at,
  ) => ((last - at) % every === 0
    ? svg.text(
      { x: inside(x(at), point.text), y: HEIGHT - 6, "text-anchor": "middle", class: "chart-text" },
      point.text,
    )
    : null)
  );
}

// The lines of the scale, and the px that its figures take at the side.
function ruled({ marks, named }, y, width) {
  const side = LETTER * Math.max(...marks.map((mark) => named(mark).length));
  const lines = marks.map((mark) => [
    svg.line({ x1: side, x2: width, y1: y(mark), y2: y(mark), class: mark ? "chart-rule" : "chart-base" }),
    svg.text({ x: side - LETTER, y: y(mark) + 4, "text-anchor": "end", class: "chart-text" }, named(mark)),
  ]);
  return { side, lines };
}

// The values of the chosen point, each at its own height and none over another, on a ground of their own so that no bar
// shows through; within the picture and clear of the scale. A mark that is not drawn has none.
const values = ({ points, hasMarks }, chosen, x, y, edges) => () => {
  const point = chosen.value;
  if (!point) return null;
  const shown = [...point.values.keys()].filter((one) => !hasMarks || isDrawn(point, one));
  return valuesOf(point, shown, x(points.indexOf(point)), y, edges);
};

const isDrawn = ({ values }, one) => one < values.length - 1 || Number(values[one]) !== 0;

function valuesOf(point, shown, x, y, { side, width }) {
  const tops = apart(shown.map((one) => Math.min(y(point.values[one]), y(0)) - 6));
  return shown.map((one, nth) => {
    const text = written(point)[one];
    const half = (text.length * LETTER) / 2 + HALO;
    const middle = Math.min(Math.max(x, side + half), width - half);
    const ground = { x: middle - half, y: tops[nth] - LINE + 3, width: 2 * half, height: LINE };
    return svg.g(
      { class: "chart-value" },
      svg.rect({ class: "chart-ground", ...ground }),
      svg.text({ x: middle, y: tops[nth], "text-anchor": "middle", class: `chart-text value-${one}` }, text),
    );
  });
}

// From the lowest up, and all further down where the highest would leave the picture.
function apart(tops) {
  const order = [...tops.keys()].sort((one, other) => tops[other] - tops[one] || other - one);
  order.slice(1).forEach((one, nth) => void (tops[one] = Math.min(tops[one], tops[order[nth]] - LINE)));
  const over = Math.max(0, LETTER - tops[order.at(-1)]);
  return tops.map((top) => top + over);
}

function linked(point, series, chosen, inside) {
  const label = named(point, series);
  const choose = () => void (chosen.value = point);
  const leave = () => void (chosen.value = null);
  const about = { "aria-label": label, onpointerenter: choose, onpointerleave: leave };
  return point.href
    ? svg.a({ href: point.href, ...about, onfocus: choose, onblur: leave }, svg.title(label), inside)
    : svg.g({ role: "img", ...about }, svg.title(label), inside);
}

// Points: { text, values, shown, href }; each bar is a link to its period. With `hasMarks`, the last series is a quiet line
// across the first bar of each point.
export function barChart(about) {
  const { series, points, hasMarks } = about;
  const scale = scaleFor(points);
  const y = heightOf(scale);
  const bars = series.length - (hasMarks ? 1 : 0);
  return framed(about, (width, chosen) => {
    const { side, lines } = ruled(scale, y, width);
    const step = (width - side) / Math.max(1, points.length);
    const thick = Math.min(40, (step * 0.7) / bars);
    const x = (at) => side + step * (at + 0.5);
    const bar = (amount, one, at) =>
      svg.rect({
        class: `series-${one}`,
        x: x(at) + (one - bars / 2) * thick + 1,
        width: Math.max(1, thick - 2),
        y: Math.min(y(amount), y(0)),
        height: Math.max(Math.abs(y(amount) - y(0)), 1),
        rx: 2,
      });
    const mark = (amount, one, at) => {
      const x1 = x(at) - (bars / 2) * thick - 2;
      return Number(amount) !== 0 &&
        svg.line({ class: `series-${one} chart-mark`, x1, x2: x1 + thick + 4, y1: y(amount), y2: y(amount) });
    };
    const group = (point, at) =>
      linked(point, series, chosen, [
        svg.rect({ class: "chart-hit", x: x(at) - step / 2, width: step, y: 0, height: HEIGHT - FOOT }),
        point.values.map((amount, one) => (one < bars ? bar : mark)(amount, one, at)),
      ]);
    return [
      lines,
      points.map(group),
      values(about, chosen, x, y, { side, width }),
      foot(points, x, width - side, width),
    ];
  });
}

const path = (values, x, y) =>
  values.map((amount, at) => `${at ? "L" : "M"}${x(at).toFixed(1)} ${y(amount).toFixed(1)}`).join("");

export function lineChart(about) {
  const { series, points } = about;
  const scale = scaleFor(points);
  const y = heightOf(scale);
  const last = points.length - 1;
  return framed(about, (width, chosen) => {
    const { side, lines } = ruled(scale, y, width);
    const [first, room] = [side + INSET, width - side - 2 * INSET];
    const x = (at) => first + (last > 0 ? (at * room) / last : room / 2);
    const dots = (point, at) =>
      linked(
        point,
        series,
        chosen,
        point.values.map((amount, one) => svg.circle({ class: `series-${one}`, cx: x(at), cy: y(amount), r: 4 })),
      );
    const drawn = series.map((_, one) =>
      svg.path({ class: `chart-line series-${one}`, d: path(points.map(({ values }) => values[one]), x, y) })
    );
    return [lines, drawn, points.map(dots), values(about, chosen, x, y, { side, width }), foot(points, x, room, width)];
  });
}
