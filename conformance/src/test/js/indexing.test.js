import assert from "node:assert/strict";
import { test } from "node:test";
import { createContainer, refused } from "./support.js";

async function ids(container, query) {
  const { resources } = await container.items.query(query).fetchAll();
  return resources.map((item) => item.id).sort();
}

test("an item that is kept out of the index is read but not found", async () => {
  const container = await createContainer();
  await container.items.create({ id: "seen", pk: "a", n: 1 });
  await container.items.create({ id: "hidden", pk: "a", n: 1 }, { indexingDirective: "Exclude" });
  assert.deepEqual(await ids(container, "SELECT * FROM c WHERE c.n = 1"), ["seen"]);
  assert.deepEqual(await ids(container, "SELECT * FROM c ORDER BY c.n"), ["seen"]);
  assert.deepEqual(await ids(container, "SELECT * FROM c"), ["hidden", "seen"]);
  assert.equal((await container.item("hidden", "a").read()).resource.n, 1);
  await container.item("hidden", "a").replace({ id: "hidden", pk: "a", n: 1 }, { indexingDirective: "Include" });
  assert.deepEqual(await ids(container, "SELECT * FROM c WHERE c.n = 1"), ["hidden", "seen"]);
});

test("a word that is no indexing directive is refused", async () => {
  const container = await createContainer();
  await refused(400, container.items.create({ id: "1", pk: "a" }, { indexingDirective: "Sometimes" }));
});
