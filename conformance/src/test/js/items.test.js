import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createContainer, freshName, refused, until, withoutSystemProperties } from "./support.js";

let container;
before(async () => {
  container = await createContainer();
});

async function createItem(more = {}) {
  const item = { id: freshName("item"), pk: "a", ...more };
  return (await container.items.create(item)).resource;
}

test("an item is read as it was written", async () => {
  const written = {
    id: freshName("item"),
    pk: "a",
    zebra: 1.5,
    apple: [1, [2, {}], "3", null, true],
    text: "grüße 你好 😀 \u0000 \"quoted\"",
    object: { nested: { deep: [] } },
  };
  const created = await container.items.create(written);
  assert.equal(created.statusCode, 201);
  assert.ok(created.requestCharge > 0);
  assert.match(created.activityId, /^[0-9a-f-]{36}$/);
  const { resource, statusCode, etag } = await container.item(written.id, "a").read();
  assert.equal(statusCode, 200);
  assert.equal(etag, resource._etag);
  assert.deepEqual(withoutSystemProperties(resource), written);
  assert.deepEqual(Object.keys(withoutSystemProperties(resource)), Object.keys(written));
  assert.deepEqual(Object.keys(resource).slice(-5).sort(), ["_attachments", "_etag", "_rid", "_self", "_ts"]);
});

test("an item is replaced, upserted and deleted", async () => {
  const item = await createItem({ n: 1 });
  const replaced = await container.item(item.id, "a").replace({ id: item.id, pk: "a", n: 2 });
  assert.equal(replaced.statusCode, 200);
  assert.notEqual(replaced.resource._etag, item._etag);
  assert.equal(replaced.resource._rid, item._rid);
  assert.equal((await container.items.upsert({ id: item.id, pk: "a", n: 3 })).statusCode, 200);
  assert.equal((await container.items.upsert({ id: freshName("item"), pk: "a" })).statusCode, 201);
  assert.equal((await container.item(item.id, "a").delete()).statusCode, 204);
  const gone = await container.item(item.id, "a").read();
  assert.equal(gone.statusCode, 404);
  assert.equal(gone.resource, undefined);
  await refused(404, container.item(item.id, "a").delete());
});

test("an id may hold what divides addresses", async () => {
  for (const id of ["question?mark", "two??=a&b", "100%", "percent%20escape", " blank in front", "鱀 á +&=:"]) {
    assert.equal((await container.items.create({ id, pk: "a", n: 1 })).statusCode, 201);
    const item = container.item(id, "a");
    assert.equal((await item.read()).resource?.id, id);
    assert.equal((await item.replace({ id, pk: "a", n: 2 })).statusCode, 200);
    assert.equal((await item.patch([{ op: "incr", path: "/n", value: 40 }])).resource.n, 42);
    const query = { query: "SELECT VALUE c.n FROM c WHERE c.id = @id", parameters: [{ name: "@id", value: id }] };
    assert.deepEqual((await container.items.query(query, { partitionKey: "a" }).fetchAll()).resources, [42]);
    assert.equal((await item.delete()).statusCode, 204);
  }
});

test("an id is unique within its key", async () => {
  const item = await createItem();
  await refused(409, container.items.create({ id: item.id, pk: "a" }));
  assert.equal((await container.items.create({ id: item.id, pk: "b" })).statusCode, 201);
});

test("etags guard reads and writes", async () => {
  const item = await createItem({ n: 1 });
  const { resource: changed } = await container.items.upsert({ id: item.id, pk: "a", n: 2 });
  const one = container.item(item.id, "a");
  const unchanged = await one.read({ accessCondition: { type: "IfNoneMatch", condition: changed._etag } });
  assert.equal(unchanged.statusCode, 304);
  const ifOld = { accessCondition: { type: "IfMatch", condition: item._etag } };
  const ifNew = { accessCondition: { type: "IfMatch", condition: changed._etag } };
  await refused(412, one.replace({ id: item.id, pk: "a", n: 3 }, ifOld));
  await refused(412, one.delete(ifOld));
  await refused(412, container.items.upsert({ id: item.id, pk: "a", n: 3 }, ifOld));
  assert.equal((await one.replace({ id: item.id, pk: "a", n: 3 }, ifNew)).statusCode, 200);
});

