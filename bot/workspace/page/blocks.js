// Block Kit as elements. A "place" is where the blocks stand: a message or a view.

import { figure } from "./chart.js";
import { el } from "./dom.js";
import { control } from "./controls.js";
import { grouping } from "./grouping.js";
import { markdown } from "./markdown.js";
import { richText, textObject } from "./text.js";

/** Elements of a list of blocks. */
export const blocks = (list, place) => list.map((block) => oneBlock(block, place));

/** The element of one block. */
export function oneBlock(block, place) {
  const make = KINDS[block.type];
  const node = make ? make(block, place) : el("p", { class: "unknown" }, `(a ${block.type} block)`);
  node.classList.add("block", `block-${block.type}`);
  return node;
}

const KINDS = {
  section: (block, place) => el("div", {},
    el("div", { class: "section-body" },
      block.text ? el("div", {}, ...textObject(block.text)) : null,
      block.fields ? el("div", { class: "fields" }, ...block.fields.map((field) => el("div", {}, ...textObject(field)))) : null),
    block.accessory ? accessory(block, place) : null),
  header: (block) => el("h3", {}, ...textObject(block.text)),
  divider: () => el("hr"),
  image: (block) => el("figure", {}, block.title ? el("figcaption", {}, ...textObject(block.title)) : null, image(block)),
  actions: (block, place) => el("div", { role: "group" }, ...block.elements.map((each) => control(each, block, place))),
  context: (block) => el("div", {}, ...block.elements.map((each) => (each.type === "image" ? image(each) : el("span", {}, ...textObject(each))))),
  context_actions: (block, place) => el("div", { role: "group" }, ...block.elements.map((each) => control(each, block, place))),
  input: inputBlock,
  rich_text: (block) => el("div", {}, ...richText(block)),
  markdown: (block) => el("div", {}, ...markdown(block.text)),
  table,
  data_visualization: figure,
  ...grouping({ blocks: (list, place) => blocks(list, place), image, table }),
  alert: (block) => el("div", { role: "note", "data-level": block.level ?? "info" }, ...textObject(block.text)),
};

function inputBlock(block, place) {
  const error = place.errors?.[block.block_id];
  const id = `in-${block.block_id}`;
  const field = control(block.element, block, place, id);
  const inner = field.matches("input,select,textarea") ? field : field.querySelector("input,select,textarea");
  if (error) inner?.setAttribute("aria-invalid", "true");
  inner?.setAttribute("aria-describedby", `${id}-note`);
  return el("div", { class: error ? "invalid" : null },
    el("label", { for: id }, ...textObject(block.label), block.optional ? el("small", {}, " (optional)") : null),
    field,
    el("div", { id: `${id}-note`, class: "note" },
      error ? el("p", { class: "error", role: "alert" }, error) : null,
      block.hint ? el("p", {}, ...textObject(block.hint)) : null));
}

const accessory = (block, place) => el("div", { class: "accessory" },
  block.accessory.type === "image" ? image(block.accessory) : control(block.accessory, block, place));

function image(block) {
  const shown = el("img", { src: block.slack_file?.id ? `/pictures/${block.slack_file.id}` : block.image_url ?? block.slack_file?.url ?? "", alt: block.alt_text, loading: "lazy" });
  shown.addEventListener("error", () => shown.replaceWith(el("span", { class: "no-image" }, block.alt_text)), { once: true });
  return shown;
}

function table(block) {
  const settings = block.column_settings ?? [];
  const [head, ...body] = block.rows;
  const cell = (tag) => (each, at) => el(tag, {
    style: settings[at]?.align ? `text-align: ${settings[at].align}` : null,
    class: settings[at]?.is_wrapped ? "wraps" : null,
  }, ...cellBody(each));
  return el("div", { class: "scroll", tabindex: "0" }, el("table", {},
    el("thead", {}, el("tr", {}, ...head.map(cell("th")))),
    el("tbody", {}, ...body.map((row) => el("tr", {}, ...row.map(cell("td")))))));
}

function cellBody(cell) {
  if (cell.type === "rich_text") return richText(cell);
  return [cell.text ?? String(cell.value ?? "")];
}
