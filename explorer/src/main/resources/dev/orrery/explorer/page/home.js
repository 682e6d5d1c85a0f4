// The account and a database: what there is, and how to begin.

import { go, write } from "./address.js";
import { confirm } from "./dialog.js";
import { add, button, emptyState, h } from "./dom.js";
import { format, member, plain } from "./json.js";
import { newContainer, newDatabase } from "./making.js";
import { complain, say } from "./notes.js";
import { changedElsewhere } from "./rights.js";

const KIBI = 1024;
const SHOWN_MAX = 500;

/** All containers with their figures, or what to do when there are none. */
export async function accountPage(place, { account, changed }) {
  const status = await account.report("status", { limit: SHOWN_MAX });
  add(
    place,
    h("div", { class: "tools" }, h("span", { class: "dim" }, status.containers.length > 0 && `Requests since ${new Date(status.since).toLocaleString()}`), h("span", { class: "spring" }), account.manages && button("New database", () => newDatabase(account, changed), { class: "main" })),
    changedElsewhere(account, "Databases are"),
    status.containers.length === 0
      ? emptyState(
          "Nothing is here yet",
          "Make a database with the button above, or let your program do it: an SDK needs the endpoint of this page and the key.",
          h("pre", { class: "code" }, `endpoint  ${location.origin}/`),
        )
      : figures(status),
  );
}

function figures(status) {
  const head = ["Database", "Container", "Items", "Size", "Partitions", "RU/s", "Requests", "RU", "Throttled", "p50 ms", "p99 ms"];
  const rows = status.containers.map((one) => [
    h("a", { href: write({ database: one.database }) }, one.database),
    h("a", { href: write({ database: one.database, container: one.container, page: "items" }) }, one.container),
    one.documents.toLocaleString(),
    bytes(one.bytes),
    one.partitions.toLocaleString(),
    throughput(one.throughput),
    one.requests.toLocaleString(),
    Math.round(one.requestUnits).toLocaleString(),
    one.throttled.toLocaleString(),
    millis(one.p50Millis),
    millis(one.p99Millis),
  ]);
  const rest = status.containerCount - rows.length;
  return [
    h(
      "div",
      { class: "table", tabindex: "0", role: "region", "aria-label": "Containers" },
      h(
        "table",
        { class: "names" },
        h("thead", {}, h("tr", {}, head.map((one, place) => h("th", { scope: "col", class: place > 1 ? "number" : "" }, one)))),
        h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, place) => h("td", { class: place > 1 ? "number" : "" }, cell))))),
      ),
    ),
    rest > 0 && h("p", { class: "dim" }, `${rest.toLocaleString()} more containers are in the tree.`),
  ];
}

/** Three digits are as many as anybody compares. */
function millis(figure) {
  return figure?.toLocaleString(undefined, { maximumSignificantDigits: 3 }) ?? "";
}

export function throughput(set) {
  if (!set) return "—";
  const figure = set.requestUnits.toLocaleString();
  return `${set.mode === "autoscale" ? "up to " : ""}${figure}${set.shared ? " shared" : ""}`;
}

export function bytes(count) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let size = count;
  let unit = 0;
  while (size >= KIBI && unit < units.length - 1) {
    size /= KIBI;
    unit++;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`;
}

/** A database: its containers, and its users when one of them is asked for. */
export async function databasePage(place, { account, database, parameters, changed }) {
  if (parameters.get("user")) return userPage(place, account, database, parameters.get("user"));
  await account.send("GET", ["dbs", database]);
  const page = await account.page(["dbs", database, "colls"], { size: 100 });
  const rows = page.nodes.map(plain);
  add(
    place,
    h(
      "div",
      { class: "tools" },
      h("h1", { class: "grow clip", title: database }, database),
      account.manages && button("New container", () => newContainer(account, database, changed), { class: "main" }),
      account.manages && button("Delete database", () => deleteDatabase(account, database, rows.length, changed), { class: "danger" }),
    ),
    changedElsewhere(account, "Containers are"),
    rows.length === 0
      ? emptyState("This database has no containers", "Items live in containers. Make one with “New container”.")
      : h(
          "ul",
          { class: "cards" },
          rows.map((one) =>
            h(
              "li",
              {},
              h("a", { href: write({ database, container: one.id, page: "items" }) }, one.id),
              h("span", { class: "dim" }, `partition key ${(one.partitionKey?.paths ?? ["none"]).join(", ")}`),
            ),
          ),
        ),
    page.continuation && h("p", { class: "dim" }, "More containers are in the tree."),
  );
}

async function userPage(place, account, database, user) {
  const page = await account.page(["dbs", database, "users", user, "permissions"]);
  add(
    place,
    h("h1", { class: "clip" }, `User ${user}`),
    page.nodes.length === 0
      ? emptyState("This user may do nothing", "Permissions give a user tokens for containers. An SDK makes them.")
      : page.nodes.map((node) => h("article", { class: "json-item" }, h("h2", { class: "code" }, member(node, "id").value), h("pre", { class: "code", tabindex: "0" }, format(node)))),
  );
}

async function deleteDatabase(account, database, containers, changed) {
  const words = containers === 0 ? "It has no containers." : "All its containers and items go with it. This cannot be undone.";
  if (!(await confirm(`Delete the database ${database}?`, words, "Delete"))) return;
  try {
    await account.send("DELETE", ["dbs", database]);
    say(`Deleted ${database}.`);
    await changed();
    go({});
  } catch (problem) {
    complain(problem);
  }
}
