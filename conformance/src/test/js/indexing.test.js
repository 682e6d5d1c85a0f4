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
  assert.equal((await container.items.readAll().fetchAll()).resources.length, 2);
  assert.equal((await container.item("hidden", "a").read()).resource.n, 1);
  await container.item("hidden", "a").replace({ id: "hidden", pk: "a", n: 1 }, { indexingDirective: "Include" });
  assert.deepEqual(await ids(container, "SELECT * FROM c WHERE c.n = 1"), ["hidden", "seen"]);
});

test("a word that is no indexing directive is refused", async () => {
  const container = await createContainer();
  await refused(400, container.items.create({ id: "1", pk: "a" }, { indexingDirective: "Sometimes" }));
});

test("a query tells which indexes it uses and could use", async () => {
  const container = await createContainer({
    indexingPolicy: { includedPaths: [{ path: "/*" }], excludedPaths: [{ path: "/secret/?" }] },
  });
  await container.items.create({ id: "1", pk: "a", name: "n", price: 5, secret: 7 });
  const query = "SELECT * FROM c WHERE c.name = 'n' AND c.price > 2";
  const { indexMetrics } = await container.items.query(query, { populateIndexMetrics: true }).fetchNext();
  assert.deepEqual(JSON.parse(indexMetrics), {
    UtilizedIndexes: {
      SingleIndexes: [
        { IndexSpec: "/name/?", IndexImpactScore: "High" },
        { IndexSpec: "/price/?", IndexImpactScore: "High" },
      ],
      CompositeIndexes: [],
    },
    PotentialIndexes: {
      SingleIndexes: [],
      CompositeIndexes: [{ IndexSpecs: ["/name ASC", "/price ASC"], IndexImpactScore: "High" }],
    },
  });
  const excluded = await container.items
    .query("SELECT * FROM c WHERE c.secret = 7", { populateIndexMetrics: true })
    .fetchNext();
  assert.deepEqual(JSON.parse(excluded.indexMetrics).PotentialIndexes.SingleIndexes, [
    { IndexSpec: "/secret/?", IndexImpactScore: "High" },
  ]);
});
