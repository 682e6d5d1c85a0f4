// New databases and containers.

import { go } from "./address.js";
import { ask } from "./dialog.js";
import { h } from "./dom.js";
import { complain } from "./notes.js";

const CHOICES = [
  { value: "yes", label: "Make it", kind: "main" },
  { value: "", label: "Cancel" },
];

/** How much throughput there is to be, and whether it follows the load. `none` says what is without any. */
class ThroughputField {
  constructor(none, begin) {
    this.mode = h(
      "select",
      { onchange: () => this.#show() },
      [["manual", "a fixed figure"], ["autoscale", "as needed, up to"], ["none", none]].map(([value, words]) => h("option", { value, selected: value === begin }, words)),
    );
    this.units = h("input", { type: "number", "aria-label": "RU/s" });
    this.rows = [h("label", { class: "field" }, "Throughput", this.mode), (this.figure = h("label", { class: "field" }, "RU/s", this.units))];
    this.#show();
  }

  #show() {
    const least = this.mode.value === "autoscale" ? "1000" : "400";
    this.units.min = least;
    this.units.step = this.mode.value === "autoscale" ? "1000" : "100";
    this.units.value = least;
    this.figure.hidden = this.mode.value === "none";
  }

  headers() {
    if (this.mode.value === "manual") return { "x-ms-offer-throughput": this.units.value };
    return this.mode.value === "autoscale" ? { "x-ms-cosmos-offer-autopilot-settings": JSON.stringify({ maxThroughput: Number(this.units.value) }) } : {};
  }
}

export async function newDatabase(account, changed) {
  const name = h("input", { type: "text", required: true, autofocus: true });
  const throughput = new ThroughputField("each container has its own", "none");
  const answer = await ask("New database", [h("label", { class: "field" }, "Name", name), throughput.rows], CHOICES);
  if (answer !== "yes") return;
  const id = name.value.trim();
  await make(account, ["dbs"], { id }, throughput, changed, { database: id });
}

export async function newContainer(account, database, changed) {
  const name = h("input", { type: "text", required: true, autofocus: true });
  const key = h("input", { type: "text", class: "code", required: true, value: "/id", "aria-describedby": "key-words" });
  const unique = h("input", { type: "text", class: "code", placeholder: "/email; /street, /number", "aria-describedby": "unique-words" });
  const life = h("input", { type: "number", min: "-1", max: "2147483647", placeholder: "items stay", "aria-describedby": "life-words" });
  const throughput = new ThroughputField("none of its own: it shares that of its database", "manual");
  const answer = await ask(
    "New container",
    [
      h("label", { class: "field" }, "Name", name),
      h("label", { class: "field" }, "Partition key", key),
      h("p", { class: "dim", id: "key-words" }, "The property that items are spread by, such as /customer. Up to three, separated by commas."),
      throughput.rows,
      h(
        "details",
        {},
        h("summary", {}, "Unique keys and time to live"),
        h("label", { class: "field" }, "Unique keys", unique),
        h("p", { class: "dim", id: "unique-words" }, "Values that no two items of one partition key may share. They cannot be changed later. Several keys are separated by semicolons, the parts of one by commas."),
        h("label", { class: "field" }, "Time to live, in seconds", life),
        h("p", { class: "dim", id: "life-words" }, "When items go after they were last written; -1 for those that say so themselves."),
      ),
    ],
    CHOICES,
  );
  if (answer !== "yes") return;
  const id = name.value.trim();
  const paths = list(key.value, ",");
  const uniqueKeys = list(unique.value, ";").map((one) => ({ paths: list(one, ",") }));
  const definition = { id, partitionKey: { paths, kind: paths.length > 1 ? "MultiHash" : "Hash", version: 2 } };
  if (uniqueKeys.length > 0) definition.uniqueKeyPolicy = { uniqueKeys };
  if (life.value !== "") definition.defaultTtl = Number(life.value);
  await make(account, ["dbs", database, "colls"], definition, throughput, changed, { database, container: id, page: "items" });
}

function list(text, separator) {
  return text.split(separator).map((part) => part.trim()).filter((part) => part !== "");
}

async function make(account, path, definition, throughput, changed, place) {
  try {
    await account.send("POST", path, { headers: throughput.headers(), body: JSON.stringify(definition) });
    await changed();
    go(place);
  } catch (problem) {
    complain(problem);
  }
}
