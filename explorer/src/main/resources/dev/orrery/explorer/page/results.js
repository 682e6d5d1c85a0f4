// The rows of a query: as a table, as JSON, as a tree, as a chart where they are numbers, and as a file.

import { loadChart, palette } from "./chart.js";
import { h, show } from "./dom.js";
import { compact, format, plain } from "./json.js";
import { columnsOf, table } from "./table.js";

const TEXT_MAX = 200_000;
const POINTS_MAX = 2000;
const SERIES_MAX = 4;
const BARS_MAX = 40;
const BAR_WIDTH_MAX = 90;
const COLUMNS_MAX = 200;
const LABEL_MAX = 24;

export function tableView(rows) {
  const columns = columnsOf(rows);
  const more = columns.length - COLUMNS_MAX;
  if (columns.length > 0) return [table({ label: "Rows", columns: columns.slice(0, COLUMNS_MAX), rows }), more > 0 && h("p", { class: "dim" }, `The rows have ${more.toLocaleString()} more properties, which “JSON” shows.`)];
  // Rows of SELECT VALUE have no names.
  const named = rows.map((row) => ({ kind: "object", members: [{ name: "value", value: row }] }));
  return table({ label: "Rows", columns: [["value"]], rows: named });
}

export function jsonView(rows) {
  const text = jsonText(rows);
  return h("pre", { class: "code framed", tabindex: "0" }, text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}\n… the rest is in the file that “Export JSON” gives` : text);
}

export function jsonText(rows) {
  return format({ kind: "array", items: rows });
}

/** Objects and arrays that open when they are wanted. */
export function treeView(rows) {
  return h("div", { class: "json-tree code" }, rows.map((row, place) => branch(`${place}`, row, rows.length <= 5)));
}

function branch(name, node, open = false) {
  if (node.kind !== "object" && node.kind !== "array") return h("div", { class: "leaf" }, h("span", { class: "dim" }, `${name}: `), h("span", { class: `value-${node.kind}` }, node.text));
  const parts = node.kind === "object" ? node.members.map((one) => [one.name, one.value]) : node.items.map((item, place) => [String(place), item]);
  const details = h("details", {}, h("summary", {}, `${name} `, h("span", { class: "dim" }, node.kind === "object" ? `{${parts.length}}` : `[${parts.length}]`)));
  let filled = false;
  details.addEventListener("toggle", () => {
    if (!details.open || filled) return;
    filled = true;
    details.append(...parts.slice(0, 1000).map(([part, value]) => branch(part, value)));
    if (parts.length > 1000) details.append(h("div", { class: "dim" }, `… ${parts.length - 1000} more`));
  });
  details.open = open;
  return details;
}

/** { labels, series } of rows that have numbers; undefined where there is nothing to draw. */
export function chartable(rows) {
  const values = rows.slice(0, POINTS_MAX).map(plain);
  if (values.length === 0) return undefined;
  if (values.every((value) => typeof value === "number")) return { labels: values.map((_, place) => String(place + 1)), series: [{ name: "value", points: values }] };
  if (!values.every((value) => value !== null && typeof value === "object" && !Array.isArray(value))) return undefined;
  const names = columnsOf(rows).map(([name]) => name).filter((name) => !name.startsWith("_"));
  const numbers = names.filter((name) => values.every((value) => value[name] === undefined || typeof value[name] === "number") && values.some((value) => typeof value[name] === "number"));
  if (numbers.length === 0) return undefined;
  const label = names.find((name) => values.every((value) => typeof value[name] === "string"));
  return {
    labels: values.map((value, place) => (label ? short(value[label]) : String(place + 1))),
    series: numbers.slice(0, SERIES_MAX).map((name) => ({ name, points: values.map((value) => value[name] ?? null) })),
  };
}

/** A long name would leave no room for the chart. */
function short(name) {
  return name.length > LABEL_MAX ? `${name.slice(0, LABEL_MAX)}…` : name;
}

export async function chartView(place, data) {
  const canvas = h("canvas", { role: "img", "aria-label": `Chart of ${data.series.map((one) => one.name).join(", ")}; the table has the same figures` });
  show(place, h("div", { class: "chart" }, canvas));
  const Chart = await loadChart();
  const colours = palette();
  const isBars = data.labels.length <= BARS_MAX;
  return new Chart(canvas, {
    type: isBars ? "bar" : "line",
    data: { labels: data.labels, datasets: data.series.map((one, index) => ({ label: one.name, data: one.points, backgroundColor: colours[index], borderColor: colours[index], borderWidth: isBars ? 0 : 1.5, borderRadius: 3, maxBarThickness: BAR_WIDTH_MAX, pointRadius: 0, clip: 4 })) },
    options: {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      layout: { padding: { top: 6, right: 8 } },
      // One series is named where its figures are.
      plugins: { legend: { display: data.series.length > 1 } },
      scales: { x: { grid: { display: !isBars } }, y: { title: { display: data.series.length === 1, text: data.series[0].name } } },
    },
  });
}

/**
 * Rows as CSV, a column for each property; what is no plain value is there as JSON. Spreadsheets take a text that begins like
 * a formula for one, wherever it comes from, so such a text begins with an apostrophe here; numbers are left alone.
 */
export function csvText(rows) {
  const columns = columnsOf(rows);
  if (columns.length === 0) return ["value", ...rows.map((row) => field(row))].join("\r\n");
  const head = columns.map(([name]) => quoted(harmless(name))).join(",");
  const lines = rows.map((row) => columns.map(([name]) => field(row.kind === "object" ? row.members.find((one) => one.name === name)?.value : undefined)).join(","));
  return [head, ...lines].join("\r\n");
}

function field(node) {
  if (node === undefined) return "";
  return quoted(node.kind === "string" ? harmless(node.value) : compact(node));
}

const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

function harmless(text) {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

function quoted(text) {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Hands a text to the person as a file. */
export function download(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
