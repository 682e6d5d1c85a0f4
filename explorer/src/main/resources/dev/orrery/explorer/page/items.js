// The items of a container: a table or JSON, a page at a time, with a filter, and one item beside them.

import { jsonOf, note, read, write } from "./address.js";
import { ask, confirm } from "./dialog.js";
import { add, button, emptyState, h, show, visible, waiting } from "./dom.js";
import { ItemPane } from "./item.js";
import { at, compact, format, member, parse } from "./json.js";
import { complain, say } from "./notes.js";
import { ownPart, SYSTEM } from "./container.js";
import { elsewhere } from "./rights.js";
import { columnsOf, pathsOf, same, table } from "./table.js";
import { COMPLETE } from "./queries.js";

const SIZES = [25, 50, 100, 200];

export async function itemsPage(place, context) {
  const page = new ItemsPage(place, context);
  await page.load();
  return page;
}

class ItemsPage {
  constructor(place, { account, container, isWanted }) {
    this.account = account;
    this.isWanted = isWanted;
    this.container = container;
    const { parameters } = read();
    this.view = parameters.get("view") === "json" ? "json" : "table";
    this.filterText = parameters.get("filter") ?? "";
    this.size = SIZES.includes(Number(parameters.get("size"))) ? Number(parameters.get("size")) : 100;
    this.columns = jsonOf(parameters, "columns", (columns) => Array.isArray(columns) && columns.every(isPath));
    this.sort = jsonOf(parameters, "sort", (sort) => isPath(sort.path));
    // The pages up to the one that is shown: by what token each is read, and how many items are before it.
    this.pages = [{ first: 0 }];
    if (parameters.get("after")) this.pages.push({ token: parameters.get("after"), first: Number(parameters.get("first")) || 0 });
    this.chosen = new Set();

    this.list = h("div", { class: "list" });
    this.pager = h("div", { class: "pager" });
    this.pane = h("div", { class: "pane", hidden: true });
    this.body = h("div", { class: "split" }, h("div", { class: "left" }, this.list, this.pager), this.pane);
    add(place, this.#bar(), elsewhere(account, "Items are", account.takesItems), this.body);
    this.item = new ItemPane(this.pane, account, container, {
      changed: () => this.load(),
      closed: () => this.#closeItem(),
    });
  }

  #bar() {
    this.filterInput = h("input", {
      type: "text",
      class: "code grow",
      value: this.filterText,
      placeholder: "c.total > 40",
      "aria-label": "Condition, as after WHERE",
      spellcheck: "false",
      onkeydown: (event) => event.key === "Enter" && this.#filter(),
    });
    this.deleteButton = button("Delete", () => this.#delete(), { class: "danger", hidden: true });
    return h(
      "div",
      { class: "tools" },
      h("span", { class: "code dim", "aria-hidden": "true" }, "WHERE"),
      this.filterInput,
      button("Filter", () => this.#filter()),
      h(
        "span",
        { class: "group", role: "group", "aria-label": "Show as" },
        this.#viewButton("table", "Table"),
        this.#viewButton("json", "JSON"),
      ),
      button("Columns", () => this.#chooseColumns()),
      button("Refresh", () => this.load(), { title: "Read this page again (r)", id: "refresh" }),
      this.account.writesItems && button("New item", () => this.#new(), { class: "main", id: "new", title: "New item (n)" }),
      this.account.writesItems && this.deleteButton,
    );
  }

  #viewButton(view, label) {
    return h(
      "button",
      {
        type: "button",
        "aria-pressed": String(this.view === view),
        onclick: (event) => {
          this.view = view;
          note({ view });
          for (const other of event.target.parentElement.children) other.setAttribute("aria-pressed", String(other === event.target));
          this.#render();
        },
      },
      label,
    );
  }

  async #filter() {
    this.filterText = this.filterInput.value.trim().replace(/^where\s+/i, "");
    note({ filter: this.filterText });
    await this.#begin();
  }

  /** Shows the first page of another order or choice of items. */
  async #begin() {
    this.pages = [{ first: 0 }];
    await this.load();
  }

  async #sortBy(path) {
    const again = this.sort && same(this.sort.path, path);
    this.sort = again && this.sort.descending ? undefined : { path, descending: Boolean(again) };
    note({ sort: this.sort && JSON.stringify(this.sort) });
    await this.#begin();
  }

