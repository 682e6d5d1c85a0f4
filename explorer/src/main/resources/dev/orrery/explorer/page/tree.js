// The tree of databases, containers and what belongs to them. Branches are read when they are opened, a page at a time.

import { read, write } from "./address.js";
import { h, visible } from "./dom.js";
import { member } from "./json.js";
import { complain } from "./notes.js";

const PAGE = 100;
const FILTER_AFTER_MILLIS = 250;

/** What hangs below a container, and where a click on it leads. */
const PARTS = [
  { label: "Items", page: "items" },
  { label: "Procedures", feed: "sprocs", page: "procedure" },
  { label: "Triggers", feed: "triggers", page: "trigger" },
  { label: "Functions", feed: "udfs", page: "function" },
  { label: "Conflicts", feed: "conflicts", page: "conflict" },
];

export class Tree {
  constructor(place, account) {
    this.account = account;
    this.list = h("ul", { role: "tree", "aria-label": "Databases and containers", onkeydown: (event) => this.#move(event) });
    let timer;
    this.filter = h("input", {
      type: "search",
      placeholder: "Find a database or container",
      "aria-label": "Find a database or container",
      id: "find",
      oninput: () => {
        clearTimeout(timer);
        timer = setTimeout(() => this.refresh(), FILTER_AFTER_MILLIS);
      },
    });
    this.hint = h("p", { class: "hint", role: "status" });
    place.replaceChildren(h("div", { class: "find" }, this.filter), this.list, this.hint);
  }

  /** Reads everything anew and opens the way to what is shown. */
  async refresh() {
    const wanted = this.filter.value.trim();
    const turn = (this.turn = Symbol());
    const nodes = [];
    try {
      const more = await this.#page(["dbs"], wanted, undefined, nodes, turn);
      if (this.turn !== turn) return;
      this.list.replaceChildren(...nodes.map((id) => this.#database(id)), ...this.#more(more, ["dbs"], wanted, (id) => this.#database(id)));
      if (wanted !== "") await this.#findContainers(wanted, turn);
      else this.#tell(nodes.length === 0 ? "There is no database yet." : "");
      await this.#openWay();
      this.#settleFocus();
    } catch (problem) {
      this.list.replaceChildren();
      this.#tell(problem.message);
    }
  }

  /** Ids of one page of a feed; gives the token of the next. */
  async #page(path, wanted, continuation, into) {
    const page =
      wanted === ""
        ? await this.account.page(path, { size: PAGE, continuation })
        : await this.account.query(path, "SELECT * FROM c WHERE CONTAINS(c.id, @wanted, true)", {
            size: PAGE,
            continuation,
            parameters: [{ name: "@wanted", value: JSON.stringify(wanted) }],
          });
    into.push(...page.nodes.map((node) => member(node, "id").value));
    return page.continuation;
  }

  /** The server looks for containers in all databases at once, however many there are. */
  async #findContainers(wanted, turn) {
    const status = await this.account.report("status", { like: wanted, limit: PAGE + 1 });
    if (this.turn !== turn) return;
    for (const [database, containers] of Map.groupBy(status.containers.slice(0, PAGE), (one) => one.database)) {
      const known = [...this.list.children].find((one) => one.dataset.key === key(database));
      const item = known ?? this.#database(database);
      if (!known) this.list.append(item);
      this.#fill(item, containers.map((one) => this.#container(database, one.container)));
    }
    const none = this.list.children.length === 0;
    this.#tell(none ? `Nothing is called like “${wanted}”.` : status.containers.length > PAGE ? `More than ${PAGE} containers are called like that. These are the first.` : "", !none);
  }

  /** Says why the tree is empty, which is not shown then, or something about what is in it. */
  #tell(words, hasEntries = words === "") {
    this.hint.textContent = words;
    this.hint.hidden = words === "";
    this.list.hidden = !hasEntries;
  }

  /** The last entry of a branch that has more. */
  #more(continuation, path, wanted, make) {
    if (!continuation) return [];
    const item = this.#item("More …", key(...path, "more"), {
      class: "more",
      open: async () => {
        const ids = [];
        const next = await this.#page(path, wanted, continuation, ids);
        const made = [...ids.map(make), ...this.#more(next, path, wanted, make)];
        item.replaceWith(...made);
        this.#focus(made[0]);
      },
    });
    return [item];
  }

  #database(id) {
    return this.#item(id, key(id), {
      kind: "database",
      address: write({ database: id }),
      children: async () => {
        const ids = [];
        const path = ["dbs", id, "colls"];
        const more = await this.#page(path, "", undefined, ids);
        const make = (container) => this.#container(id, container);
        return [...ids.map(make), ...this.#more(more, path, "", make), this.#branch("Users", ["dbs", id, "users"], { database: id }, "user")];
      },
    });
  }

  #container(database, id) {
    return this.#item(id, key(database, id), {
      kind: "container",
      address: write({ database, container: id, page: "items" }),
      children: () =>
        PARTS.map((part) =>
          part.feed
            ? this.#branch(part.label, ["dbs", database, "colls", id, part.feed], { database, container: id }, part.page)
            : this.#item(part.label, key(database, id, part.page), { kind: part.page, address: write({ database, container: id, page: part.page }) }),
        ),
    });
  }

  #branch(label, path, place, page) {
    return this.#item(label, key(place.database, place.container ?? "", page), {
      kind: "branch",
      children: async () => {
        const ids = [];
        const more = await this.#page(path, "", undefined, ids);
        const make = (id) =>
          this.#item(id, key(place.database, place.container ?? "", page, id), {
            kind: page,
            address: place.container
              ? write({ ...place, page, parameters: { id } })
              : write({ ...place, parameters: { user: id } }),
          });
        return ids.length === 0 ? [h("li", { role: "none", class: "hint" }, "None")] : [...ids.map(make), ...this.#more(more, path, "", make)];
      },
    });
  }

  #item(label, itemKey, { kind = "", address, children, open, class: name = "" }) {
    const row = h("span", { class: "row" }, h("span", { class: "twist", "aria-hidden": "true" }, children ? "▸" : ""), h("span", { class: `name ${kind}`, title: label }, visible(label)));
    const item = h("li", { role: "treeitem", tabindex: "-1", "data-key": itemKey, class: name, "aria-label": label, "aria-expanded": children ? "false" : undefined }, row);
    item.children_ = children;
    row.addEventListener("click", async (event) => {
      this.#focus(item);
      if (open) await open().catch(complain);
      else if (children && (event.target.classList.contains("twist") || !address || item.getAttribute("aria-expanded") === "false")) await this.#toggle(item);
      if (address && !event.target.classList.contains("twist")) location.hash = address;
    });
    return item;
  }

  async #toggle(item) {
    if (item.getAttribute("aria-expanded") === "true") this.#close(item);
    else await this.#open(item);
  }

  #close(item) {
    item.setAttribute("aria-expanded", "false");
    item.querySelector(".twist").textContent = "▸";
    item.querySelector(":scope > ul")?.remove();
  }

  async #open(item) {
    if (item.getAttribute("aria-expanded") !== "false") return;
    try {
      this.#fill(item, await item.children_());
    } catch (problem) {
      complain(problem);
    }
  }

  #fill(item, children) {
    item.querySelector(":scope > ul")?.remove();
    item.setAttribute("aria-expanded", "true");
    item.querySelector(".twist").textContent = "▾";
    item.append(h("ul", { role: "group" }, children));
    this.mark();
  }

  /** Opens the way to what is shown, and marks it. */
  async reveal() {
    await this.#openWay();
    this.#settleFocus();
  }

  async #openWay() {
    const { database, container } = read();
    if (database === undefined || this.filter.value.trim() !== "") return this.mark();
    if (container === undefined && this.#find(key(database))) return this.mark();
    const item = this.#find(key(database)) ?? (await this.#fetch(database));
    if (!item) return this.mark();
    await this.#open(item);
    const branch = item.querySelector(":scope > ul");
    if (branch && container !== undefined && !this.#find(key(database, container)) && (await this.#exists(["dbs", database, "colls", container]))) branch.prepend(this.#container(database, container));
    return this.mark();
  }

  /** What is shown may be among what was not read yet, and then stands first. */
  async #fetch(database) {
    if (!(await this.#exists(["dbs", database]))) return undefined;
    const item = this.#database(database);
    this.list.prepend(item);
    return item;
  }

  async #exists(path) {
    try {
      await this.account.send("GET", path);
      return true;
    } catch {
      return false;
    }
  }

  /** Shows which entry the page is about. */
  mark() {
    const { database, container } = read();
    const wanted = container === undefined ? key(database ?? "") : key(database, container);
    for (const item of this.list.querySelectorAll("[role=treeitem]")) {
      const is = item.dataset.key === wanted;
      item.setAttribute("aria-selected", String(is));
      item.classList.toggle("current", is);
    }
  }

  #find(itemKey) {
    return [...this.list.querySelectorAll("[role=treeitem]")].find((item) => item.dataset.key === itemKey);
  }

  #focus(item) {
    this.list.querySelectorAll("[tabindex='0']").forEach((other) => other.setAttribute("tabindex", "-1"));
    item?.setAttribute("tabindex", "0");
    item?.focus();
  }

  /** One entry of the tree can be reached with Tab, the others with the arrows. */
  #settleFocus() {
    if (!this.list.querySelector("[tabindex='0']")) this.list.querySelector("[role=treeitem]")?.setAttribute("tabindex", "0");
  }

  async #move(event) {
    const item = event.target.closest("[role=treeitem]");
    if (!item || event.ctrlKey || event.altKey || event.metaKey) return;
    const visible = [...this.list.querySelectorAll("[role=treeitem]")];
    const place = visible.indexOf(item);
    const parent = item.parentElement.closest("[role=treeitem]");
    const expanded = item.getAttribute("aria-expanded");
    const moves = {
      ArrowDown: () => this.#focus(visible[Math.min(place + 1, visible.length - 1)]),
      ArrowUp: () => this.#focus(visible[Math.max(place - 1, 0)]),
      Home: () => this.#focus(visible[0]),
      End: () => this.#focus(visible[visible.length - 1]),
      ArrowRight: () => (expanded === "false" ? this.#open(item) : expanded === "true" ? this.#focus(visible[place + 1]) : undefined),
      ArrowLeft: () => (expanded === "true" ? this.#close(item) : parent ? this.#focus(parent) : undefined),
      Enter: () => item.querySelector(".row").click(),
      " ": () => item.querySelector(".row").click(),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    await move();
  }
}

/** Names may hold any character, so they are told apart by what JSON puts around them. */
function key(...parts) {
  return JSON.stringify(parts);
}

