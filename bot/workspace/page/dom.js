// Small ways of making elements and asking the workspace.

/** Make an element: `el("p", { class: "note" }, "text", child)`; handlers are `onclick` and kin. */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "hidden") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const fillings = new Set();

/** Ask the workspace for something; returns its JSON, which has `ok`. */
export async function ask(verb, fields = {}) {
  const asked = fetch(`/driver/${verb}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(fields),
  });
  if (verb === "fill") fillings.add(asked);
  try { return await (await asked).json(); } finally { fillings.delete(asked); }
}

/** Wait until all that was filled in has arrived. */
export const filled = () => Promise.allSettled([...fillings]);

/** Return a way of asking that gives nothing when something asked for later has come before it. */
export function inOrder() {
  let [begun, shown] = [0, 0];
  return async (verb, fields) => {
    const turn = ++begun;
    const answer = await ask(verb, fields);
    if (turn < shown) return null;
    shown = turn;
    return answer;
  };
}

/** Ask, and tell the person when it was refused. */
export async function act(verb, fields = {}) {
  const answer = await ask(verb, fields);
  if (!answer.ok && !answer.errors) toast(sentence(answer));
  return answer;
}

/** The place on this page that a link into Slack means, or nothing when it leads elsewhere. */
export function inside(url) {
  let target;
  try { target = new URL(url, location.href); } catch { return null; }
  const asked = target.searchParams;
  if (target.hostname === "slack.com" && target.pathname === "/app_redirect" && asked.get("channel")) {
    return `#channel=${asked.get("channel")}${asked.get("message_ts") ? `&thread=${asked.get("message_ts")}` : ""}`;
  }
  const message = target.origin === location.origin && /^\/archives\/(\w+)\/p(\d+)(\d{6})$/.exec(target.pathname);
  return message ? `#channel=${message[1]}&thread=${asked.get("thread_ts") ?? `${message[2]}.${message[3]}`}` : null;
}

/** Follow a link: within the page when it means a place here, else in a new window. */
export function follow(url) {
  const place = inside(url);
  if (place) location.hash = place;
  else window.open(url, "_blank", "noreferrer");
}

/** Show a short note that goes away by itself. */
export function toast(text) {
  const note = el("p", {}, text);
  document.getElementById("toasts").append(note);
  setTimeout(() => note.remove(), 6000);
}

/** Copy text, and say so on the button. */
export async function copy(text, button) {
  await navigator.clipboard.writeText(text);
  const before = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = before; }, 1500);
}

/** Ask for confirmation as an element's `confirm` object says; true when the person agrees. */
export function confirmed(wanted) {
  if (!wanted) return Promise.resolve(true);
  const dialog = document.getElementById("confirm");
  return new Promise((resolve) => {
    const form = el("form", { method: "dialog" },
      el("h2", { id: "confirm-title" }, wanted.title?.text ?? "Are you sure?"),
      el("p", {}, wanted.text?.text ?? ""),
      el("menu", {},
        el("button", { value: "no" }, wanted.deny?.text ?? "Cancel"),
        el("button", { value: "yes", class: wanted.style === "danger" ? "danger" : "primary" }, wanted.confirm?.text ?? "Yes")));
    dialog.replaceChildren(form);
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
    dialog.returnValue = "no";
    dialog.showModal();
  });
}

/** Make the children of a node those of a list, and touch only what changed. */
export function keyed(parent, items, { key, mark, make }) {
  const old = new Map([...parent.children].filter((node) => node.dataset.key).map((node) => [node.dataset.key, node]));
  const nodes = items.map((item) => {
    const name = key(item);
    const sign = mark(item);
    const known = old.get(name);
    if (known && known.dataset.mark === sign) return known;
    const node = make(item);
    node.dataset.key = name;
    node.dataset.mark = sign;
    return node;
  });
  const same = nodes.length === parent.children.length && nodes.every((node, at) => parent.children[at] === node);
  if (!same) swap(parent, nodes);
}

function swap(parent, nodes) {
  const focused = document.activeElement;
  const action = parent.contains(focused) ? focused.dataset.action : null;
  const range = action && "selectionStart" in focused ? [focused.selectionStart, focused.selectionEnd] : null;
  for (const child of [...parent.children]) if (!nodes.includes(child)) child.remove();
  nodes.forEach((node, at) => { if (parent.children[at] !== node) parent.insertBefore(node, parent.children[at] ?? null); });
  if (!action || parent.contains(document.activeElement)) return;
  const again = parent.querySelector(`[data-action="${CSS.escape(action)}"]`);
  again?.focus();
  if (range && again && "setSelectionRange" in again && again.type !== "number") again.setSelectionRange(...range);
}

function sentence(answer) {
  const known = {
    operation_timeout: "The app did not answer in time. Slack would say: “This app is not responding.”",
    not_in_threads: "Slack does not run an app's commands in threads.",
  };
  return known[answer.error] ?? answer.response_metadata?.messages?.[0] ?? `Refused: ${answer.error}`;
}
