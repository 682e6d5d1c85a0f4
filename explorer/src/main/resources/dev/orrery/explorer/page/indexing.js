// Changes the definition of a container, above all its indexing policy.

import { plain, parse } from "./json.js";

/** Puts an index into the policy as it is now: a path of its own, or several together. */
export async function addIndex(account, container, index) {
  const reply = await account.send("GET", container.path);
  const definition = plain(parse(reply.text));
  const policy = definition.indexingPolicy;
  if (index.parts) {
    policy.compositeIndexes = [...(policy.compositeIndexes ?? []), index.parts];
  } else {
    policy.excludedPaths = (policy.excludedPaths ?? []).filter((one) => one.path !== index.path && !covers(one.path, index.path));
    policy.includedPaths = [...(policy.includedPaths ?? []).filter((one) => one.path !== index.path), { path: index.path }];
    if (policy.indexingMode === "none") policy.indexingMode = "consistent";
  }
  await writePolicy(account, container, definition, policy, reply.header("etag"));
}

/** Whether an excluded path leaves out just that property, so that it must not be excluded any longer. */
function covers(excluded, path) {
  return excluded.replace(/\/[?*]$/, "") === path.replace(/\/[?*]$/, "") && excluded !== "/*";
}

export async function writePolicy(account, container, definition, policy, etag) {
  await replaceContainer(account, container, { ...definition, indexingPolicy: policy }, etag);
}

/** Writes the definition anew, unless somebody else has done so since it was read. */
export async function replaceContainer(account, container, definition, etag) {
  await account.send("PUT", container.path, { headers: { "if-match": etag }, body: JSON.stringify(definition) });
}
