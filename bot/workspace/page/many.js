// The selects in which a person chooses several.

import { el } from "./dom.js";
import { names } from "./names.js";
import { plainWithEmoji } from "./text.js";

const plain = (object) => plainWithEmoji(object?.text ?? "");
const optionsOf = (element) => [...(element.options ?? []), ...(element.option_groups ?? []).flatMap((group) => group.options)];

/** A picker of several options, people or channels; `send` tells the app which. */
export const manyPicker = (send) => (context) => {
  const { element, held, place, id } = context;
  const offered = MANY[element.type](element, place);
  const kind = element.type === "multi_static_select" ? "options" : element.type.slice("multi_".length, -"_select".length);
  const start = held[`selected_${kind}`] ?? element[`initial_${kind}`] ?? [];
  const values = new Set(start.map((each) => each.value ?? each));
  const summary = el("summary", { id });
  const box = el("details", { class: "many" }, summary,
    el("div", { role: "group", "aria-label": plain(context.block.label) || null }, ...offered.map(([value, text]) => el("label", { class: "tick" }, el("input", { type: "checkbox", value, checked: values.has(value) }), el("span", {}, text)))));
  const tell = () => {
    const picked = offered.filter(([value]) => values.has(value)).map(([, text]) => text);
    summary.textContent = picked.join(", ") || plain(element.placeholder) || "Choose…";
    summary.classList.toggle("unset", !picked.length);
  };
  box.addEventListener("change", (event) => {
    if (event.target.checked) values.add(event.target.value); else values.delete(event.target.value);
    tell();
    return send(context, [...values]);
  });
  tell();
  return box;
};

const conversations = (_element, place) => names.channels(place.team).filter((each) => each.name).map((each) => [each.id, `#${each.name}`]);
const MANY = {
  multi_static_select: (element) => optionsOf(element).map((each) => [each.value, plain(each.text)]),
  multi_users_select: (_element, place) => names.people(place.team).map((user) => [user.id, user.real_name]),
  multi_conversations_select: conversations,
  multi_channels_select: conversations,
};
