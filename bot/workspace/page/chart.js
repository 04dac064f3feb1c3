// A data_visualization block as an SVG drawing with a legend, and the same numbers for screen readers.

import { el } from "./dom.js";

const WIDTH = 520;
const HEIGHT = 220;
const EDGE = { left: 44, right: 12, top: 10, bottom: 34 };
const COLOURS = 8;
const LETTER = 6;

/** The figure of a chart. */
export function figure(block) {
  const { chart } = block;
  const names = chart.type === "pie" ? chart.segments.map((each) => each.label) : chart.series.map((each) => each.name);
  const drawing = chart.type === "pie" ? pie(chart) : axes(chart);
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", `${block.title}: ${spoken(chart)}`);
  return el("figure", { class: "chart" },
    el("figcaption", {}, block.title),
    drawing,
    el("ul", { class: "legend" }, ...names.map((name, at) => el("li", {}, el("i", { class: `tone-${at % COLOURS}` }), name))));
}

function svg(tag, props = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(props)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

const titled = (node, text) => { node.append(svg("title", {}, text)); return node; };

function pie(chart) {
  const total = chart.segments.reduce((sum, each) => sum + each.value, 0);
  const root = svg("svg", { viewBox: "0 0 220 220", class: "pie" });
  let from = 0;
  chart.segments.forEach((each, at) => {
    const share = each.value / total;
    const length = 2 * Math.PI * 70;
    const slice = svg("circle", {
      cx: 110, cy: 110, r: 70, class: `slice tone-${at % COLOURS}`,
      "stroke-dasharray": `${Math.max(0, share * length - 1.5)} ${length}`, transform: `rotate(${from * 360 - 90} 110 110)`,
    });
    root.append(titled(slice, `${each.label}: ${each.value} (${Math.round(share * 100)} %)`));
    from += share;
  });
  return root;
}

function axes(chart) {
  const categories = chart.axis_config.categories;
  const values = chart.series.map((series) => categories.map((name) => series.data.find((point) => point.label === name)?.value ?? 0));
  const most = Math.max(...values.flat(), 0);
  const least = Math.min(...values.flat(), 0);
  const step = stepFor(most - least || 1);
  const top = Math.ceil(most / step || 1) * step;
  const low = Math.floor(least / step) * step;
  const x = (at) => EDGE.left + ((at + 0.5) * (WIDTH - EDGE.left - EDGE.right)) / categories.length;
  const y = (value) => HEIGHT - EDGE.bottom - ((value - low) / (top - low)) * (HEIGHT - EDGE.top - EDGE.bottom);
  const root = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}` }, ...grid(low, top, step, y), ...labels(categories, x));
  const draw = chart.type === "bar" ? bars : lines;
  root.append(...draw(chart, values, { x, y, low, categories }));
  if (chart.axis_config.y_label) root.append(svg("text", { x: 10, y: HEIGHT / 2, class: "axis", transform: `rotate(-90 10 ${HEIGHT / 2})` }, chart.axis_config.y_label));
  if (chart.axis_config.x_label) root.append(svg("text", { x: WIDTH / 2, y: HEIGHT - 2, class: "axis" }, chart.axis_config.x_label));
  return root;
}

function grid(low, top, step, y) {
  const count = Math.round((top - low) / step);
  return Array.from({ length: count + 1 }, (_, at) => low + at * step).flatMap((value) => [
    svg("line", { x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(value), y2: y(value), class: "grid" }),
    svg("text", { x: EDGE.left - 6, y: y(value) + 3.5, class: "tick" }, String(Math.round(value * 100) / 100)),
  ]);
}

function labels(categories, x) {
  const most = Math.floor((WIDTH - EDGE.left - EDGE.right) / categories.length / LETTER);
  return categories.map((name, at) => titled(svg("text", { y: HEIGHT - EDGE.bottom + 15, class: "label" },
    ...broken(name, most).map((line, row) => svg("tspan", { x: x(at), dy: row * 11 }, line))), name));
}

/** A name in at most two lines of so many letters, broken behind a hyphen or a space where there is one. */
function broken(name, most) {
  if (name.length <= most) return [name];
  const at = Math.max(name.lastIndexOf("-", most - 1), name.lastIndexOf(" ", most - 1)) + 1 || most;
  const rest = name.slice(at);
  return [name.slice(0, at), rest.length > most ? `${rest.slice(0, most - 1)}…` : rest];
}

function bars(chart, values, { x, y, low, categories }) {
  const room = ((WIDTH - EDGE.left - EDGE.right) / categories.length) * 0.72;
  const width = Math.min(room / values.length, 36);
  return values.flatMap((series, row) => series.map((value, at) => titled(svg("rect", {
    x: x(at) - (width * values.length) / 2 + row * width + 1, width: Math.max(2, width - 2), rx: 3,
    y: Math.min(y(value), y(low)), height: Math.max(1, Math.abs(y(low) - y(value))), class: `bar tone-${row % COLOURS}`,
  }), `${chart.series[row].name}, ${categories[at]}: ${value}`)));
}

function lines(chart, values, { x, y, low, categories }) {
  return values.flatMap((series, row) => {
    const points = series.map((value, at) => `${x(at)},${y(value)}`);
    const tone = `tone-${row % COLOURS}`;
    const area = chart.type === "area" ? [svg("polygon", { points: [`${x(0)},${y(low)}`, ...points, `${x(series.length - 1)},${y(low)}`].join(" "), class: `area ${tone}` })] : [];
    const dots = series.map((value, at) => titled(svg("circle", { cx: x(at), cy: y(value), r: 3.2, class: `dot ${tone}` }), `${chart.series[row].name}, ${categories[at]}: ${value}`));
    return [...area, svg("polyline", { points: points.join(" "), class: `line ${tone}` }), ...dots];
  });
}

/** A step that reads well and reaches the value in at most five steps. */
function stepFor(span) {
  const rough = span / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) * power;
}

function spoken(chart) {
  if (chart.type === "pie") return chart.segments.map((each) => `${each.label} ${each.value}`).join(", ");
  return chart.series.map((series) => `${series.name}: ${series.data.map((point) => `${point.label} ${point.value}`).join(", ")}`).join("; ");
}
