// The page as a whole: asks for the key, shows the tree, and shows what the address says.

import { Account, canSign } from "./account.js";
import { read, write } from "./address.js";
import { readContainer } from "./container.js";
import { ask } from "./dialog.js";
import { add, button, h, show, waiting } from "./dom.js";
import { showHelp } from "./help.js";
import { databasePage } from "./home.js";
import { complain, visitNotes } from "./notes.js";
import { ACCOUNT_TABS, accountTabOf, PAGES, pageOf, TABS } from "./pages.js";
import { learnRights, rightsInWords } from "./rights.js";
import { forgetKey, keepKey, keptKey, likelyKey } from "./session.js";
import { Tree } from "./tree.js";

const main = document.getElementById("main");
const side = document.getElementById("side");

let account;
let tree;
/** The page that is shown; undefined while it is being read. */
let current;
let shown;
/** Changes with every page that is wanted, so that one that comes late can see that it is not any more. */
let turn;

// ---- the key ----

async function begin() {
  if (!canSign()) {
    show(
      main,
      h("h1", {}, "This browser cannot sign requests here"),
      h("p", {}, "Browsers let a page sign only when it came over https or from this very machine. Open the explorer over https, which is served on the same port:"),
      h("p", {}, h("a", { href: `https:${location.href.slice(location.protocol.length)}` }, `https:${location.href.slice(location.protocol.length)}`)),
    );
    return;
  }
  show(main, waiting("Asking the server …"));
  const kept = keptKey() ?? likelyKey();
  if (kept !== undefined && (await enter(kept)) === undefined) return;
  await askKey(keptKey() === null ? undefined : "The key of this tab is not taken any more.");
}

/** Tries a key; gives the words of what is wrong with it. */
async function enter(key) {
  try {
    const next = new Account(key);
    const description = JSON.parse((await next.send("GET", [])).text);
    next.hasRegions = description.readableLocations.length > 1;
    await learnRights(next);
    keepKey(key);
    account = next;
  } catch (problem) {
    if (problem.status === 401) return "This is not a key of this account.";
    if (problem.name === "InvalidCharacterError" || problem.name === "DataError") return "A key is base64 text, such as the server prints when it starts.";
    return problem.message;
  }
  tellWhere();
  tree = new Tree(side, account);
  await tree.refresh();
  await render();
  return undefined;
}

function tellWhere() {
  document.getElementById("where").textContent = location.host + rightsInWords(account);
}

async function askKey(words) {
  forgetKey();
  leave();
  account = undefined;
  side.replaceChildren();
  const field = h("input", { type: "password", autocomplete: "off", spellcheck: "false", autofocus: true });
  show(main, h("h1", {}, "Which account?"), h("p", {}, "The explorer needs a key of this account. It stays in this tab and goes nowhere else; requests are signed here."), button("Enter the key", () => askKey(), { class: "main" }));
  const answer = await ask(
    "Key of the account",
    [
      words && h("p", { class: "error", role: "alert" }, words),
      h("p", {}, `For ${location.host}. A read-only key gives a read-only explorer.`),
      h("label", { class: "field" }, "Key", field),
    ],
    [
      { value: "yes", label: "Open", kind: "main" },
      { value: "", label: "Cancel" },
    ],
  );
  if (answer !== "yes") return;
  const problem = await enter(field.value.trim());
  if (problem !== undefined) await askKey(problem);
}

// ---- what is shown ----

async function changed() {
  await tree.refresh();
}

/** From here on nothing of the page that was wanted before is shown, whether it has been read or not. */
function leave() {
  const before = current;
  current = undefined;
  turn = Symbol();
  before?.stop?.();
  return turn;
}

async function render() {
  const place = read();
  const { database, container, parameters } = place;
  const name = JSON.stringify([database, container, pageOf(place), parameters.get("page"), parameters.get("id"), parameters.get("user")]);
  const same = current && shown === name;
  if (same && current.moved) return current.moved();
  const mine = leave();
  const isWanted = () => turn === mine;
  shown = name;
  const body = h("div", { class: "page" });
  document.title = [container ?? database, "Orrery Explorer"].filter(Boolean).join(" · ");
  show(main, waiting("Reading …"));
  try {
    const page = await open(body, place, isWanted);
    if (!isWanted()) return page?.stop?.();
    current = page;
    show(main, body);
    page?.placed?.();
  } catch (problem) {
    if (!isWanted()) return undefined;
    if (problem.status === 401) return askKey("This is not a key of this account.");
    show(main, failure(problem));
  }
  closeMenu();
  await tree.reveal();
  return undefined;
}

