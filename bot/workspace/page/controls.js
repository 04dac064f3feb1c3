// The interactive elements of Block Kit: what a person presses, chooses, or fills in.

import { act, ask, confirmed, el, follow } from "./dom.js";
import { manyPicker } from "./many.js";
import { names } from "./names.js";
import { plainWithEmoji } from "./text.js";

let lastId = 0;

/** The control of an element; what happens to it goes to the app through the place. */
export function control(element, block, place, id = `control-${++lastId}`) {
  const make = KINDS[element.type] ?? KINDS.unknown;
  const held = place.values?.[block.block_id]?.[element.action_id] ?? {};
  const node = make({ element, block, place, id, held });
  const inner = node.matches("input,select,textarea,button") ? node : node.querySelector("input,select,textarea,button");
  if (inner) inner.dataset.action = `${block.block_id}/${element.action_id}`;
  return node;
}

const plain = (object) => plainWithEmoji(object?.text ?? "");

/** Tell the app what was pressed or chosen; in an input that does not dispatch, only keep it. */
async function send({ element, block, place }, value) {
  if (!(await confirmed(element.confirm))) return false;
  const isKept = block.type === "input" && !block.dispatch_action;
  const where = { ...place.where, block_id: block.block_id };
  if (isKept) return ask("fill", { ...where, values: { [element.action_id]: value } });
  return act("click", { ...where, action_id: element.action_id, value });
}

async function busy(node, work) {
  node.setAttribute("aria-busy", "true");
  try { return await work(); } finally { node.removeAttribute("aria-busy"); }
}

function button(context) {
  const { element } = context;
  const node = el("button", { type: "button", class: element.style ?? "plain", "aria-label": element.accessibility_label }, plain(element.text));
  node.addEventListener("click", () => busy(node, async () => {
    if (element.url) follow(element.url);
    await send(context, element.value);
  }));
  return node;
}

function feedback(context) {
  const { element } = context;
  const side = (each, sign) => {
    const node = el("button", { type: "button", class: "quiet", title: plain(each.text), "aria-label": each.accessibility_label ?? plain(each.text) }, sign);
    node.addEventListener("click", () => busy(node, () => { node.classList.add("chosen"); return send(context, each.value); }));
    return node;
  };
  return el("span", { class: "feedback" }, side(element.positive_button, "👍"), side(element.negative_button, "👎"));
}

function iconButton(context) {
  const { element } = context;
  const node = el("button", { type: "button", class: "quiet", title: plain(element.text), "aria-label": element.accessibility_label ?? plain(element.text) }, "🗑️");
  node.addEventListener("click", () => busy(node, () => send(context, element.value)));
  return node;
}

function staticSelect(context) {
  const { element, id, held } = context;
  const chosen = (held.selected_option ?? element.initial_option)?.value ?? "";
  const choice = (each) => el("option", { value: each.value }, plain(each.text));
  const groups = (element.option_groups ?? []).map((group) => el("optgroup", { label: plain(group.label) }, ...group.options.map(choice)));
  return picker(context, [...(element.options ?? []).map(choice), ...groups], chosen, id);
}

function peoplePicker(context) {
  const { element, held, place, id } = context;
  const people = names.people(place.team).map((user) => el("option", { value: user.id }, user.real_name));
  return picker(context, people, held.selected_user ?? element.initial_user ?? "", id);
}

function channelPicker(context) {
  const { element, held, place, id } = context;
  const name = element.type === "channels_select" ? "channel" : "conversation";
  const channels = names.channels(place.team).filter((each) => each.name).map((each) => el("option", { value: each.id }, `#${each.name}`));
  return picker(context, channels, held[`selected_${name}`] ?? element[`initial_${name}`] ?? "", id);
}

function picker(context, choices, chosen, id) {
  const label = plain(context.element.placeholder) || "Choose…";
  const node = el("select", { id, "aria-label": context.block.type === "input" ? null : label }, el("option", { value: "", hidden: true }, label), ...choices);
  node.value = chosen;
  node.classList.toggle("unset", !chosen);
  node.addEventListener("change", () => busy(node, () => { node.classList.remove("unset"); return send(context, node.value); }));
  return node;
}

function ticks(kind, many) {
  return (context) => {
    const { element, held, id } = context;
    const start = many ? held.selected_options ?? element.initial_options ?? [] : [held.selected_option ?? element.initial_option].filter(Boolean);
    const values = new Set(start.map((each) => each.value));
    const boxes = element.options.map((each, at) => el("label", { class: "tick" },
      el("input", { type: kind, name: id, id: at ? null : id, value: each.value, checked: values.has(each.value) }),
      el("span", {}, plain(each.text), each.description ? el("small", {}, plain(each.description)) : null)));
    const node = el("div", { role: many ? "group" : "radiogroup" }, ...boxes);
    node.addEventListener("change", () => {
      const on = [...node.querySelectorAll("input:checked")].map((each) => each.value);
      return send(context, many ? on : on[0]);
    });
    return node;
  };
}

function overflow(context) {
  const menu = el("div", { class: "menu", role: "menu" }, ...context.element.options.map((each) => {
    const item = el("button", { type: "button", role: "menuitem" }, plain(each.text));
    item.addEventListener("click", () => { box.open = false; if (each.url) follow(each.url); return send(context, each.value); });
    return item;
  }));
  const box = el("details", { class: "overflow" }, el("summary", { "aria-label": "More" }, "⋯"), menu);
  box.addEventListener("toggle", () => { if (box.open) menu.scrollIntoView({ block: "nearest" }); });
  box.addEventListener("focusout", (event) => { if (!box.contains(event.relatedTarget)) box.open = false; });
  box.addEventListener("keydown", (event) => { if (event.key === "Escape") { box.open = false; box.firstChild.focus(); event.stopPropagation(); } });
  return box;
}

