// The page: channels at the left, messages in the middle, a thread at the right; it follows the workspace live.

import { act, ask, el, inOrder, keyed } from "./dom.js";
import { composer, use } from "./composer.js";
import { mark, message } from "./messages.js";
import { paintHome, showModals } from "./modal.js";
import { names } from "./names.js";

const at = (id) => document.getElementById(id);
const here = { team: null, user: null, place: null, thread: null, world: null, unread: new Set(), seen: new Map() };
const [askForWorld, askForMessages, askForThread] = [inOrder(), inOrder(), inOrder()];
let examples = [];

async function begin() {
  examples = await (await fetch("/page/examples.json")).json();
  theme(localStorage.getItem("theme"));
  await learn();
  here.team = here.world.teams[0].id;
  here.user = people()[0].id;
  await follow(); // before the first look, so that nothing happens in between unseen
  await learn();
  compose();
  listen();
  await visit();
  window.addEventListener("hashchange", visit);
  await showModals(here.user, here.team);
}

const people = () => here.world.users.filter((user) => user.team_id === here.team && !user.is_bot);
const channels = () => here.world.channels.filter((each) => each.team === here.team);
const channel = () => here.world.channels.find((each) => each.id === here.place);
const bot = () => here.world.app.bots[here.team];
const home = () => channels().find((each) => each.members.includes(bot()) && each.name) ?? channels()[0];

/** Go where the address says. */
async function visit() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const place = wanted.get("channel") ?? home().id;
  const thread = wanted.get("thread");
  if (place !== here.place) await go(place, thread);
  else if (thread && thread !== here.thread) await openThread(thread);
}

/** Let the address say what is shown, so that a reload shows it again. */
function address() {
  const thread = here.thread ? `&thread=${here.thread}` : "";
  history.replaceState(null, "", `#channel=${here.place}${thread}`);
}

async function learn() {
  const world = await askForWorld("world", { user: here.user, team: here.team });
  if (!world) return;
  here.world = world;
  names.learn(here.world);
  if (here.user) side();
}

function view(inThread = false) {
  return {
    channel: here.place, user: here.user, team: here.team, inThread, openThread, thread: inThread ? here.thread : null,
    shortcuts: here.world.app.shortcuts, commands: here.world.app.commands, statuses: here.statuses,
  };
}

function side() {
  fill(at("team"), here.world.teams.map((team) => [team.id, team.name]), here.team);
  fill(at("actor"), people().map((user) => [user.id, user.real_name]), here.user);
  const mine = (each) => !each.is_im && (!each.is_private || each.members.includes(here.user));
  const direct = channels().filter((each) => each.is_im && each.members.includes(here.user) && each.members.includes(bot()));
  const row = (id, sign, label) => el("li", {}, el("button", {
    type: "button", class: here.unread.has(id) ? "unread" : null, "aria-current": here.place === id ? "page" : null, onclick: () => go(id),
  }, el("span", { "aria-hidden": "true" }, sign), label));
  at("places").replaceChildren(
    el("h2", {}, "Channels"),
    el("ul", {}, ...channels().filter(mine).map((each) => row(each.id, each.is_private ? "◆" : "#", each.name))),
    el("button", { type: "button", class: "quiet add", onclick: addChannel }, "+ New channel"),
    el("h2", {}, names.user(bot())),
    el("ul", {}, ...direct.map((each) => row(each.id, "✉", "Messages")), row("home", "⌂", "Home")));
  const { sockets, request_url: url } = here.world.app;
  at("link").textContent = url ? "App connected over HTTP" : sockets ? "App connected" : "No app connected";
  at("link").className = sockets || url ? "on" : "off";
}

function fill(select, pairs, chosen) {
  const sign = JSON.stringify(pairs);
  if (select.dataset.sign !== sign) select.replaceChildren(...pairs.map(([value, label]) => el("option", { value }, label)));
  select.dataset.sign = sign;
  select.value = chosen;
  select.disabled = pairs.length < 2;
}

