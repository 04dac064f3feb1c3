// The Markdown of a markdown block, as elements.

import { el } from "./dom.js";
import { plainWithEmoji, pre } from "./text.js";

const INLINE = /`([^`\n]+)`|\[([^\]\n]*)\]\((https?:[^)\s]+)\)|\*\*([^*\n]+)\*\*|__([^_\n]+)__|(?<![\w*])\*([^\s*][^*\n]*)\*(?![\w*])|(?<![\w_])_([^\s_][^_\n]*)_(?![\w_])|~~([^~\n]+)~~/g;

/** Elements of a Markdown text. */
export function markdown(text) {
  const lines = text.split("\n");
  const nodes = [];
  while (lines.length) nodes.push(...takeOne(lines));
  return nodes;
}

function takeOne(lines) {
  const line = lines[0];
  if (/^\s*$/.test(line)) { lines.shift(); return []; }
  if (/^```/.test(line)) return [takeCode(lines)];
  const heading = /^(#{1,6})\s+(.*)$/.exec(line);
  if (heading) { lines.shift(); return [el(`h${Math.min(heading[1].length + 2, 6)}`, {}, ...inline(heading[2]))]; }
  if (/^(-{3,}|\*{3,})\s*$/.test(line)) { lines.shift(); return [el("hr")]; }
  if (/^>/.test(line)) return [el("blockquote", {}, ...markdown(take(lines, /^>/).map((each) => each.replace(/^> ?/, "")).join("\n")))];
  if (/^\s*\|/.test(line) && /^\s*\|?[\s:|-]+\|?\s*$/.test(lines[1] ?? "")) return [takeTable(lines)];
  if (/^\s*([-*]|\d+[.)])\s+/.test(line)) return [takeList(lines)];
  return [el("p", { class: "say" }, ...takeParagraph(lines))];
}

function take(lines, shape) {
  const taken = [];
  while (lines.length && shape.test(lines[0])) taken.push(lines.shift());
  return taken;
}

function takeCode(lines) {
  lines.shift();
  const taken = [];
  while (lines.length && !/^```/.test(lines[0])) taken.push(lines.shift());
  lines.shift();
  return pre(taken.join("\n"));
}

function takeList(lines) {
  const isOrdered = /^\s*\d/.test(lines[0]);
  const items = take(lines, /^\s*([-*]|\d+[.)])\s+|^\s{2,}\S/);
  return el(isOrdered ? "ol" : "ul", {}, ...items.map((item) => {
    const mark = /^(\s*)(?:[-*]|\d+[.)])\s+/.exec(item);
    return el("li", { style: `--step: ${mark ? Math.floor(mark[1].length / 2) : 1}` }, ...inline(mark ? item.slice(mark[0].length) : item.trim()));
  }));
}

function takeTable(lines) {
  const rows = take(lines, /^\s*\|/).map((row) => row.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim()));
  const [head, , ...body] = rows;
  return el("div", { class: "scroll" }, el("table", {},
    el("thead", {}, el("tr", {}, ...head.map((cell) => el("th", {}, ...inline(cell))))),
    el("tbody", {}, ...body.map((row) => el("tr", {}, ...row.map((cell) => el("td", {}, ...inline(cell))))))));
}

function takeParagraph(lines) {
  const taken = [];
  while (lines.length && !/^\s*$|^```|^#{1,6}\s|^>|^\s*([-*]|\d+[.)])\s/.test(lines[0])) taken.push(lines.shift());
  if (!taken.length) taken.push(lines.shift());
  return taken.flatMap((line, at) => (at ? [el("br"), ...inline(line)] : inline(line)));
}

function inline(text) {
  const nodes = [];
  let at = 0;
  for (const hit of text.matchAll(INLINE)) {
    nodes.push(plainWithEmoji(text.slice(at, hit.index)), styled(hit));
    at = hit.index + hit[0].length;
  }
  nodes.push(plainWithEmoji(text.slice(at)));
  return nodes;
}

function styled([, code, label, url, bold, strong, italic, emphasis, strike]) {
  if (code) return el("code", {}, code);
  if (url) return el("a", { href: url, target: "_blank", rel: "noreferrer" }, label || url);
  if (bold || strong) return el("strong", {}, ...inline(bold || strong));
  if (strike) return el("s", {}, strike);
  return el("em", {}, ...inline(italic || emphasis));
}
