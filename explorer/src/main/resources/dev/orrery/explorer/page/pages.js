// Which pages an account and a container have. `tab` says under which tab a page without one of its own is.

import { changesPage } from "./changes.js";
import { conflictPage } from "./conflict.js";
import { costPage } from "./cost.js";
import { dataPage } from "./data.js";
import { accountPage } from "./home.js";
import { itemsPage } from "./items.js";
import { modelPage } from "./model.js";
import { queryPage } from "./query.js";
import { regionsPage } from "./regions.js";
import { schemaPage } from "./schema.js";
import { scriptPage, scriptsPage } from "./scripts.js";

export const ACCOUNT_TABS = [
  { page: undefined, label: "Containers", open: accountPage },
  { page: "regions", label: "Regions", open: regionsPage },
  { page: "model", label: "Model", open: modelPage },
];

/** The page of the account that an address names; the containers for one that does not exist. */
export function accountTabOf(place) {
  return ACCOUNT_TABS.find((tab) => tab.page === (place.parameters.get("page") ?? undefined)) ?? ACCOUNT_TABS[0];
}

export const TABS = [
  { page: "items", label: "Items" },
  { page: "query", label: "Query" },
  { page: "schema", label: "Schema" },
  { page: "cost", label: "Cost" },
  { page: "changes", label: "Changes" },
  { page: "scripts", label: "Scripts" },
  { page: "data", label: "Data" },
];

export const PAGES = {
  items: { open: itemsPage },
  query: { open: queryPage },
  schema: { open: schemaPage },
  cost: { open: costPage },
  changes: { open: changesPage },
  scripts: { open: scriptsPage },
  data: { open: dataPage },
  procedure: { tab: "scripts", open: scriptPage("procedure") },
  trigger: { tab: "scripts", open: scriptPage("trigger") },
  function: { tab: "scripts", open: scriptPage("function") },
  conflict: { tab: "items", open: conflictPage },
};

/** The page that an address names; the items for one that does not exist. */
export function pageOf(place) {
  return Object.hasOwn(PAGES, place.page ?? "") ? place.page : "items";
}
