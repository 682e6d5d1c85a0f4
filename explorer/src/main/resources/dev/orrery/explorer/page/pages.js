// Which pages a container has. `tab` says under which tab a page without one of its own is.

import { changesPage } from "./changes.js";
import { costPage } from "./cost.js";
import { dataPage } from "./data.js";
import { itemsPage } from "./items.js";
import { queryPage } from "./query.js";
import { conflictPage, scriptPage, scriptsPage } from "./scripts.js";

export const TABS = [
  { page: "items", label: "Items" },
  { page: "query", label: "Query" },
  { page: "cost", label: "Cost" },
  { page: "changes", label: "Changes" },
  { page: "scripts", label: "Scripts" },
  { page: "data", label: "Data" },
];

export const PAGES = {
  items: { open: itemsPage },
  query: { open: queryPage },
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