async function go(place, thread = null) {
  here.place = place === "home" || here.world.channels.some((each) => each.id === place) ? place : home().id;
  here.unread.delete(here.place);
  here.seen.clear();
  here.fresh = true;
  document.body.classList.remove("menu-open");
  at("menu").setAttribute("aria-expanded", "false");
  closeThread();
  const isHome = here.place === "home";
  at("home").hidden = !isHome;
  at("stream").hidden = isHome;
  at("composer").hidden = isHome;
  at("stream").replaceChildren();
  here.thread = isHome ? null : thread;
  address();
  side();
  if (isHome) { top("Home", `What ${names.user(bot())} shows you`); await act("open_home", { user: here.user }); await paint(); return; }
  if (channel().is_im) await act("open_direct", { user: here.user });
  await paint();
  showLast(at("stream"));
  if (thread) await openThread(thread);
}

function top(name, note, ...tools) {
  at("room-name").textContent = name;
  at("room-note").textContent = note;
  at("room-tools").replaceChildren(...tools.filter(Boolean));
  document.title = `${name} · Local workspace`;
}

function describe() {
  const each = channel();
  if (each.is_im) { top(names.user(bot()), "Direct message"); return; }
  const isIn = each.members.includes(bot());
  const count = each.members.length === 1 ? "1 member" : `${each.members.length} members`;
  top(`${each.is_private ? "◆" : "#"} ${each.name}`, each.topic?.value || count,
    isIn ? null : el("button", { type: "button", class: "plain", onclick: () => act("invite", { channel: each.id, user: here.user }) }, "Invite the app"));
}

async function paint() {
  if (!here.place) return;
  if (here.place === "home") { paintHome(at("home"), (await ask("home", { user: here.user })).view, here.user, here.team); return; }
  describe();
  const place = here.place;
  const answer = await askForMessages("messages", { channel: place, user: here.user });
  if (place !== here.place || !answer?.ok) return;
  here.statuses = answer.statuses;
  const shown = answer.messages.filter((each) => !each.is_ephemeral || !each.thread_ts);
  stream(at("stream"), shown, view());
  if (!shown.length) at("stream").replaceChildren(welcome(answer.prompts));
  followReplies(shown);
  here.fresh = false;
  if (here.thread) await paintThread();
}

async function paintThread() {
  const answer = await askForThread("messages", { channel: here.place, user: here.user, thread_ts: here.thread });
  if (!answer || !here.thread) return;
  const { messages, statuses } = answer;
  here.statuses = statuses;
  stream(at("thread-stream"), messages, view(true));
  const status = statuses[here.thread];
  at("thread-stream").querySelector(":scope > .status")?.remove();
  if (status) at("thread-stream").append(el("p", { class: "status" }, status.status));
}

function stream(parent, messages, seen) {
  const wasFilled = parent.childElementCount > 0;
  const isAtEnd = parent.scrollHeight - parent.scrollTop - parent.clientHeight < 80;
  const placed = messages.map((body, place) => ({ body, previous: messages[place - 1] }));
  keyed(parent, placed, {
    key: ({ body }) => body.ts,
    mark: ({ body, previous }) => mark(body, previous) + JSON.stringify(seen.statuses?.[body.ts] ?? null) + seen.user,
    make: ({ body, previous }) => message(body, seen, previous),
  });
  if (isAtEnd && wasFilled) requestAnimationFrame(() => showLast(parent));
}

/** Scroll to the last message: to its end, or to its top when it is taller than the window. */
function showLast(parent) {
  const last = parent.querySelector("article:last-of-type");
  const overflows = last && last.offsetHeight > parent.clientHeight - 40;
  parent.scrollTop = overflows ? last.offsetTop - parent.offsetTop - 6 : parent.scrollHeight;
}

/** Open the thread of a message that just got its first reply, unless another one is open. */
function followReplies(messages) {
  for (const body of messages) {
    const before = here.seen.get(body.ts) ?? 0;
    here.seen.set(body.ts, body.reply_count ?? 0);
    const isNew = !before && body.reply_count && !here.fresh;
    const isWide = matchMedia("(min-width: 900px)").matches;
    if (isNew && isWide && body.user === here.user) openThread(body.ts, { toLast: true });
  }
}

function welcome(prompts) {
  const area = () => at("composer-text");
  const offers = prompts?.prompts?.map((each) => ({ title: each.title, note: "", text: each.message })) ?? examples.slice(0, 4);
  const title = channel().is_im ? `A conversation with ${names.user(bot())}` : `This is the start of #${channel().name}`;
  return el("section", { class: "welcome" },
    el("h2", {}, prompts?.title ?? title),
    el("p", {}, "Paste a vLLM error, a log or nvidia-smi output, or begin with one of these."),
    el("div", { class: "offers" }, ...offers.map((each) => el("button", { type: "button", onclick: () => use(each, area(), view()) }, el("b", {}, each.title), el("small", {}, each.note)))));
}

