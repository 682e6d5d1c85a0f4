import assert from "node:assert/strict";
import { test } from "node:test";
import { client, createContainer, database, freshName, refused } from "./support.js";

const ids = ({ resources }) => resources.map(({ id }) => id);

test("databases are found by a query", async () => {
  const query = {
    query: "SELECT d.id FROM d WHERE d.id = @id AND IS_STRING(d._rid)",
    parameters: [{ name: "@id", value: database.id }],
  };
  assert.deepEqual((await client.databases.query(query).fetchAll()).resources, [{ id: database.id }]);
});

test("containers are found, sorted and counted by queries", async () => {
  const prefix = freshName("q");
  for (const letter of ["b", "a", "c"]) {
    await createContainer({ id: `${prefix}-${letter}` });
  }
  const found = `FROM c WHERE STARTSWITH(c.id, "${prefix}")`;
  const sorted = database.containers.query(`SELECT * ${found} ORDER BY c.id DESC`, { maxItemCount: 1 });
  assert.deepEqual(ids(await sorted.fetchAll()), [`${prefix}-c`, `${prefix}-b`, `${prefix}-a`]);
  const counted = await database.containers.query(`SELECT VALUE COUNT(1) ${found}`).fetchAll();
  assert.deepEqual(counted.resources, [3]);
});

test("users and permissions are found by queries", async () => {
  const container = await createContainer();
  const { user } = await database.users.upsert({ id: freshName("user") });
  const { resource } = await container.read();
  await user.permissions.upsert({ id: "p", permissionMode: "read", resource: resource._self });
  const users = await database.users.query(`SELECT * FROM u WHERE u.id = "${user.id}"`).fetchAll();
  assert.deepEqual(ids(users), [user.id]);
  const permissions = await user.permissions.query("SELECT * FROM p WHERE LOWER(p.permissionMode) = 'read'").fetchAll();
  assert.deepEqual(ids(permissions), ["p"]);
  assert.ok(permissions.resources[0]._token);
});

test("offers are found by queries", async () => {
  const container = await createContainer({ throughput: 900 });
  const { resource } = await container.read();
  const offers = await client.offers
    .query(`SELECT VALUE o.content.offerThroughput FROM o WHERE o.resource = "${resource._self}"`)
    .fetchAll();
  assert.deepEqual(offers.resources, [900]);
});

test("a mistake in a query over resources is refused", async () => {
  await refused(400, database.containers.query("SELECT * FORM c").fetchAll());
});

test("query metrics are read by the SDK", async () => {
  const container = await createContainer();
  for (const id of ["1", "2", "3"]) {
    await container.items.create({ id, pk: "x", n: Number(id) });
  }
  const { resources, headers } = await container.items
    .query("SELECT * FROM c WHERE c.n > 1", { populateQueryMetrics: true })
    .fetchNext();
  assert.equal(resources.length, 2);
  const [metrics] = Object.values(headers["x-ms-documentdb-query-metrics"]);
  assert.equal(metrics.retrievedDocumentCount, 2);
  assert.equal(metrics.outputDocumentCount, 2);
  assert.ok(metrics.retrievedDocumentSize > 0);
});