test("a patch knows six operations", async () => {
  const item = await createItem({ n: 1, text: "old", list: [1, 2], object: { inner: 1 } });
  const { resource, statusCode } = await container.item(item.id, "a").patch([
    { op: "add", path: "/list/0", value: 0 },
    { op: "set", path: "/fresh", value: "new" },
    { op: "replace", path: "/text", value: "newer" },
    { op: "remove", path: "/object/inner" },
    { op: "incr", path: "/n", value: 41 },
    { op: "move", from: "/text", path: "/object/text" },
  ]);
  assert.equal(statusCode, 200);
  assert.deepEqual(withoutSystemProperties(resource), {
    id: item.id,
    pk: "a",
    n: 42,
    list: [0, 1, 2],
    object: { text: "newer" },
    fresh: "new",
  });
});

test("a patch has a condition", async () => {
  const item = await createItem({ n: 1 });
  const patch = { condition: "from c where c.n = 1", operations: [{ op: "incr", path: "/n", value: 1 }] };
  assert.equal((await container.item(item.id, "a").patch(patch)).resource.n, 2);
  await refused(412, container.item(item.id, "a").patch(patch));
});

test("a patch that fails changes nothing", async () => {
  const item = await createItem({ n: 1 });
  const patch = [
    { op: "set", path: "/n", value: 2 },
    { op: "remove", path: "/missing" },
  ];
  await refused(400, container.item(item.id, "a").patch(patch));
  assert.equal((await container.item(item.id, "a").read()).resource.n, 1);
  await refused(400, container.item(item.id, "a").patch([{ op: "set", path: "/pk", value: "b" }]));
});

test("ids may hold what URLs find hard", async () => {
  for (const id of ["with space", "a%20b", "a+b", "a&b=c", "é你好😀", "semi;colon", "'q'", "a:b@c", "[x]", "x".repeat(255)]) {
    await container.items.create({ id, pk: "ids" });
    assert.equal((await container.item(id, "ids").read()).resource?.id, id);
    assert.equal((await container.item(id, "ids").delete()).statusCode, 204);
  }
});

test("an item over two megabytes is refused", async () => {
  await refused(413, container.items.create({ id: "large", pk: "a", text: "x".repeat(2 * 1024 * 1024) }));
});

test("a unique key is unique within a partition key", async () => {
  const unique = await createContainer({ uniqueKeyPolicy: { uniqueKeys: [{ paths: ["/mail"] }] } });
  await unique.items.create({ id: "1", pk: "a", mail: "x" });
  await refused(409, unique.items.create({ id: "2", pk: "a", mail: "x" }));
  await unique.items.create({ id: "2", pk: "b", mail: "x" });
});

test("an item whose time is over is gone at once", async () => {
  const expiring = await createContainer({ defaultTtl: 1 });
  await expiring.items.create({ id: "short", pk: "a" });
  await expiring.items.create({ id: "never", pk: "a", ttl: -1 });
  await until(async () => (await expiring.item("short", "a").read()).statusCode === 404);
  assert.equal((await expiring.item("never", "a").read()).statusCode, 200);
  assert.equal((await expiring.items.create({ id: "short", pk: "a" })).statusCode, 201);
});

test("all items of a key are deleted at once", async () => {
  const doomed = await createContainer();
  for (let i = 0; i < 10; i++) {
    await doomed.items.create({ id: `${i}`, pk: i % 2 ? "odd" : "even" });
  }
  await doomed.deleteAllItemsForPartitionKey("odd");
  for (let i = 0; i < 10; i++) {
    assert.equal((await doomed.item(`${i}`, i % 2 ? "odd" : "even").read()).statusCode, i % 2 ? 404 : 200);
  }
});