async function openThread(ts, { toWrite = false, toLast = false } = {}) {
  here.thread = ts;
  address();
  at("thread").hidden = false;
  document.body.classList.add("threaded");
  at("thread-stream").replaceChildren();
  await paintThread();
  if (toLast) showLast(at("thread-stream"));
  else at("thread-stream").scrollTop = 0;
  if (toWrite) at("thread-text").focus();
}

function closeThread() {
  here.thread = null;
  at("thread").hidden = true;
  document.body.classList.remove("threaded");
  if (here.place) address();
}

async function addChannel() {
  const box = at("confirm");
  const name = el("input", { id: "new-name", name: "name", autocomplete: "off", placeholder: "gpu-alerts" });
  const isPrivate = el("input", { type: "checkbox" });
  box.replaceChildren(el("form", { method: "dialog" }, el("h2", { id: "confirm-title" }, "New channel"), el("label", { for: "new-name" }, "Name"), name,
    el("label", { class: "tick" }, isPrivate, "Private"),
    el("menu", {}, el("button", { value: "no", formnovalidate: true, type: "button", onclick: () => box.close("no") }, "Cancel"), el("button", { value: "yes", class: "primary" }, "Create"))));
  box.returnValue = "no";
  box.showModal();
  box.addEventListener("close", async () => {
    if (box.returnValue !== "yes" || !name.value) return;
    const made = await act("create", { name: name.value, private: isPrivate.checked, user: here.user });
    await learn();
    if (made.ok) await go(made.channel);
  }, { once: true });
}

function compose() {
  at("composer").replaceChildren(composer(() => view(), { id: "composer-text", label: "Write a message, or / for a command", examples }));
  at("thread-composer").replaceChildren(composer(() => view(true), { id: "thread-text", label: "Reply in the thread" }));
}

function listen() {
  at("thread-close").addEventListener("click", closeThread);
  at("theme").addEventListener("click", () => theme(dark() ? "light" : "dark"));
  at("menu").addEventListener("click", () => at("menu").setAttribute("aria-expanded", String(document.body.classList.toggle("menu-open"))));
  at("actor").addEventListener("change", async (event) => { here.user = event.target.value; await learn(); await go(channel()?.is_im ? home().id : here.place); await showModals(here.user, here.team); });
  at("team").addEventListener("change", async (event) => { here.team = event.target.value; here.user = people()[0].id; await learn(); await go(home().id); });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !document.querySelector("dialog[open]")) document.body.classList.contains("menu-open") ? at("menu").click() : closeThread();
  });
}

/** Look again at what the workspace says has changed; many changes at once are one look. Resolves when it is heard. */
function follow() {
  const waiting = new Map();
  let timer = 0;
  const look = async () => {
    timer = 0;
    const glances = [...waiting.values()];
    waiting.clear();
    for (const glance of glances) if (glance.what === "messages" && glance.channel !== here.place) here.unread.add(glance.channel);
    const kinds = new Set(glances.map((glance) => glance.what));
    if (kinds.has("channels") || kinds.has("messages") || kinds.has("app")) await learn();
    if (glances.some((glance) => glance.what !== "views" && (!glance.channel || glance.channel === here.place))) await paint();
    if (kinds.has("views")) await showModals(here.user, here.team);
  };
  const feed = new EventSource("/live");
  feed.addEventListener("message", (event) => {
    const glance = JSON.parse(event.data);
    waiting.set(`${glance.what}/${glance.channel ?? glance.user ?? ""}`, glance);
    timer ||= setTimeout(look, 25);
  });
  let wasLost = false;
  feed.addEventListener("error", () => { wasLost = true; });
  feed.addEventListener("open", async () => { if (wasLost) { wasLost = false; await learn(); await paint(); } });
  return new Promise((resolve) => { for (const kind of ["open", "error"]) feed.addEventListener(kind, resolve, { once: true }); });
}

const dark = () => (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

function theme(name) {
  if (!name) return;
  document.documentElement.dataset.theme = name;
  localStorage.setItem("theme", name);
}

begin();
