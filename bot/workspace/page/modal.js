// Modals (a stack of up to three) and the Home tab.

import { act, el, filled, inOrder, keyed } from "./dom.js";
import { oneBlock } from "./blocks.js";
import { plainWithEmoji } from "./text.js";

const dialog = document.getElementById("modal");
const askForViews = inOrder();
let shown = null;

/** Show the top of a person's stack of modals, or none. */
export async function showModals(user, team) {
  const answer = await askForViews("views", { user });
  if (!answer) return;
  const { views } = answer;
  const top = views.at(-1);
  if (!top) { shown = null; if (dialog.open) dialog.close(); return; }
  if (shown !== top.id) build(top, views.length, user);
  shown = top.id;
  dialog.querySelector("#modal-title").textContent = plainWithEmoji(top.title?.text ?? "");
  paint(dialog.querySelector(".blocks"), top, user, team);
  buttons(top);
  if (!dialog.open) dialog.showModal();
  const bad = dialog.querySelector("[aria-invalid=true]");
  if (bad) bad.focus();
}

/** Show a Home tab in an element. */
export function paintHome(parent, view, user, team) {
  if (!view) { parent.replaceChildren(el("p", { class: "empty" }, "The app has not drawn its Home tab yet.")); return; }
  if (!parent.querySelector(".blocks")) parent.replaceChildren(el("div", { class: "blocks" }));
  paint(parent.querySelector(".blocks"), view, user, team);
}

function paint(parent, view, user, team) {
  const place = { where: { view: view.id, user }, values: view.state?.values, errors: view.errors, team };
  keyed(parent, view.blocks, {
    key: (block) => block.block_id,
    mark: (block) => JSON.stringify([block, view.errors?.[block.block_id]]),
    make: (block) => oneBlock(block, place),
  });
}

function build(view, depth, user) {
  const form = el("form", { method: "dialog", novalidate: true },
    el("header", {}, el("h2", { id: "modal-title" }), el("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: () => act("close", { user, all: true }) }, "✕")),
    el("div", { class: "blocks" }),
    el("footer", {},
      el("button", { type: "button", class: "leave", onclick: () => act("close", { user }) }, depth > 1 ? "Back" : "Close"),
      el("button", { type: "submit", class: "primary go" }, "Submit")));
  form.addEventListener("submit", (event) => { event.preventDefault(); submit(form, view, user); });
  dialog.replaceChildren(form);
  dialog.oncancel = (event) => { event.preventDefault(); act("close", { user }); };
  setTimeout(() => dialog.querySelector("[autofocus], .blocks input, .blocks textarea, .blocks select")?.focus(), 30);
}

function buttons(view) {
  const [leave, go] = [dialog.querySelector(".leave"), dialog.querySelector(".go")];
  if (view.close) leave.textContent = plainWithEmoji(view.close.text);
  go.hidden = !view.submit;
  go.textContent = plainWithEmoji(view.submit?.text ?? "Submit");
}

async function submit(form, view, user) {
  const go = form.querySelector(".go");
  go.setAttribute("aria-busy", "true");
  document.activeElement?.dispatchEvent(new Event("change", { bubbles: false }));
  await new Promise((resolve) => { setTimeout(resolve, 0); }); // the change is on its way
  await filled();
  await act("submit", { view: view.id, user });
  go.removeAttribute("aria-busy");
}
