// Blocks that hold others, and the newer ones: containers, cards, data tables, plans, videos.

import { el } from "./dom.js";
import { control } from "./controls.js";
import { richText, textObject } from "./text.js";

const STATES = { pending: "○", in_progress: "◐", complete: "✓", error: "✕" };

/** The makers of these blocks; `within` are those that a block may hold: other blocks, images and tables. */
export const grouping = ({ blocks, image, table }) => ({
  container: (block, place) => {
    const title = el("b", {}, ...(block.title ? textObject(block.title) : richText(block.rich_text_title)));
    const subtitle = block.subtitle ? el("small", {}, ...textObject(block.subtitle)) : null;
    const inner = blocks(block.child_blocks, place);
    if (!block.is_collapsible) return el("section", {}, title, subtitle, block.has_header_divider ? el("hr") : null, ...inner);
    return el("details", { open: !block.default_collapsed }, el("summary", {}, title, subtitle), ...inner);
  },
  card,
  carousel: (block, place) => el("div", { tabindex: "0" }, ...block.elements.map((each) => { const node = card(each, place); node.classList.add("block-card"); return node; })),
  data_table: (block) => el("figure", {}, el("figcaption", {}, block.caption), table(block)),
  plan: (block) => el("section", {}, el("b", {}, block.title), el("ul", {}, ...block.tasks.map((each) => el("li", {}, task(each))))),
  task_card: (block) => task(block),
  video: (block) => el("figure", {}, el("figcaption", {}, link(block.title_url ?? block.video_url, block.title.text)), image({ image_url: block.thumbnail_url, alt_text: block.alt_text }), block.description ? el("small", {}, ...textObject(block.description)) : null),
  file: (block) => el("p", { class: "unknown" }, `📄 ${block.external_id}`),
});

function card(block, place) {
  const line = (name, tag) => (block[name] ? el(tag, {}, ...textObject(block[name])) : null);
  const buttons = (block.actions ?? []).map((each) => control(each, block, place));
  return el("article", {}, line("title", "b"), line("subtitle", "small"), line("body", "div"), line("subtext", "small"), buttons.length ? el("div", { class: "block-actions" }, ...buttons) : null);
}

function task(each) {
  const more = [each.details, each.output].filter(Boolean).flatMap((block) => richText(block));
  const sources = (each.sources ?? []).map((source) => link(source.url, source.text ?? source.url));
  return el("div", { class: "task", "data-state": each.status }, el("span", { "aria-label": each.status.replace("_", " ") }, STATES[each.status]), el("div", {}, each.title, ...more, ...sources));
}

const link = (url, label) => el("a", { href: url, target: "_blank", rel: "noreferrer" }, label);
