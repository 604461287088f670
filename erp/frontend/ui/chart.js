// Charts of at most two series: values at the ends, a table under "Figures". Amounts are text; the pictures may be rough.
// A picture is drawn for the width that it has, so that its words keep their size.
import { t } from "../core/i18n.js";
import { onDrop, signal, svg, tags } from "../core/view.js";

const [HEIGHT, FOOT, TOP] = [200, 24, 20];
const LABEL = 44; // px that the name of a period takes
const INSET = 28;
const LETTER = 8; // px that a figure of a value takes at most

// The lowest and highest value that fit, with zero in between.
function range(points) {
  const all = points.flatMap(({ values }) => values.map(Number));
  const [low, high] = [Math.min(0, ...all), Math.max(0, ...all)];
  return { low, high: high === low ? low + 1 : high };
}

const heightOf = ({ low, high }) => (value) => TOP + ((high - Number(value)) / (high - low)) * (HEIGHT - FOOT - TOP);

function framed({ label, series, points }, drawing) {
  const width = signal(640);
  const names = series.length > 1
    ? tags.ul({ class: "chart-names" }, series.map((name, at) => tags.li({ class: `series-${at}` }, name)))
    : null;
  const picture = svg.svg({
    viewBox: () => `0 0 ${width.value} ${HEIGHT}`,
    role: "group",
    "aria-label": label,
    class: "chart-picture",
  }, () => drawing(width.value));
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

// As many names of periods as there is room for, the last one always.
function foot(points, x, width) {
  const every = Math.ceil(points.length / Math.max(1, Math.floor(width / LABEL)));
  const last = points.length - 1;
  return points.map((
    point,
    at,
  ) => ((last - at) % every === 0
    ? svg.text({ x: x(at), y: HEIGHT - 6, "text-anchor": "middle", class: "chart-text" }, point.text)
    : null)
  );
}

const base = (y, width) => svg.line({ x1: 0, x2: width, y1: y(0), y2: y(0), class: "chart-base" });
const value = (text, x, y, anchor) => svg.text({ x, y, "text-anchor": anchor, class: "chart-text chart-value" }, text);

function linked(point, series, inside) {
  const title = svg.title(named(point, series));
  return point.href
    ? svg.a({ href: point.href, "aria-label": named(point, series) }, title, inside)
    : svg.g({ role: "img", "aria-label": named(point, series) }, title, inside);
}

// Points: { text, values, shown, href }; each bar is a link to its period.
export function barChart(about) {
  const { series, points } = about;
  const y = heightOf(range(points));
  const last = points.length - 1;
  return framed(about, (width) => {
    const step = width / Math.max(1, points.length);
    const thick = Math.min(40, (step * 0.7) / series.length);
    const x = (at) => step * (at + 0.5);
    const bar = (amount, one, at) =>
      svg.rect({
        class: `series-${one}`,
        x: x(at) + (one - series.length / 2) * thick + 1,
        width: Math.max(1, thick - 2),
        y: Math.min(y(amount), y(0)),
        height: Math.max(Math.abs(y(amount) - y(0)), 1),
        rx: 2,
      });
    // A value stands above all bars that it is as wide as.
    const below = (text, at) => {
      const many = Math.ceil((text.length * LETTER) / step);
      return at ? points.slice(-many) : points.slice(0, many);
    };
    const end = (at) =>
      at === last || at === 0
        ? value(
          written(points[at])[0],
          at ? (last ? width : x(0)) : 0,
          Math.min(...below(written(points[at])[0], at).flatMap(({ values }) => values.map(y))) - 5,
          at ? "end" : "start",
        )
        : null;
    const group = (point, at) =>
      linked(point, series, [
        svg.rect({ class: "chart-hit", x: step * at, width: step, y: 0, height: HEIGHT - FOOT }),
        point.values.map((amount, one) => bar(amount, one, at)),
      ]);
    return [points.map(group), points.map((_, at) => end(at)), base(y, width), foot(points, x, width)];
  });
}

const path = (values, x, y) =>
  values.map((amount, at) => `${at ? "L" : "M"}${x(at).toFixed(1)} ${y(amount).toFixed(1)}`).join("");

export function lineChart(about) {
  const { series, points } = about;
  const y = heightOf(range(points));
  const last = points.length - 1;
  return framed(about, (width) => {
    const x = (at) => (last > 0 ? INSET + (at * (width - 2 * INSET)) / last : width / 2);
    const end = (at) =>
      value(written(points[at])[0], at ? width : 0, y(points[at].values[0]) - 9, at ? "end" : "start");
    const dots = (point, at) =>
      linked(
        point,
        series,
        point.values.map((amount, one) => svg.circle({ class: `series-${one}`, cx: x(at), cy: y(amount), r: 4 })),
      );
    const lines = series.map((_, one) =>
      svg.path({ class: `chart-line series-${one}`, d: path(points.map(({ values }) => values[one]), x, y) })
    );
    return [
      base(y, width),
      lines,
      points.map(dots),
      [...new Set([0, last])].filter((at) => points[at]).map(end),
      foot(points, x, width),
    ];
  });
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
