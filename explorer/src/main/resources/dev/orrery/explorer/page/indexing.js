// Changes the definition of a container, above all its indexing policy.

import { plain, parse } from "./json.js";

/** Puts an index into the policy: a path of its own, or several together. Gives what undoes it. */
export function addIndex(account, container, index) {
  return changeDefinition(account, container, ({ indexingPolicy: policy }) => {
    if (index.parts) {
      policy.compositeIndexes = [...(policy.compositeIndexes ?? []), index.parts];
    } else {
      policy.excludedPaths = (policy.excludedPaths ?? []).filter((one) => one.path !== index.path && !covers(one.path, index.path));
      policy.includedPaths = [...(policy.includedPaths ?? []).filter((one) => one.path !== index.path), { path: index.path }];
      if (policy.indexingMode === "none") policy.indexingMode = "consistent";
    }
  });
}

/** Whether an excluded path leaves out just that property, so that it must not be excluded any longer. */
function covers(excluded, path) {
  return excluded.replace(/\/[?*]$/, "") === path.replace(/\/[?*]$/, "") && excluded !== "/*";
}

/** The index that a refusal asks for, where a query has to have one: its words end with the parts as JSON. */
export function demandedIndex(message) {
  const found = /compositeIndexes.*?(\[\{"path":.*\])\s*$/s.exec(message);
  if (!found) return undefined;
  const parts = JSON.parse(found[1]);
  return { parts, label: parts.map((part) => `${part.path} ${part.order === "descending" ? "DESC" : "ASC"}`).join(", ") };
}

/**
 * Changes the definition as it is now, unless somebody else does so at the same moment. Gives what undoes the change, as
 * long as nobody has changed it since.
 */
export async function changeDefinition(account, container, change) {
  const reply = await account.send("GET", container.path);
  const before = plain(parse(reply.text));
  const after = structuredClone(before);
  change(after);
  const put = (definition, etag) => account.send("PUT", container.path, { headers: { "if-match": etag }, body: JSON.stringify(definition) });
  const etag = (await put(after, reply.header("etag"))).header("etag");
  return () => put(before, etag);
}
