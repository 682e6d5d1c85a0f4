// The settings of a container that can be changed: throughput and time to live; and its end.

import { go } from "./address.js";
import { ask, confirm } from "./dialog.js";
import { add, button, h, pairs, show } from "./dom.js";
import { throughput } from "./home.js";
import { changeDefinition } from "./indexing.js";
import { plain } from "./json.js";
import { complain, say } from "./notes.js";
import { changedElsewhere } from "./rights.js";

/**
 * Shows what is set, with a button beside what can be changed.
 *
 * @param set the throughput as the server reports it
 * @param changed tells that a setting has changed; `gone` that the container is no more
 */
export function showSettings(place, { account, container, set, changed, gone }) {
  const { definition } = container;
  const unique = definition.uniqueKeyPolicy?.uniqueKeys ?? [];
  const change = (label, action) => account.manages && button("Change", () => action().catch(complain), { class: "small", "aria-label": `Change the ${label}` });
  show(
    place,
    h("h2", {}, "Settings"),
    pairs([
      ["Throughput", [set ? `${throughput(set)} RU/s` : "not limited", set && !set.shared && change("throughput", () => changeThroughput(account, container, set, changed))]],
      ["Time to live", [lifeWords(definition.defaultTtl), change("time to live", () => changeLife(account, container, changed))]],
      ["Partition key", container.keyText || "none"],
      ["Unique keys", unique.length === 0 ? "none" : unique.map((one) => one.paths.join(" + ")).join("; ")],
      ["Conflicts", definition.conflictResolutionPolicy?.mode ?? "—"],
    ]),
  );
  if (account.manages) add(place, h("div", { class: "tools" }, button("Delete container", () => deleteContainer(account, container, gone).catch(complain), { class: "danger" })));
  else add(place, changedElsewhere(account, "Settings are"));
}

function lifeWords(seconds) {
  if (seconds === undefined) return "off: items stay";
  return seconds === -1 ? "on: items stay unless they say otherwise" : `items go ${seconds.toLocaleString()} s after they were last written`;
}

async function changeThroughput(account, container, set, changed) {
  const scales = set.mode === "autoscale";
  const units = h("input", { type: "number", min: scales ? "1000" : "400", step: scales ? "1000" : "100", value: String(set.requestUnits), required: true, autofocus: true });
  const answer = await ask("Throughput", h("label", { class: "field" }, scales ? "At most, RU/s" : "RU/s", units), [
    { value: "yes", label: "Set it", kind: "main" },
    { value: "", label: "Cancel" },
  ]);
  if (answer !== "yes") return;
  const found = await account.query(["offers"], "SELECT * FROM c WHERE c.offerResourceId = @rid", { parameters: [{ name: "@rid", value: JSON.stringify(container.definition._rid) }] });
  const offer = plain(found.nodes[0]);
  const put = async (figure) => {
    if (scales) offer.content.offerAutopilotSettings.maxThroughput = figure;
    else offer.content.offerThroughput = figure;
    await account.send("PUT", ["offers", offer.id], { body: JSON.stringify(offer) });
    await changed();
  };
  await put(Number(units.value));
  say(`Set ${Number(units.value).toLocaleString()} RU/s.`, () => put(set.requestUnits));
}

async function changeLife(account, container, changed) {
  const now = container.definition.defaultTtl;
  const seconds = h("input", { type: "number", min: "1", max: "2147483647", value: String(now > 0 ? now : 86_400), "aria-label": "Seconds" });
  const choices = [
    ["off", "Off: items stay, whatever they say", now === undefined],
    ["on", "On, for items that have a ttl of their own", now === -1],
    ["after", "On, for all items, so many seconds after they were last written:", now > 0],
  ].map(([value, words, checked]) => ({ words, box: h("input", { type: "radio", name: "life", value, checked }) }));
  const answer = await ask(
    "Time to live",
    [choices.map((one) => h("p", {}, h("label", {}, one.box, " ", one.words))), h("p", {}, seconds)],
    [
      { value: "yes", label: "Set it", kind: "main" },
      { value: "", label: "Cancel" },
    ],
  );
  if (answer !== "yes") return;
  const chosen = choices.find((one) => one.box.checked).box.value;
  const undo = await changeDefinition(account, container, (definition) => {
    delete definition.defaultTtl;
    if (chosen !== "off") definition.defaultTtl = chosen === "on" ? -1 : Number(seconds.value);
  });
  say("Set the time to live.", async () => {
    await undo();
    await changed();
  });
  await changed();
}

async function deleteContainer(account, container, gone) {
  if (!(await confirm(`Delete the container ${container.id}?`, "All its items and scripts go with it. This cannot be undone.", "Delete"))) return;
  await account.send("DELETE", container.path);
  say(`Deleted ${container.id}.`);
  await gone();
  go({ database: container.database });
}
