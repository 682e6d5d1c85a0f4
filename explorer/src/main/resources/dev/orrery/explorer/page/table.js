// Rows as a table; cells show what a value is, shortened, and never more than text.

import { SYSTEM } from "./container.js";
import { h, visible } from "./dom.js";
import { at, compact } from "./json.js";

const CELL_MAX = 120;
const PATHS_MAX = 500;
const DEPTH_MAX = 8;

/** The paths of the properties that rows have, in the order in which they appear; what the server adds to items comes last. */
export function columnsOf(rows) {
  const names = new Set();
  for (const row of rows) {
    if (row.kind === "object") row.members.forEach((one) => names.add(one.name));
  }
  const all = [...names];
  const ordered = names.has("_self") ? [...all.filter((name) => !SYSTEM.has(name)), ...all.filter((name) => SYSTEM.has(name))] : all;
  return ordered.map((name) => [name]);
}

/**
 * The paths that may be chosen as columns: all names, and below those that are objects the values that are no objects or
 * arrays, each behind the name it is below.
 */
export function pathsOf(rows) {
  const below = new Map();
  for (const row of rows) look(row, [], below);
  return columnsOf(rows).flatMap(([name]) => [[name], ...(below.get(name)?.values() ?? [])]).slice(0, PATHS_MAX);
}

function look(node, path, below) {
  if (node.kind !== "object" || path.length > DEPTH_MAX) return;
  for (const one of node.members) {
    const here = [...path, one.name];
    if (one.value.kind === "object") look(one.value, here, below);
    else if (path.length > 0 && one.value.kind !== "array") {
      if (!below.has(here[0])) below.set(here[0], new Map());
      below.get(here[0]).set(JSON.stringify(here), here);
    }
  }
}

/**
 * @param cell makes the content of a cell, or undefined to show the value
 * @param chosen a set of row numbers that can be ticked; none: nothing to tick
 * @param sort { path, descending } of the order that rows are in; `onsort` is given the path of a name that is pressed
 */
export function table({ label, columns, rows, cell = () => undefined, chosen, onchoose, sort, onsort }) {
  const boxes = [];
  const all = chosen && h("input", { type: "checkbox", "aria-label": "Choose all rows", onchange: () => chooseAll() });
  function chooseAll() {
    boxes.forEach((box, place) => {
      box.checked = all.checked;
      if (all.checked) chosen.add(place);
      else chosen.delete(place);
    });
    onchoose();
  }
  function box(place) {
    const made = h("input", {
      type: "checkbox",
      checked: chosen.has(place),
      "aria-label": `Choose row ${place + 1}`,
      onchange: () => {
        if (made.checked) chosen.add(place);
        else chosen.delete(place);
        onchoose();
      },
    });
    boxes.push(made);
    return made;
  }
  // The name of a column stands above its figures.
  function isNumbers(path) {
    return rows.map((row) => at(row, path)).find((node) => node !== undefined)?.kind === "number";
  }
  function head(path) {
    const name = path.join(".");
    const order = sort && same(sort.path, path) ? (sort.descending ? "descending" : "ascending") : undefined;
    const arrow = order && h("span", { "aria-hidden": "true" }, sort.descending ? " ▾" : " ▴");
    const content = onsort ? h("button", { type: "button", class: "quiet sort", title: `Sort by ${name}`, onclick: () => onsort(path) }, visible(name), arrow) : visible(name);
    return h("th", { scope: "col", class: isNumbers(path) ? "number" : "", title: name, "aria-sort": order }, content);
  }
  return h(
    "div",
    { class: "table", tabindex: "0", role: "region", "aria-label": label },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, chosen && h("th", { class: "tick" }, all), columns.map(head))),
      h(
        "tbody",
        {},
        rows.map((row, place) =>
          h("tr", {}, chosen && h("td", { class: "tick" }, box(place)), columns.map((path) => value(cell(row, path), at(row, path)))),
        ),
      ),
    ),
  );
}

function value(made, node) {
  if (made) return h("td", {}, made);
  if (node === undefined) return h("td", {}, "");
  const text = node.kind === "string" ? node.value : compact(node);
  return h("td", { class: node.kind, title: text.length > CELL_MAX ? undefined : text }, visible(text.length > CELL_MAX ? `${text.slice(0, CELL_MAX)}…` : text));
}

/** Whether two paths are the same. */
export function same(one, other) {
  return one.length === other.length && one.every((name, place) => name === other[place]);
}
