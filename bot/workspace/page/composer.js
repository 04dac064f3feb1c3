// Where one types: messages, commands, mentions, snippets, and the tray of examples.

import { act, el, toast } from "./dom.js";
import { names } from "./names.js";

const SNIPPET = 12000;
let trays = 0;

/** A composer; `view()` tells who writes where, now. */
export function composer(view, { id, label, examples = [] }) {
  const area = el("textarea", { id, rows: 1, "aria-label": label, placeholder: label, autocomplete: "off", spellcheck: "false", "aria-autocomplete": "list" });
  const menu = el("ul", { class: "suggest", role: "listbox", hidden: true });
  const tray = examples.length ? exampleTray(area, examples, view) : null;
  const picker = el("input", { type: "file", hidden: true, tabindex: "-1", "aria-hidden": "true" });
  const box = el("form", { class: "composer" }, menu, tray?.panel ?? null, area,
    el("div", { class: "row" },
      tray?.button ?? null,
      el("button", { type: "button", class: "quiet", title: "Attach a text file", "aria-label": "Attach a text file", onclick: () => picker.click() }, "📎"),
      el("button", { type: "button", class: "quiet", title: "Mark as code", "aria-label": "Mark as code", onclick: () => fence(area) }, "</>"),
      el("span", { class: "hint" }, "Enter sends, Shift+Enter starts a line"),
      el("button", { type: "submit", class: "primary" }, "Send")),
    picker);
  const grow = () => { area.style.height = "auto"; area.style.height = `${Math.min(area.scrollHeight, innerHeight * 0.4)}px`; };
  area.addEventListener("input", () => { grow(); suggest(area, menu, view()); });
  area.addEventListener("keydown", (event) => key(event, { area, menu, box }));
  area.addEventListener("blur", () => { menu.hidden = true; });
  box.addEventListener("submit", async (event) => { event.preventDefault(); menu.hidden = true; await send(area, view()); grow(); });
  picker.addEventListener("change", async () => { for (const file of picker.files) await upload(file, view()); picker.value = ""; });
  box.addEventListener("dragover", (event) => event.preventDefault());
  box.addEventListener("drop", async (event) => { event.preventDefault(); for (const file of event.dataTransfer.files) await upload(file, view()); });
  return box;
}

async function send(area, here) {
  const text = area.value.replace(/\s+$/, "");
  if (!text) return false;
  area.value = "";
  const where = { channel: here.channel, user: here.user, thread_ts: here.thread };
  const command = /^\/([a-z][\w-]*)(?:\s+([\s\S]*))?$/.exec(text);
  const answer = command ? await act("slash", { ...where, command: `/${command[1]}`, text: command[2] ?? "" }) : await say(text, where);
  if (!answer.ok) area.value = text;
  return answer.ok;
}

function say(text, where) {
  if (text.length <= SNIPPET) return act("post", { ...where, text });
  toast("Too long for a message: sent as a text snippet, as Slack's client offers.");
  return act("upload", { ...where, content: text, name: "paste.txt" });
}

async function upload(file, here) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  await act("upload", { channel: here.channel, user: here.user, thread_ts: here.thread, name: file.name, hex });
}

function fence(area) {
  const [from, to] = [area.selectionStart, area.selectionEnd];
  const inner = area.value.slice(from, to) || (from === to ? area.value : "");
  const [start, end] = from === to ? [0, area.value.length] : [from, to];
  area.setRangeText(`\`\`\`\n${inner}\n\`\`\``, start, end, "end");
  area.dispatchEvent(new Event("input"));
  area.focus();
}

function key(event, { area, menu, box }) {
  const items = [...menu.children];
  if (!menu.hidden && items.length && ["ArrowDown", "ArrowUp", "Tab", "Enter", "Escape"].includes(event.key)) {
    const at = items.findIndex((item) => item.getAttribute("aria-selected") === "true");
    if (event.key === "Escape") { menu.hidden = true; event.stopPropagation(); return; }
    if (event.key.startsWith("Arrow")) { event.preventDefault(); mark(items, (at + (event.key === "ArrowDown" ? 1 : -1) + items.length) % items.length); return; }
    const chosen = items[at];
    if (chosen && !chosen.isWhole(area.value)) { event.preventDefault(); chosen.choose(); return; }
  }
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); box.requestSubmit(); }
}

const mark = (items, next) => items.forEach((item, at) => item.setAttribute("aria-selected", String(at === next)));

/** Offer commands after `/` and people after `@`. */
function suggest(area, menu, here) {
  const before = area.value.slice(0, area.selectionStart);
  const offers = commandsFor(before, here) ?? peopleFor(before, here) ?? [];
  menu.replaceChildren(...offers.map(([word, note, from]) => {
    const item = el("li", { role: "option", "aria-selected": "false" }, el("b", {}, word), ` ${note}`);
    item.choose = () => { area.setRangeText(`${word} `, from, area.selectionStart, "end"); menu.hidden = true; area.dispatchEvent(new Event("input")); area.focus(); };
    item.isWhole = (text) => text.trim() === word;
    item.addEventListener("mousedown", (event) => { event.preventDefault(); item.choose(); });
    return item;
  }));
  mark([...menu.children], 0);
  menu.hidden = !offers.length;
}

function commandsFor(before, here) {
  if (!/^\/[\w-]*$/.test(before)) return null;
  return here.commands.filter((each) => each.command.startsWith(before)).map((each) => [each.command, `${each.usage_hint ?? ""} — ${each.description ?? ""}`, 0]);
}

function peopleFor(before, here) {
  const hit = /(?:^|\s)@([\w-]*)$/.exec(before);
  if (!hit) return null;
  return names.people(here.team).filter((user) => user.name.startsWith(hit[1]) && user.id !== here.user).map((user) => [`@${user.name}`, user.real_name, before.length - hit[1].length - 1]);
}

function exampleTray(area, examples, view) {
  const panel = el("div", { class: "tray", id: `tray-${++trays}`, hidden: true, role: "group", "aria-label": "Example pastes" });
  const button = el("button", { type: "button", class: "quiet", "aria-expanded": "false", "aria-controls": panel.id }, "Examples");
  const open = (isOpen) => { panel.hidden = !isOpen; button.setAttribute("aria-expanded", String(isOpen)); };
  panel.append(...examples.map((each) => el("button", { type: "button", onclick: () => { open(false); use(each, area, view()); } }, el("b", {}, each.title), el("small", {}, each.note))));
  panel.addEventListener("keydown", (event) => { if (event.key === "Escape") { open(false); button.focus(); } });
  button.addEventListener("click", () => open(panel.hidden));
  return { panel, button };
}

/** Put an example into the composer, or send it as the file that it is. */
export function use(example, area, here) {
  if (example.file) { act("upload", { channel: here.channel, user: here.user, name: example.file, content: example.text }); return; }
  area.value = example.text;
  area.dispatchEvent(new Event("input"));
  area.focus();
  area.scrollTop = 0;
}
