// Slack's mrkdwn and rich_text, and plain Markdown, as elements.

import { copy, el, inside } from "./dom.js";
import { EMOJI, emoji } from "./emoji.js";
import { names } from "./names.js";

const INLINE = new RegExp([
  "`(?<code>[^`\\n]+)`",
  "<(?<tag>[^<>\\n]+)>",
  ":(?<emoji>[a-z0-9_+-]+):",
  "(?<![\\w*])\\*(?<bold>[^\\s*][^*\\n]*?)\\*(?![\\w*])",
  "(?<![\\w_])_(?<italic>[^\\s_][^_\\n]*?)_(?![\\w_])",
  "(?<![\\w~])~(?<strike>[^\\s~][^~\\n]*?)~(?![\\w~])",
].join("|"), "g");
const TAGS = { bold: "strong", italic: "em", strike: "s" };
const LONG = 32;
const TABULAR = /^\s*[+|╒╔├┌].*[-=─═].*[+|╕╗┤┐]\s*$/m;

/** Decode Slack's three entities. */
export const decode = (text) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** Elements of a mrkdwn text. */
export function mrkdwn(text) {
  return text.split(/```/).flatMap((part, at) => (at % 2 ? [pre(decode(unlink(part)).replace(/^\n|\n$/g, ""))] : paragraphs(part)));
}

/** Elements of a text object: mrkdwn or plain. */
export function textObject(object) {
  if (!object) return [];
  return object.type === "mrkdwn" ? mrkdwn(object.text) : [plainWithEmoji(object.text)];
}

/** A plain string with its emoji shown. */
export const plainWithEmoji = (text) => text.replace(/:([a-z0-9_+-]+):/g, (all, name) => EMOJI[name] ?? all);

/** A block of code with a way to copy it; long ones open on demand. */
export function pre(content, nodes = null) {
  const box = el("pre", { tabindex: "0" }, el("code", {}, ...(nodes ?? [content])));
  const button = el("button", { type: "button", class: "copy" }, "Copy");
  button.addEventListener("click", () => copy(box.textContent, button));
  const frame = el("div", { class: TABULAR.test(content) ? "code tabular" : "code" }, box, button);
  const lines = content.split("\n").length;
  if (lines <= LONG) return frame;
  frame.classList.add("folded");
  const more = el("button", { type: "button", class: "more" }, `Show all ${lines} lines`);
  more.addEventListener("click", () => { frame.classList.remove("folded"); more.remove(); });
  frame.append(more);
  return frame;
}

/** Elements of a rich_text block. */
export function richText(block) {
  return (block.elements ?? []).map((part) => RICH[part.type]?.(part) ?? null);
}

const RICH = {
  rich_text_section: (part) => el("div", { class: "say" }, ...part.elements.map(span)),
  rich_text_quote: (part) => el("blockquote", {}, ...part.elements.map(span)),
  rich_text_preformatted: (part) => pre(part.elements.map((each) => each.text ?? each.url ?? "").join(""), part.elements.map(span)),
  rich_text_list: (part) => el(part.style === "ordered" ? "ol" : "ul", {
    style: `--indent: ${part.indent ?? 0}`,
    start: part.offset ? part.offset + 1 : null,
    class: part.border ? "bordered" : null,
  }, ...part.elements.map((item) => el("li", {}, ...item.elements.map(span)))),
};

function span(part) {
  const make = SPANS[part.type];
  if (!make) return "";
  let node = make(part);
  const style = part.style ?? {};
  if (style.code) node = el("code", {}, node);
  if (style.bold) node = el("strong", {}, node);
  if (style.italic) node = el("em", {}, node);
  if (style.strike) node = el("s", {}, node);
  if (style.underline) node = el("u", {}, node);
  return node;
}

const SPANS = {
  text: (part) => part.text,
  link: (part) => link(part.url, part.text || part.url),
  emoji: (part) => (part.unicode ? String.fromCodePoint(...part.unicode.split("-").map((code) => parseInt(code, 16))) : emoji(part.name)),
  user: (part) => mention(`@${names.user(part.user_id)}`),
  usergroup: (part) => mention(`@${names.group(part.usergroup_id)}`),
  channel: (part) => mention(`#${names.channel(part.channel_id)}`),
  broadcast: (part) => mention(`@${part.range}`),
  color: (part) => el("code", {}, part.value),
  date: (part) => (part.url ? link(part.url, when(part.timestamp, part.format)) : when(part.timestamp, part.format)),
};

function paragraphs(text) {
  const nodes = [];
  let quoted = [];
  const flush = () => { if (quoted.length) nodes.push(el("blockquote", {}, ...lines(quoted))); quoted = []; };
  let plain = [];
  const settle = () => { if (plain.join("").trim()) nodes.push(el("div", { class: "say" }, ...lines(plain))); plain = []; };
  for (const line of text.replace(/^\n|\n$/g, "").split("\n")) {
    const quote = /^(?:&gt;|>) ?/.exec(line);
    if (quote) { settle(); quoted.push(line.slice(quote[0].length)); } else { flush(); plain.push(line); }
  }
  settle();
  flush();
  return nodes;
}

const lines = (all) => all.flatMap((line, at) => (at ? [el("br"), ...inline(line)] : inline(line)));

function inline(text) {
  const nodes = [];
  let at = 0;
  for (const hit of text.matchAll(INLINE)) {
    const node = token(hit.groups);
    if (node === null) continue;
    nodes.push(decode(text.slice(at, hit.index)), node);
    at = hit.index + hit[0].length;
  }
  nodes.push(decode(text.slice(at)));
  return nodes;
}

function token(found) {
  if (found.code) return el("code", {}, decode(unlink(found.code)));
  if (found.tag) return angle(found.tag);
  if (found.emoji) return EMOJI[found.emoji] ?? null;
  const kind = Object.keys(TAGS).find((name) => found[name]);
  return el(TAGS[kind], {}, ...inline(found[kind]));
}

function angle(tag) {
  const [target, label] = tag.split("|", 2);
  if (target.startsWith("@")) return mention(`@${names.user(target.slice(1))}`);
  if (target.startsWith("#")) return mention(`#${label || names.channel(target.slice(1))}`);
  if (target.startsWith("!subteam^")) return mention(`@${names.group(target.slice(9))}`);
  if (target.startsWith("!date^")) { const [, at, format] = target.split("^"); return when(Number(at), format, label); }
  if (target.startsWith("!")) return mention(`@${target.slice(1)}`);
  return /^(https?:|mailto:)/.test(target) ? link(decode(target), decode(label ?? target)) : decode(`<${tag}>`);
}

const unlink = (text) => text.replace(/<(https?:[^|>]+)(?:\|([^>]+))?>/g, (_, url, label) => label ?? url);
const mention = (text) => el("span", { class: "mention" }, text);

function link(url, label) {
  const place = inside(url);
  if (place) return el("a", { href: place }, label);
  const isSafe = /^(https?:|mailto:)/.test(url);
  return isSafe ? el("a", { href: url, target: "_blank", rel: "noreferrer" }, label) : el("span", {}, label);
}

function when(seconds, format = "{date_short_pretty}") {
  const date = new Date(seconds * 1000);
  const day = date.toLocaleDateString(undefined, { month: "short", day: "numeric", year: "numeric" });
  const time = date.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const isToday = date.toDateString() === new Date().toDateString();
  const text = format.replace(/\{date[^}]*pretty\}/g, isToday ? "today" : day).replace(/\{date[^}]*\}/g, day).replace(/\{time[^}]*\}/g, time).replace("{ago}", day);
  return el("time", { datetime: date.toISOString() }, text);
}
