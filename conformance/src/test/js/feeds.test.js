import assert from "node:assert/strict";
import { test } from "node:test";
import { createContainer } from "./support.js";

async function filled(throughput, count) {
  const container = await createContainer({ throughput });
  const items = Array.from({ length: count }, (_, i) => ({ id: `${i}`, pk: `key-${i % 5}` }));
  await Promise.all(items.map((item) => container.items.create(item)));
  return container;
}

for (const throughput of [400, 18_000]) {
  test(`all items are read in pages at ${throughput} units`, async () => {
    const container = await filled(throughput, 57);
    const ids = new Set();
    const iterator = container.items.readAll({ maxItemCount: 10 });
    while (iterator.hasMoreResults()) {
      const { resources, requestCharge } = await iterator.fetchNext();
      assert.ok((resources ?? []).length <= 10);
      assert.ok(requestCharge > 0);
      for (const { id } of resources ?? []) {
        assert.ok(!ids.has(id), `${id} comes twice`);
        ids.add(id);
      }
    }
    assert.equal(ids.size, 57);
  });
}

test("a feed goes on where it stopped, in another iterator", async () => {
  const container = await filled(400, 25);
  const ids = [];
  let continuationToken;
  do {
    const page = await container.items
      .readAll({ maxItemCount: 4, continuationToken, partitionKey: "key-1" })
      .fetchNext();
    ids.push(...page.resources.map((item) => item.id));
    continuationToken = page.continuationToken;
  } while (continuationToken);
  assert.deepEqual(ids.sort(), ["1", "11", "16", "21", "6"]);
});

test("an empty container has an empty feed", async () => {
  const container = await createContainer();
  assert.deepEqual((await container.items.readAll().fetchAll()).resources, []);
});
