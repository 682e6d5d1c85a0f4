// What one may do here: what the key allows, and what this region takes.

import { h } from "./dom.js";

/** The substatus of a write that another region takes. */
const ELSEWHERE = 3;

/**
 * Finds out what is taken here, and changes nothing: it offers an item to a container that nobody has. A key for reading and
 * a region that follows refuse it before anybody looks for the container; all others say that there is none. Writes of items
 * are in no audit log.
 */
export async function learnRights(account) {
  const path = ["dbs", crypto.randomUUID(), "colls", crypto.randomUUID(), "docs"];
  try {
    await account.send("POST", path, { headers: { "x-ms-documentdb-partitionkey": '["none"]' }, body: '{"id":"none"}' });
  } catch (problem) {
    const elsewhere = problem.status === 403 && problem.substatus === ELSEWHERE;
    account.mayWrite = problem.status !== 403 || elsewhere;
    account.takesItems = !elsewhere;
    account.takesChanges = !elsewhere;
  }
  if (account.hasRegions) noteRegions(account, await account.report("regions"));
}

/** Takes over what a region says of its account. */
export function noteRegions(account, status) {
  account.takesItems = status.takesItems ?? status.role === "writes";
  account.takesChanges = status.role === "writes";
  account.allWrite = status.takesItems !== undefined;
  account.writer = status.regions.find((one) => one.writes);
}

/** Behind the address of the server, what is not to be done here. */
export function rightsInWords(account) {
  if (!account.mayWrite) return " · read only";
  if (!account.takesItems) return " · follows another region, read only";
  return account.takesChanges ? "" : ` · takes items; all else is changed in ${account.writer?.name ?? "another region"}`;
}

/** Where something is changed that is not changed here, with the way there; nothing where it is changed here, or nowhere with this key. */
export function elsewhere(account, what, isTaken) {
  if (!account.mayWrite || isTaken) return undefined;
  const { writer } = account;
  const place = writer ? h("a", { href: `${writer.endpoint}_explorer/${location.hash}`, title: "The explorer of that region, at the same place" }, writer.name) : "another region";
  return h("p", { class: "dim elsewhere" }, `${what} changed in `, place, account.allWrite ? ", the hub of the account." : ", which takes the writes.");
}

/** The same of databases, containers, scripts and settings, in the words of a page. */
export function changedElsewhere(account, what) {
  return elsewhere(account, what, account.takesChanges);
}