/** A select whose options the app gives while one types. */
function typeAhead(context) {
  const { element, block, place, id, held } = context;
  const least = element.min_query_length ?? 3;
  const list = el("ul", { role: "listbox", id: `${id}-list`, hidden: true });
  const start = held.selected_option ?? element.initial_option;
  const input = el("input", {
    id, type: "text", role: "combobox", autocomplete: "off", "aria-expanded": "false", "aria-controls": `${id}-list`, "aria-autocomplete": "list",
    placeholder: plain(element.placeholder) || "Type to search…", "aria-label": block.type === "input" ? null : plain(element.placeholder) || "Search", value: start ? plain(start.text) : "",
  });
  let timer = 0;
  const show = (isOpen) => {
    list.hidden = !isOpen;
    input.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) list.scrollIntoView({ block: "nearest" });
  };
  const choose = async (each) => { input.value = plain(each.text); show(false); await busy(input, () => send(context, each)); };
  const fill = async () => {
    if (input.value.length < least) { list.replaceChildren(el("li", { class: "hint" }, `Type ${least} characters or more`)); show(true); return; }
    const answer = await busy(input, () => act("suggest", { ...place.where, block_id: block.block_id, action_id: element.action_id, query: input.value }));
    const offered = [...(answer.options ?? []), ...(answer.option_groups ?? []).flatMap((group) => group.options)];
    list.replaceChildren(...offered.map((each, at) => {
      const item = el("li", { role: "option", id: `${id}-${at}`, "aria-selected": "false" }, plain(each.text), each.description ? el("small", {}, plain(each.description)) : null);
      item.addEventListener("mousedown", (event) => { event.preventDefault(); choose(each); });
      item.chosen = each;
      return item;
    }), ...(offered.length ? [] : [el("li", { class: "hint" }, "Nothing found")]));
    show(true);
  };
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(fill, 150); });
  input.addEventListener("focus", () => { if (least === 0) fill(); });
  input.addEventListener("blur", () => show(false));
  input.addEventListener("keydown", (event) => walkList(event, { input, list, show, choose }));
  return el("div", { class: "ahead" }, input, list);
}

function walkList(event, { input, list, show, choose }) {
  const items = [...list.querySelectorAll("[role=option]")];
  if (list.hidden || !items.length) return;
  const at = items.findIndex((item) => item.getAttribute("aria-selected") === "true");
  if (event.key === "Escape") { event.preventDefault(); event.stopPropagation(); show(false); return; }
  if (event.key === "Enter") { event.preventDefault(); choose((items[at] ?? items[0]).chosen); return; }
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  event.preventDefault();
  const next = (at + (event.key === "ArrowDown" ? 1 : -1) + items.length) % items.length;
  items.forEach((item, place) => item.setAttribute("aria-selected", String(place === next)));
  input.setAttribute("aria-activedescendant", items[next].id);
  items[next].scrollIntoView({ block: "nearest" });
}

function field(type, name) {
  return (context) => {
    const { element, block, id, held } = context;
    const start = held[name] ?? element[name === "value" ? "initial_value" : name.replace("selected", "initial")] ?? "";
    const node = el(element.multiline ? "textarea" : "input", {
      id, type: element.multiline ? null : type, rows: element.multiline ? 5 : null, placeholder: plain(element.placeholder) || null,
      maxlength: element.max_length, step: type === "number" && element.is_decimal_allowed ? "any" : null,
      min: element.min_value, max: element.max_value, value: start, "aria-label": block.type === "input" ? null : plain(element.placeholder) || "Value",
    });
    if (element.focus_on_load) node.autofocus = true;
    const moments = element.dispatch_action_config?.trigger_actions_on ?? ["on_enter_pressed"];
    let timer = 0;
    if (block.dispatch_action && moments.includes("on_character_entered")) {
      node.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(() => send(context, node.value), 250); });
    } else {
      node.addEventListener("change", () => keep(context, node.value));
    }
    node.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || element.multiline || !block.dispatch_action) return;
      event.preventDefault();
      send(context, node.value);
    });
    return node;
  };
}

/** Keep what was typed; choices of dates and kin go to the app at once unless they stand in a quiet input. */
function keep(context, value) {
  const { element, block, place } = context;
  const isTyped = element.type.endsWith("input");
  if (!isTyped) return send(context, value);
  return ask("fill", { ...place.where, block_id: block.block_id, values: { [element.action_id]: value } });
}

const KINDS = {
  button,
  feedback_buttons: feedback,
  icon_button: iconButton,
  static_select: staticSelect,
  external_select: typeAhead,
  users_select: peoplePicker,
  conversations_select: channelPicker,
  channels_select: channelPicker,
  multi_static_select: manyPicker(send),
  multi_users_select: manyPicker(send),
  multi_conversations_select: manyPicker(send),
  multi_channels_select: manyPicker(send),
  overflow,
  radio_buttons: ticks("radio", false),
  checkboxes: ticks("checkbox", true),
  datepicker: field("date", "selected_date"),
  timepicker: field("time", "selected_time"),
  plain_text_input: field("text", "value"),
  number_input: field("number", "value"),
  email_text_input: field("email", "value"),
  url_text_input: field("url", "value"),
  unknown: ({ element }) => el("span", { class: "unknown" }, `(a ${element.type})`),
};
