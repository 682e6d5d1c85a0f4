import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createContainer, freshName } from "./support.js";

let container;
before(async () => {
  container = await createContainer({ throughput: 18_000 });
});

async function createItem(pk, more = {}) {
  return (await container.items.create({ id: freshName("item"), pk, ...more })).resource;
}

test("a batch of every operation succeeds as a whole", async () => {
  const [there, doomed, patched] = [await createItem("a"), await createItem("a"), await createItem("a", { n: 1 })];
  const fresh = freshName("item");
  const { result, code } = await container.items.batch(
    [
      { operationType: "Create", resourceBody: { id: fresh, pk: "a" } },
      { operationType: "Upsert", resourceBody: { id: freshName("item"), pk: "a" } },
      { operationType: "Read", id: there.id },
      { operationType: "Replace", id: there.id, resourceBody: { id: there.id, pk: "a", n: 7 } },
      { operationType: "Patch", id: patched.id, resourceBody: { operations: [{ op: "incr", path: "/n", value: 1 }] } },
      { operationType: "Delete", id: doomed.id },
    ],
    "a",
  );
  assert.equal(code, 200);
  assert.deepEqual(result.map((one) => one.statusCode), [201, 201, 200, 200, 200, 204]);
  assert.equal((await container.item(there.id, "a").read()).resource.n, 7);
  assert.equal((await container.item(patched.id, "a").read()).resource.n, 2);
  assert.equal((await container.item(doomed.id, "a").read()).statusCode, 404);
  assert.equal((await container.item(fresh, "a").read()).statusCode, 200);
});

test("one failure undoes a batch", async () => {
  const there = await createItem("a");
  const fresh = freshName("item");
  const { result, code } = await container.items.batch(
    [
      { operationType: "Create", resourceBody: { id: fresh, pk: "a" } },
      { operationType: "Create", resourceBody: { id: there.id, pk: "a" } },
      { operationType: "Delete", id: there.id },
    ],
    "a",
  );
  assert.equal(code, 207);
  assert.deepEqual(result.map((one) => one.statusCode), [424, 409, 424]);
  assert.equal((await container.item(fresh, "a").read()).statusCode, 404);
  assert.equal((await container.item(there.id, "a").read()).statusCode, 200);
});

test("etags count inside a batch", async () => {
  const there = await createItem("a");
  const replace = (ifMatch) =>
    container.items.batch(
      [{ operationType: "Replace", id: there.id, ifMatch, resourceBody: { id: there.id, pk: "a", n: 1 } }],
      "a",
    );
  assert.deepEqual((await replace('"old"')).result.map((one) => one.statusCode), [412]);
  assert.deepEqual((await replace(there._etag)).result.map((one) => one.statusCode), [200]);
});

test("a batch may have a hundred operations", async () => {
  const create = () => ({ operationType: "Create", resourceBody: { id: freshName("item"), pk: "a" } });
  const { result } = await container.items.batch(Array.from({ length: 100 }, create), "a");
  assert.ok(result.every((one) => one.statusCode === 201));
});

test("bulk operations succeed and fail each on its own", async () => {
  const taken = await createItem("key-0");
  const operations = Array.from({ length: 200 }, (_, i) => ({
    operationType: "Create",
    partitionKey: `key-${i}`,
    resourceBody: { id: `bulk-${i}`, pk: `key-${i}` },
  }));
  operations.push(
    { operationType: "Create", partitionKey: "key-0", resourceBody: { id: taken.id, pk: "key-0" } },
    { operationType: "Read", partitionKey: "key-0", id: taken.id },
    { operationType: "Delete", partitionKey: "key-1", id: "none" },
    { operationType: "Upsert", partitionKey: "key-2", resourceBody: { id: "upserted", pk: "key-2" } },
    {
      operationType: "Patch",
      partitionKey: "key-0",
      id: taken.id,
      resourceBody: { operations: [{ op: "set", path: "/n", value: 5 }] },
    },
  );
  const results = await container.items.executeBulkOperations(operations);
  const statuses = results.map(({ response, error }) => response?.statusCode ?? error?.code);
  assert.deepEqual(new Set(statuses.slice(0, 200)), new Set([201]));
  assert.deepEqual(statuses.slice(200), [409, 200, 404, 201, 200]);
  assert.equal((await container.item(taken.id, "key-0").read()).resource.n, 5);
  assert.equal((await container.item("bulk-199", "key-199").read()).statusCode, 200);
});
