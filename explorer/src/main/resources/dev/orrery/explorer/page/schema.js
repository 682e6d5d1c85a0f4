// What items look like: the properties that those written last have, with their types and values.

import { SYSTEM } from "./container.js";
import { add, button, emptyState, h, show, visible, waiting } from "./dom.js";
import { compact } from "./json.js";
import { count } from "./plan.js";
import { COMPLETE } from "./queries.js";

const SAMPLE = 200;
const DEPTH_MAX = 8;
const PATHS_MAX = 500;
const VALUES_KEPT = 20;
const VALUES_SHOWN = 4;
const VALUE_LENGTH_MAX = 30;

export async function schemaPage(place, context) {
  const page = new SchemaPage(place, context);
  await page.load();
  return page;
}

class SchemaPage {
  constructor(place, { account, container }) {
    this.account = account;
    this.container = container;
    this.state = h("span", { class: "dim", role: "status" });
    this.list = h("div", { class: "list" });
    add(place, h("div", { class: "tools" }, this.state, h("span", { class: "spring" }), button("Refresh", () => this.load(), { id: "refresh", title: "Look at the items again (r)" })), this.list);
  }

  moved() {}

  async load() {
    show(this.list, waiting("Looking at items …"));
    let sample;
    try {
      sample = await this.#sample();
    } catch (problem) {
      return show(this.list, h("p", { class: "error", role: "alert" }, problem.message));
    }
    const { nodes, charge, lately } = sample;
    if (nodes.length === 0) {
      this.state.textContent = "";
      return show(this.list, emptyState("There is nothing to look at yet", "When the container has items, this page tells which properties they have, of which types, with which values."));
    }
    const paths = new Map();
    nodes.forEach((node) => look(node, "", paths, new Set(), 0));
    const limited = paths.size >= PATHS_MAX ? `, the first ${PATHS_MAX} properties` : "";
    this.state.textContent = `${count(nodes.length, "item")}${lately ? " written last" : ""}${limited} · ${charge.toFixed(2)} RU`;
    return show(this.list, figures(paths, nodes.length, this.container));
  }

  /** The items written last; those that come first where the index does not tell the time. */
  async #sample() {
    const path = [...this.container.path, "docs"];
    try {
      return { ...(await this.#pages((continuation, size) => this.account.query(path, "SELECT * FROM c ORDER BY c._ts DESC", { size, continuation, headers: COMPLETE }))), lately: true };
    } catch (problem) {
      if (problem.status !== 400) throw problem;
      return this.#pages((continuation, size) => this.account.page(path, { size, continuation }));
    }
  }

  async #pages(read) {
    const nodes = [];
    let charge = 0;
    let continuation;
    do {
      const page = await read(continuation, SAMPLE - nodes.length);
      nodes.push(...page.nodes);
      charge += page.charge;
      ({ continuation } = page);
    } while (continuation && nodes.length < SAMPLE);
    return { nodes, charge };
  }
}

/** Notes what is below a node; an item that has a path several times, in an array, counts once for it. */
function look(node, path, paths, seen, depth) {
  if (depth > DEPTH_MAX) return;
  if (node.kind === "array") node.items.forEach((item) => meet(item, `${path}[]`, paths, seen, depth));
  if (node.kind === "object") for (const one of node.members) if (depth > 0 || !SYSTEM.has(one.name)) meet(one.value, path === "" ? one.name : `${path}.${one.name}`, paths, seen, depth);
}

function meet(node, path, paths, seen, depth) {
  if (!paths.has(path) && paths.size >= PATHS_MAX) return;
  const known = paths.get(path) ?? { items: 0, all: 0, kinds: new Map(), values: new Map(), least: Infinity, most: -Infinity };
  paths.set(path, known);
  const kind = kindOf(node);
  known.all++;
  known.kinds.set(kind, (known.kinds.get(kind) ?? 0) + 1);
  if (!seen.has(path)) known.items++;
  seen.add(path);
  const figure = kind === "number" ? Number(node.text) : kind === "array" ? node.items.length : undefined;
  if (figure !== undefined) {
    known.least = Math.min(known.least, figure);
    known.most = Math.max(known.most, figure);
  }
  const text = kind === "string" ? node.value : kind === "boolean" || kind === "number" ? compact(node) : undefined;
  if (text !== undefined && (known.values.has(text) || known.values.size < VALUES_KEPT)) known.values.set(text, (known.values.get(text) ?? 0) + 1);
  look(node, path, paths, seen, depth + 1);
}

function kindOf(node) {
  return node.kind !== "word" ? node.kind : node.text === "null" ? "null" : "boolean";
}

function figures(paths, items, container) {
  const keys = new Set(container.keyPaths.map((path) => path.join(".")));
  return h(
    "div",
    { class: "table", tabindex: "0", role: "region", "aria-label": "Properties" },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ["Property", "Items that have it", "Types", "Values"].map((one) => h("th", { scope: "col" }, one)))),
      h(
        "tbody",
        {},
        [...paths].map(([path, known]) =>
          h(
            "tr",
            {},
            h("th", { scope: "row", class: "code request" }, visible(path), keys.has(path) && h("span", { class: "chip" }, "partition key")),
            h("td", {}, h("meter", { min: 0, max: items, value: known.items, "aria-label": `Items that have ${path}` }), ` ${share(known.items, items)}`),
            h("td", {}, kinds(known)),
            h("td", {}, values(known)),
          ),
        ),
      ),
    ),
  );
}

/** The kinds of a property, the most frequent one first; a share is told only where there are several. */
function kinds({ kinds: found, all }) {
  const ordered = [...found].sort(([, one], [, other]) => other - one);
  return ordered.length === 1 ? ordered[0][0] : ordered.map(([kind, times]) => `${kind} ${share(times, all)}`).join(", ");
}

/** From where to where numbers go and how long arrays are; else the most frequent values. */
function values({ kinds: found, values: kept, least, most }) {
  const parts = [];
  if (found.has("number") && found.size === 1) parts.push(least === most ? least.toLocaleString() : `${least.toLocaleString()} to ${most.toLocaleString()}`);
  else if (found.has("array")) parts.push(least === most ? count(least, "element") : `${least.toLocaleString()} to ${count(most, "element")}`);
  else if (kept.size > 0) {
    const frequent = [...kept].sort(([, one], [, other]) => other - one).slice(0, VALUES_SHOWN).map(([text]) => visible(text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX)}…` : text));
    const known = kept.size < VALUES_KEPT ? "" : `${VALUES_KEPT} or more values, such as `;
    parts.push(`${known}${frequent.join(", ")}${kept.size > VALUES_SHOWN ? ", …" : ""}`);
  }
  return parts;
}

function share(part, whole) {
  const percent = (100 * part) / whole;
  return percent > 0 && percent < 1 ? "< 1 %" : `${Math.round(percent)} %`;
}
