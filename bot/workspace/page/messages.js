// Messages: who, when, what, its reactions, its thread, and what one may do with it.

import { act, ask, el } from "./dom.js";
import { blocks } from "./blocks.js";
import { emoji } from "./emoji.js";
import { names } from "./names.js";
import { mrkdwn, pre } from "./text.js";

const QUICK = ["white_check_mark", "eyes", "+1", "mute"];
const JOINED = 5 * 60;

/** The element of a message; `view` says who looks and what happens on a reply. */
export function message(body, view, previous) {
  const time = new Date(Number(body.ts) * 1000);
  const who = author(body);
  const isFollowing = previous && !body.is_ephemeral && !previous.is_ephemeral && author(previous).id === who.id && Number(body.ts) - Number(previous.ts) < JOINED && !previous.reply_count;
  return el("article", { class: classes(body, isFollowing), "aria-label": `${who.name}, ${clock(time)}`, "data-ts": body.ts, tabindex: "-1" },
    isFollowing ? el("time", { class: "aside", datetime: time.toISOString() }, clock(time)) : avatar(who),
    el("div", { class: "body" },
      body.is_ephemeral ? el("p", { class: "only" }, "Only visible to you") : null,
      isFollowing ? null : el("header", {}, el("b", {}, who.name), who.isApp ? el("span", { class: "badge" }, "APP") : null, el("time", { datetime: time.toISOString() }, clock(time))),
      el("div", { class: "content" }, ...content(body, view)),
      reactions(body, view),
      thread(body, view)),
    body.subtype === "tombstone" ? null : tools(body, view));
}

/** What changes the look of a message: when this is the same, so is the element. */
export const mark = (body, previous) => JSON.stringify([{ ...body, latest_reply: null }, previous && author(previous).id, previous?.reply_count, previous?.is_ephemeral]);

function author(body) {
  const user = names.person(body.user);
  const name = body.username ?? body.bot_profile?.name ?? user?.real_name ?? names.user(body.user ?? "?");
  return { id: body.bot_id ?? body.user, name, isApp: Boolean(body.bot_id) };
}

const clock = (time) => time.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const classes = (body, isFollowing) => ["message", isFollowing && "following", body.is_ephemeral && "ephemeral", body.subtype === "tombstone" && "gone"].filter(Boolean).join(" ");

function avatar(who) {
  const tone = [...String(who.id)].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 8;
  const initials = who.name.split(/\s+/).map((part) => part[0]).slice(0, 2).join("");
  return el("span", { class: `avatar ${who.isApp ? "app" : `tone-${tone}`}`, "aria-hidden": "true" }, who.isApp ? "v" : initials);
}

function content(body, view) {
  const place = { where: { channel: view.channel, ts: body.ts, user: view.user }, values: body.state?.values, team: view.team };
  const shown = body.blocks?.length ? blocks(body.blocks, place) : body.text ? mrkdwn(body.text) : [];
  const more = [...(body.attachments ?? []).map((each) => attachment(each, place)), ...(body.files ?? []).map(file)];
  const edited = body.edited ? el("small", { class: "edited" }, "(edited)") : null;
  return [...shown, ...more, edited];
}

