// Rows as a table; cells show what a value is, shortened, and never more than text.

import { h } from "./dom.js";
import { at, compact } from "./json.js";

const CELL_MAX = 120;
const LOOKED_AT = 50;

/** The paths of the properties that rows have, in the order in which they appear. */
export function columnsOf(rows) {
  const names = new Set();
  for (const row of rows.slice(0, LOOKED_AT)) {
    if (row.kind === "object") row.members.forEach((one) => names.add(one.name));
  }
  return [...names].map((name) => [name]);
}

/**
 * @param cell makes the content of a cell, or undefined to show the value
 * @param chosen a set of row numbers that can be ticked; none: nothing to tick
 */
export function table({ label, columns, rows, cell = () => undefined, chosen, onchoose }) {
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
  return h(
    "div",
    { class: "table", tabindex: "0", role: "region", "aria-label": label },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, chosen && h("th", { class: "tick" }, all), columns.map((path) => h("th", { scope: "col", class: isNumbers(path) ? "number" : "", title: path.join(".") }, path.join("."))))),
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
  return h("td", { class: node.kind, title: text.length > CELL_MAX ? undefined : text }, text.length > CELL_MAX ? `${text.slice(0, CELL_MAX)}…` : text);
}
