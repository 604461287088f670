// Charts of at most two series: values at the ends, a table under "Figures". Amounts are text; the pictures may be rough.
import { t } from "../core/i18n.js";
import { svg, tags } from "../core/view.js";

const [WIDTH, HEIGHT, FOOT, TOP] = [640, 200, 24, 20];

// The lowest and highest value that fit, with zero in between.
function range(points) {
  const all = points.flatMap(({ values }) => values.map(Number));
  const [low, high] = [Math.min(0, ...all), Math.max(0, ...all)];
  return { low, high: high === low ? low + 1 : high };
}

const heightOf = ({ low, high }) => (value) => TOP + ((high - Number(value)) / (high - low)) * (HEIGHT - FOOT - TOP);

function framed({ label, series, points }, drawing) {
  const names = series.length > 1 ? tags.ul({ class: "chart-names" }, series.map((name, at) => tags.li({ class: `series-${at}` }, name))) : null;
  return tags.figure(
    { class: "chart" },
    tags.figcaption(tags.span({ class: "strong" }, label), names),
    svg.svg({ viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "group", "aria-label": label, class: "chart-picture" }, drawing),
    tags.details({ class: "more" }, tags.summary(t("Figures")), figuresOf(label, series, points)),
  );
}

const figuresOf = (label, series, points) =>
  tags.table(
    { class: "table is-plain", "aria-label": label },
    tags.thead(tags.tr(tags.th({ scope: "col" }, t("Period")), series.map((name) => tags.th({ scope: "col", class: "is-figure" }, name)))),
    tags.tbody(points.map((point) => tags.tr(tags.th({ scope: "row" }, point.href ? tags.a({ href: point.href }, point.text) : point.text), (point.shown ?? point.values).map((value) => tags.td({ class: "is-figure" }, value))))),
  );

const named = (point, series) => `${point.text}: ${series.map((name, at) => `${name} ${(point.shown ?? point.values)[at]}`).join(", ")}`;
const every = (points) => Math.ceil(points.length / 12);

const foot = (points, x) => points.map((point, at) => (at % every(points) === 0 ? svg.text({ x: x(at), y: HEIGHT - 6, "text-anchor": "middle", class: "chart-text" }, point.text) : null));
const base = (y) => svg.line({ x1: 0, x2: WIDTH, y1: y(0), y2: y(0), class: "chart-base" });

// Points: { text, values, shown, href }; each bar is a link to its period.
export function barChart(about) {
  const { series, points } = about;
  const y = heightOf(range(points));
  const step = WIDTH / Math.max(1, points.length);
  const width = Math.min(40, (step * 0.7) / series.length);
  const x = (at) => step * (at + 0.5);
  const bar = (value, one, at) => svg.rect({ class: `series-${one}`, x: x(at) + (one - series.length / 2) * width + 1, width: Math.max(1, width - 2), y: Math.min(y(value), y(0)), height: Math.max(Math.abs(y(value) - y(0)), 1), rx: 2 });
  const last = points.length - 1;
  const written = (at) => (at === 0 || at === last ? svg.text({ x: x(at), y: Math.min(...points[at].values.map(y)) - 5, "text-anchor": at === 0 && points.length > 3 ? "start" : at === last && points.length > 3 ? "end" : "middle", dx: at === 0 && points.length > 3 ? -step / 2 : at === last && points.length > 3 ? step / 2 : 0, class: "chart-text chart-value" }, (points[at].shown ?? points[at].values)[0]) : null);
  const group = (point, at) => linked(point, series, [svg.rect({ class: "chart-hit", x: step * at, width: step, y: 0, height: HEIGHT - FOOT }), point.values.map((value, one) => bar(value, one, at)), written(at)]);
  return framed(about, [points.map(group), base(y), foot(points, x)]);
}

function linked(point, series, inside) {
  const title = svg.title(named(point, series));
  return point.href ? svg.a({ href: point.href, "aria-label": named(point, series) }, title, inside) : svg.g({ role: "img", "aria-label": named(point, series) }, title, inside);
}

const path = (values, x, y) => values.map((value, at) => `${at ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("");

export function lineChart(about) {
  const { series, points } = about;
  const y = heightOf(range(points));
  const inset = 28;
  const x = (at) => (points.length > 1 ? inset + (at * (WIDTH - 2 * inset)) / (points.length - 1) : WIDTH / 2);
  const last = points.length - 1;
  const ends = (one) => [...new Set([0, last])].map((at) => svg.text({ x: x(at), y: y(points[at].values[one]) - 7, "text-anchor": at ? "end" : "start", dx: at ? inset - 2 : 2 - inset, class: "chart-text chart-value" }, (points[at].shown ?? points[at].values)[one]));
  const dots = (point, at) => linked(point, series, point.values.map((value, one) => svg.circle({ class: `series-${one}`, cx: x(at), cy: y(value), r: 4 })));
  return framed(about, [base(y), series.map((_, one) => svg.path({ class: `chart-line series-${one}`, d: path(points.map(({ values }) => values[one]), x, y) })), points.map(dots), points.length ? ends(0) : null, foot(points, x)]);
}

// A line without axes, beside a figure.
export function sparkline({ label, values }) {
  const numbers = values.map(Number);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const y = (value) => 26 - ((Number(value) - low) / (high - low || 1)) * 22;
  const x = (at) => 3 + (at * 114) / Math.max(1, values.length - 1);
  return svg.svg(
    { class: "sparkline", viewBox: "0 0 120 30", role: "img", "aria-label": label, preserveAspectRatio: "none" },
    svg.path({ class: "chart-line series-0", d: path(values, x, y) }),
  );
}