function attachment(each, place) {
  return el("div", { class: "attachment", style: each.color ? `--stripe: ${each.color.startsWith("#") ? each.color : `#${each.color}`}` : null },
    each.pretext ? el("div", {}, ...mrkdwn(each.pretext)) : null,
    each.title ? el("b", {}, each.title) : null,
    ...(each.blocks ? blocks(each.blocks, place) : mrkdwn(each.text ?? (each.title ? "" : each.fallback ?? ""))),
    each.fields ? el("div", { class: "fields" }, ...each.fields.map((field) => el("div", {}, el("b", {}, field.title), el("br"), field.value))) : null,
    each.footer ? el("small", {}, each.footer) : null);
}

function file(each) {
  if (each.mimetype.startsWith("image/")) return picture(each);
  const size = each.size < 1024 ? `${each.size} bytes` : `${(each.size / 1024).toFixed(1)} KiB`;
  const box = el("div", { class: "file" }, el("b", {}, `📄 ${each.title}`), el("small", {}, `${each.pretty_type}, ${size}`));
  if (each.preview === undefined) return box;
  const shown = el("div", {}, pre(each.preview + (each.lines_more ? "\n…" : "")));
  box.append(shown);
  if (!each.preview_is_truncated) return box;
  const open = el("button", { type: "button", class: "quiet" }, `Open all ${each.lines} lines`);
  open.addEventListener("click", async () => { shown.replaceChildren(pre((await ask("file", { file: each.id })).content)); open.remove(); });
  box.append(open);
  return box;
}

function picture(each) {
  const shown = el("img", { src: `/pictures/${each.id}`, alt: each.alt_txt || each.title, loading: "lazy" });
  shown.addEventListener("error", () => shown.replaceWith(el("span", { class: "no-image" }, each.alt_txt || each.title)), { once: true });
  return el("figure", { class: "picture" }, el("figcaption", {}, each.title), el("a", { href: `/pictures/${each.id}`, target: "_blank" }, shown));
}

function reactions(body, view) {
  if (!body.reactions?.length) return null;
  return el("div", { class: "reactions" }, ...body.reactions.map((each) => {
    const who = each.users.map(names.user).join(", ");
    const isMine = each.users.includes(view.user);
    return el("button", {
      type: "button", class: isMine ? "mine" : null, "aria-pressed": String(isMine), title: `${who}: :${each.name}:`,
      "aria-label": `${each.name}, ${each.count} (${who})`, onclick: () => react(body, view, each.name),
    }, `${emoji(each.name)} ${each.count}`);
  }));
}

const react = (body, view, name) => act("react", { channel: view.channel, ts: body.ts, user: view.user, name });

function thread(body, view) {
  const status = view.statuses?.[body.thread_ts ?? body.ts];
  const isRoot = !body.thread_ts || body.thread_ts === body.ts;
  if (!isRoot) return null;
  const working = status && !view.inThread ? el("p", { class: "status" }, status.status) : null;
  if (!body.reply_count || view.inThread) return working;
  const last = clock(new Date(Number(body.latest_reply) * 1000));
  const count = body.reply_count === 1 ? "1 reply" : `${body.reply_count} replies`;
  return el("div", {}, el("button", { type: "button", class: "replies", onclick: () => view.openThread(body.ts, { toLast: true }) }, el("b", {}, count), ` · last at ${last}`), working);
}

function tools(body, view) {
  const root = body.thread_ts ?? body.ts;
  const tool = (label, sign, work) => el("button", { type: "button", title: label, "aria-label": label, onclick: work }, sign);
  if (body.is_ephemeral) return el("div", { class: "tools" }, tool("Dismiss", "✕", () => act("delete", { channel: view.channel, ts: body.ts, user: view.user })));
  const isMine = body.user === view.user && !body.bot_id;
  const shortcuts = (view.shortcuts ?? []).filter((each) => each.type === "message");
  return el("div", { class: "tools", role: "toolbar", "aria-label": "Message" },
    ...QUICK.map((name) => tool(`React with ${name}`, emoji(name), () => react(body, view, name))),
    view.inThread ? null : tool("Reply in thread", "💬", () => view.openThread(root, { toWrite: true })),
    ...shortcuts.map((each) => tool(each.name, "⚡", () => act("shortcut", { channel: view.channel, ts: body.ts, user: view.user, callback_id: each.callback_id }))),
    isMine ? tool("Edit", "✎", (event) => edit(event, body, view)) : null,
    isMine ? tool("Delete", "🗑", () => act("delete", { channel: view.channel, ts: body.ts, user: view.user })) : null);
}

/** Turn a message into a text box until it is saved or left. */
function edit(event, body, view) {
  const box = event.target.closest("article").querySelector(".content");
  const before = [...box.childNodes];
  const area = el("textarea", { rows: Math.min(14, body.text.split("\n").length + 1), "aria-label": "Edit message", value: typedText(body) });
  const done = () => box.replaceChildren(...before);
  const save = async () => { const text = area.value; done(); await act("edit", { channel: view.channel, ts: body.ts, user: view.user, text }); };
  area.addEventListener("keydown", (key) => {
    if (key.key === "Escape") { key.stopPropagation(); done(); }
    if (key.key === "Enter" && !key.shiftKey) { key.preventDefault(); save(); }
  });
  box.replaceChildren(area, el("div", { class: "row" }, el("button", { type: "button", class: "primary", onclick: save }, "Save"), el("button", { type: "button", onclick: done }, "Cancel")));
  area.focus();
}

/** What a person typed, as far as the blocks still tell. */
function typedText(body) {
  const parts = body.blocks?.[0]?.elements ?? [];
  if (!parts.length) return body.text;
  const plain = (part) => part.elements.map((each) => (each.type === "user" ? `<@${each.user_id}>` : each.text ?? each.url ?? (each.name ? `:${each.name}:` : ""))).join("");
  const fenced = { rich_text_preformatted: (text) => `\`\`\`\n${text}\n\`\`\``, rich_text_quote: (text) => text.replace(/^/gm, "> ") };
  return parts.map((part) => (fenced[part.type] ?? ((text) => text))(plain(part))).join("\n");
}