function open(body, place, isWanted) {
  const { database, container, parameters } = place;
  if (database === undefined) return accountPages(body, place, isWanted);
  return container === undefined ? databasePage(body, { account, database, parameters, changed }) : containerPage(body, place, isWanted);
}

async function accountPages(body, place, isWanted) {
  const shownTab = accountTabOf(place);
  add(
    body,
    h("div", { class: "heading" }, h("h1", {}, "This account")),
    h(
      "nav",
      { class: "tabs", "aria-label": "Pages of the account" },
      ACCOUNT_TABS.map((tab) => h("a", { href: write({ parameters: { page: tab.page } }), "aria-current": tab === shownTab ? "page" : undefined }, tab.label)),
    ),
  );
  return shownTab.open(body, { account, parameters: place.parameters, changed, tellWhere, isWanted });
}

async function containerPage(body, place, isWanted) {
  const container = await readContainer(account, place.database, place.container);
  if (!isWanted()) return undefined;
  const page = pageOf(place);
  add(
    body,
    h(
      "div",
      { class: "heading" },
      h("h1", {}, h("a", { class: "clip", href: write({ database: place.database }), title: place.database }, place.database), h("span", {}, "/"), h("span", { class: "clip", title: container.id }, container.id)),
      h("span", { class: "dim" }, container.keyText === "" ? "" : `partition key ${container.keyText}`),
    ),
    h(
      "nav",
      { class: "tabs", "aria-label": "Pages of the container" },
      TABS.map((tab) =>
        h("a", { href: write({ database: place.database, container: place.container, page: tab.page }), "aria-current": tab.page === page || PAGES[page].tab === tab.page ? "page" : undefined }, tab.label),
      ),
    ),
  );
  return PAGES[page].open(body, { account, container, parameters: place.parameters, changed, isWanted });
}

function failure(problem) {
  return h(
    "div",
    { class: "empty", role: "alert" },
    h("h1", {}, problem.status === 0 ? "The server does not answer" : problem.status === 404 ? "This is not here" : "This did not work"),
    h("p", {}, problem.status === 0 ? "It may have been stopped. Start it again with ./orrery start, then try again." : problem.message),
    button("Try again", () => begin(), { class: "main" }),
    " ",
    h("a", { href: "#/" }, "All containers"),
  );
}

let back;
window.addEventListener("hashchange", async () => {
  if (account === undefined) return;
  if (back === location.hash) {
    back = undefined;
    return;
  }
  const before = lastHash;
  if (before !== location.hash && current?.mayLeave && !(await current.mayLeave())) {
    // The way back may have been taken while the question was there.
    if (location.hash === before) return;
    back = before;
    location.hash = before;
    return;
  }
  lastHash = location.hash;
  await render();
});
let lastHash = location.hash;

// Closing the tab asks as well; browsers choose the words.
window.addEventListener("beforeunload", (event) => {
  if (current?.unsaved) event.preventDefault();
});

// ---- the bar and the keyboard ----

document.getElementById("key").addEventListener("click", () => askKey());
document.getElementById("help").addEventListener("click", () => showHelp());
const menu = document.getElementById("menu");
menu.addEventListener("click", () => {
  const open = document.body.classList.toggle("menu-open");
  menu.setAttribute("aria-expanded", String(open));
});

function closeMenu() {
  document.body.classList.remove("menu-open");
  menu.setAttribute("aria-expanded", "false");
}

const KEYS = {
  "?": () => showHelp(),
  "/": () => document.getElementById("find")?.focus(),
  n: () => document.getElementById("new")?.click(),
  r: () => document.getElementById("refresh")?.click(),
  g: () => document.querySelector("[role=tree] [tabindex='0']")?.focus(),
  m: () => main.focus(),
  u: () => visitNotes(),
};

document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select, .CodeMirror, dialog") || event.ctrlKey || event.altKey || event.metaKey) return;
  const { database, container } = read();
  const tab = container !== undefined && TABS[Number(event.key) - 1];
  const accountTab = database === undefined && ACCOUNT_TABS[Number(event.key) - 1];
  if (tab) location.hash = write({ database, container, page: tab.page });
  else if (accountTab) location.hash = write({ parameters: { page: accountTab.page } });
  else if (Object.hasOwn(KEYS, event.key)) KEYS[event.key]();
  else return;
  event.preventDefault();
});

window.addEventListener("unhandledrejection", (event) => complain(event.reason));

begin();
