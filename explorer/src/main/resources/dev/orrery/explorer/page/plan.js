// How a query found its rows: the plan as a tree, the indexes it used and lacks, and what the charge is made of.

import { button, h, pairs } from "./dom.js";

/**
 * @param answer what the pages added up to: { explanation, bill, metrics, indexes, charge, rows, pages, millis }
 * @param improve puts an index into the policy; undefined where nothing may be written
 */
export function planView(answer, improve) {
  const plan = answer.explanation;
  if (!plan) return h("p", { class: "dim" }, "The server told no plan.");
  return h(
    "div",
    { class: "plan-page" },
    h("section", {}, h("h3", {}, "Plan"), tree(plan, answer), facts(plan, answer)),
    h("section", {}, h("h3", {}, "Indexes"), indexes(plan, answer.indexes, improve)),
    h("section", {}, h("h3", {}, "Charge"), bill(answer)),
  );
}

/** The last step is the root: rows come up from the bottom. */
function tree(plan, answer) {
  let branch = h("ul", {}, h("li", {}, h("span", { class: "step access" }, access(plan)), h("ul", {}, plan.indexes.map((words) => h("li", {}, h("span", { class: "step index" }, `index: ${words}`))))));
  for (const step of plan.steps) branch = h("ul", {}, h("li", {}, h("span", { class: "step" }, step), branch));
  return h("ul", { class: "plan", "aria-label": "Plan" }, h("li", {}, h("span", { class: "step total" }, `${count(answer.rows, "row")} in ${count(answer.pages, "page")}`), branch));
}

function access(plan) {
  const ranges = `${plan.ranges} of ${count(plan.rangesOfContainer, "physical partition")}`;
  const places = plan.places > 0 ? `${count(plan.places, "place")}, ` : "";
  return `access: ${plan.access.replaceAll("_", " ")} (${places}${ranges})`;
}

function facts(plan, answer) {
  const { metrics } = answer;
  const rows = [
    ["Items read", `${(metrics.retrievedDocumentCount ?? 0).toLocaleString()} for ${count(answer.rows, "row")} returned`],
    ["Bytes read", (metrics.retrievedDocumentSize ?? 0).toLocaleString()],
    ["Index entries read", plan.entriesRead.toLocaleString()],
    ["Time in the server", `${(metrics.totalExecutionTimeInMs ?? answer.millis).toFixed(1)} ms`],
  ];
  return pairs(rows);
}

function indexes(plan, metrics, improve) {
  const used = [...single(metrics?.UtilizedIndexes), ...composite(metrics?.UtilizedIndexes)];
  const missing = [...single(metrics?.PotentialIndexes), ...composite(metrics?.PotentialIndexes)];
  return [
    h("p", {}, used.length === 0 ? "No index was used." : ["Used: ", used.map((one) => h("code", { class: "chip" }, one.label))]),
    missing.length === 0
      ? h("p", { class: "dim" }, "None is missing.")
      : h("ul", { class: "plain" }, missing.map((one) => h("li", { class: "missing" }, h("code", { class: "chip" }, one.label), ` would help, impact ${one.impact}. `, improve && button("Add to the policy", () => improve(one))))),
    plan.hints.length > 0 && h("ul", { class: "plain dim" }, plan.hints.map((words) => h("li", {}, words))),
  ];
}

function single(all) {
  return (all?.SingleIndexes ?? []).map((one) => ({ label: one.IndexSpec, path: one.IndexSpec, impact: one.IndexImpactScore.toLowerCase() }));
}

function composite(all) {
  return (all?.CompositeIndexes ?? []).map((one) => ({
    label: one.IndexSpecs.join(", "),
    parts: one.IndexSpecs.map((part) => ({ path: part.replace(/ (ASC|DESC)$/i, ""), order: / DESC$/i.test(part) ? "descending" : "ascending" })),
    impact: one.IndexImpactScore.toLowerCase(),
  }));
}

function bill(answer) {
  return h(
    "table",
    { class: "bill" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "What"), h("th", { scope: "col", class: "number" }, "Count"), h("th", { scope: "col", class: "number" }, "Bytes"), h("th", { scope: "col", class: "number" }, "RU"))),
    h(
      "tbody",
      {},
      [...answer.bill.values()].map((line) =>
        h("tr", {}, h("td", {}, inWords(line.what)), h("td", { class: "number" }, line.count.toLocaleString()), h("td", { class: "number" }, line.bytes ? line.bytes.toLocaleString() : ""), h("td", { class: "number" }, line.requestUnits.toFixed(2))),
      ),
      h("tr", {}, h("th", { scope: "row" }, "Together"), h("td"), h("td"), h("th", { class: "number" }, answer.charge.toFixed(2))),
    ),
  );
}

/** itemsLoaded is what the server calls it; people read “items loaded”. */
function inWords(name) {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

export function count(figure, noun) {
  return `${figure.toLocaleString()} ${noun}${figure === 1 ? "" : "s"}`;
}