  /** The query for what is shown; undefined where all items are shown as they lie. */
  #query() {
    const order = this.sort && !/\border\s+by\b/i.test(this.filterText) ? ` ORDER BY c${this.sort.path.map((name) => `[${JSON.stringify(name)}]`).join("")}${this.sort.descending ? " DESC" : ""}` : "";
    return this.filterText === "" && order === "" ? undefined : `SELECT * FROM c${this.filterText === "" ? "" : ` WHERE ${this.filterText}`}${order}`;
  }

  /** Reads the page that is shown, and nothing beyond it. */
  async load() {
    const { token, first } = this.pages.at(-1);
    const path = [...this.container.path, "docs"];
    const options = { size: this.size, continuation: token };
    const query = this.#query();
    const mine = (this.loading = Symbol());
    const isWanted = () => this.isWanted() && this.loading === mine;
    if (!this.rows) show(this.list, waiting("Reading items …"));
    try {
      const answer = query === undefined ? await this.account.page(path, options) : await this.account.query(path, query, { ...options, headers: COMPLETE });
      if (!isWanted()) return undefined;
      this.answer = answer;
      this.rows = this.answer.nodes;
      note({ after: token, first: first || "" });
      this.chosen.clear();
      this.#render();
    } catch (problem) {
      if (!isWanted()) return undefined;
      if (token !== undefined && problem.status === 400) {
        say("That page is not there any more. This is the first one.");
        return this.#begin();
      }
      const words = problem.mistake ? `The condition is wrong: ${problem.message}` : problem.message;
      show(this.list, h("p", { class: "error", role: "alert" }, words));
      show(this.pager);
    }
    return this.#showItem();
  }

  #render() {
    this.deleteButton.hidden = this.chosen.size === 0;
    this.deleteButton.textContent = `Delete ${this.chosen.size}`;
    this.#renderPager();
    if (this.rows.length === 0 && this.pages.length === 1) return show(this.list, this.#nothing());
    if (this.view === "json") {
      show(
        this.list,
        this.rows.map((row) => h("article", { class: "json-item" }, this.#openLink(row), h("pre", { class: "code", tabindex: "0" }, clipped(format(ownPart(row)))))),
      );
      return;
    }
    const columns = this.columns ?? this.#defaultColumns();
    show(
      this.list,
      table({
        label: `Items of ${this.container.id}`,
        columns,
        rows: this.rows,
        cell: (row, path) => (path.length === 1 && path[0] === "id" ? this.#openLink(row) : undefined),
        chosen: this.account.writesItems ? this.chosen : undefined,
        onchoose: () => {
          this.deleteButton.hidden = this.chosen.size === 0;
          this.deleteButton.textContent = `Delete ${this.chosen.size}`;
        },
        sort: this.sort,
        onsort: (path) => this.#sortBy(path),
      }),
    );
    this.#markOpen();
  }

  /** Marks the row of the item that is open beside the table. */
  #markOpen() {
    const { parameters } = read();
    const rows = this.list.querySelectorAll("tbody tr");
    this.rows?.forEach((row, place) => rows[place]?.classList.toggle("current", member(row, "id")?.value === parameters.get("item") && this.#keyText(row) === parameters.get("key")));
  }

  #nothing() {
    if (this.filterText !== "") return emptyState("No item fits this condition", "Change the condition, or empty it and press Enter to see all items.");
    return emptyState(
      "This container has no items",
      `Make one with “New item”, drop a file on the Data page, or write with an SDK. Every item needs an id${this.container.keyText ? ` and should have ${this.container.keyText}` : ""}.`,
    );
  }

  #defaultColumns() {
    const keys = this.container.keyPaths.filter((path) => !(path.length === 1 && path[0] === "id"));
    const found = columnsOf(this.rows).filter((path) => !SYSTEM.has(path[0]) && path[0] !== "id" && !keys.some((key) => key[0] === path[0]));
    return [["id"], ...keys, ...found.slice(0, 6)];
  }

  #openLink(row) {
    const id = member(row, "id")?.value ?? "";
    return h("a", { href: this.#address(row), class: "code", title: id }, id === "" ? "(no id)" : visible(id));
  }

  #address(row) {
    const here = read();
    return write({ ...here, parameters: { ...Object.fromEntries(here.parameters), item: member(row, "id")?.value, key: this.#keyText(row) } });
  }

  #keyText(row) {
    return `[${this.container.keyOf(row).map((node) => (node === undefined ? "{}" : compact(node))).join(",")}]`;
  }

  #renderPager() {
    const { first } = this.pages.at(-1);
    // The pages between the first one and one that a link led to are not known.
    const back = this.pages.length === 2 && first > this.size ? "First" : "Previous";
    show(
      this.pager,
      h("span", { class: "dim" }, this.rows.length === 0 ? "No items" : `Items ${first + 1} to ${first + this.rows.length}`, ` · ${this.answer.charge.toFixed(2)} RU`),
      h("span", { class: "spring" }),
      h(
        "label",
        {},
        "Per page ",
        h(
          "select",
          {
            onchange: async (event) => {
              this.size = Number(event.target.value);
              note({ size: this.size });
              await this.#begin();
            },
          },
          SIZES.map((size) => h("option", { value: size, selected: size === this.size }, String(size))),
        ),
      ),
      h("button", { type: "button", disabled: this.pages.length === 1, onclick: () => this.#turn(-1) }, back),
      h("button", { type: "button", disabled: !this.answer.continuation, onclick: () => this.#turn(1) }, "Next"),
    );
  }

  async #turn(step) {
    if (step > 0) this.pages.push({ token: this.answer.continuation, first: this.pages.at(-1).first + this.rows.length });
    else this.pages.pop();
    await this.load();
    this.list.scrollTop = 0;
  }

  async #chooseColumns() {
    const now = this.columns ?? this.#defaultColumns();
    const all = [...now, ...pathsOf(this.rows ?? [])].filter((path, place, paths) => paths.findIndex((other) => same(other, path)) === place);
    const boxes = all.map((path) => h("input", { type: "checkbox", checked: now.some((one) => same(one, path)) }));
    const answer = await ask(
      "Columns",
      h("ul", { class: "plain scroll" }, all.map((path, place) => h("li", {}, h("label", {}, boxes[place], " ", h("span", { class: "code" }, path.join("."))) ))),
      [
        { value: "yes", label: "Show these", kind: "main" },
        { value: "default", label: "As at first" },
        { value: "", label: "Cancel" },
      ],
    );
    if (answer === "") return;
    this.columns = answer === "default" ? undefined : all.filter((_, place) => boxes[place].checked);
    note({ columns: this.columns === undefined ? "" : JSON.stringify(this.columns) });
    this.#render();
  }

  // ---- one item ----

  async #showItem() {
    const { parameters } = read();
    const id = parameters.get("item");
    this.#markOpen();
    if (id === null) return;
    if (this.item.shows(id, parameters.get("key"))) return;
    let key;
    try {
      key = parse(parameters.get("key") ?? "[]").items;
    } catch {
      key = [];
    }
    this.#openPane();
    await this.item.open(id, key);
  }

  async #new() {
    if (!(await this.item.mayLeave())) return;
    this.#openPane();
    await this.item.create();
  }

  #openPane() {
    this.pane.hidden = false;
    this.body.classList.add("with-pane");
  }

  #closeItem() {
    this.pane.hidden = true;
    this.body.classList.remove("with-pane");
    note({ item: "", key: "" });
    this.#markOpen();
  }

  /** An editor can measure itself only where it is seen. */
  placed() {
    this.item.placed();
    this.#showOpenRow();
  }

  /** A link may lead to an item whose row is far down. */
  #showOpenRow() {
    const row = this.list.querySelector("tr.current");
    const box = row?.closest(".table");
    if (box && row.offsetTop + row.offsetHeight > box.clientHeight) box.scrollTop = row.offsetTop - box.clientHeight / 2;
  }

  /** The address has changed to another item, or to none. */
  async moved() {
    const { parameters } = read();
    if (parameters.get("item") === null) {
      if (!this.item.isNew) this.#closeItem();
    } else {
      await this.#showItem();
    }
  }

  get unsaved() {
    return this.item.unsaved;
  }

  /** Whether it is all right to show something else. */
  mayLeave() {
    return this.item.mayLeave();
  }

  async #delete() {
    const rows = [...this.chosen].map((place) => this.rows[place]);
    const names = rows.slice(0, 5).map((row) => member(row, "id").value).join(", ");
    const more = rows.length > 5 ? ` and ${rows.length - 5} more` : "";
    if (!(await confirm(`Delete ${rows.length === 1 ? "this item" : `these ${rows.length} items`}?`, `${names}${more}`, "Delete"))) return;
    const gone = [];
    try {
      for (const row of rows) {
        const headers = { ...this.container.keyHeader(row), "if-match": at(row, ["_etag"]).value };
        await this.account.send("DELETE", [...this.container.path, "docs", member(row, "id").value], { headers });
        gone.push(row);
      }
    } catch (problem) {
      complain(problem.status === 412 ? new Error("An item was changed by somebody else meanwhile, and stays.") : problem);
    }
    if (gone.length > 0) say(`Deleted ${gone.length === 1 ? "1 item" : `${gone.length} items`}.`, () => this.#restore(gone));
    await this.load();
  }

  async #restore(rows) {
    try {
      for (const row of rows) {
        await this.account.send("POST", [...this.container.path, "docs"], { headers: this.container.keyHeader(row), body: compact(ownPart(row)) });
      }
      say(`Put back ${rows.length === 1 ? "1 item" : `${rows.length} items`}.`);
    } catch (problem) {
      complain(problem);
    }
    await this.load();
  }
}

function isPath(value) {
  return Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === "string");
}

const SHOWN_MAX = 20_000;

/** A long text would make the page slow; the editor shows all of it. */
function clipped(text) {
  return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX)}\n… ${(text.length - SHOWN_MAX).toLocaleString()} more characters; open the item to see them`;
}
