import assert from "node:assert/strict";
import { test } from "node:test";
import { PartitionKeyBuilder } from "@azure/cosmos";
import { createContainer, refused } from "./support.js";

const NONE = {};

async function roundTrip(container, item, key) {
  assert.equal((await container.items.create(item)).statusCode, 201);
  const { resource, statusCode } = await container.item(item.id, key).read();
  assert.equal(statusCode, 200, JSON.stringify(key));
  for (const name of Object.keys(item)) {
    assert.deepEqual(resource[name], item[name]);
  }
  assert.equal((await container.items.upsert({ ...item, n: 1 })).statusCode, 200);
  assert.equal((await container.item(item.id, key).delete()).statusCode, 204);
  await container.items.create(item);
}

test("values of every type are keys", async () => {
  const container = await createContainer();
  for (const value of ["text", "", "größe 你好 😀", 1, 0, -1.5, 1e300, true, false, null]) {
    await roundTrip(container, { id: "1", pk: value }, value);
  }
  await roundTrip(container, { id: "1" }, NONE);
});

test("a container without a partition key path gets one nobody sets", async () => {
  const container = await createContainer({ partitionKey: undefined });
  const { resource } = await container.read();
  assert.deepEqual(resource.partitionKey.paths, ["/_partitionKey"]);
  await roundTrip(container, { id: "1", n: 0 }, NONE);
});

test("keys of the first version work too", async () => {
  const container = await createContainer({ partitionKey: { paths: ["/pk"], kind: "Hash", version: 1 } });
  assert.equal((await container.read()).resource.partitionKey.version, 1);
  for (const value of ["text", "größe", 7, true, null]) {
    await roundTrip(container, { id: "1", pk: value }, value);
  }
});

test("hierarchies of one to three levels work", async () => {
  const levels = ["/t", "/u", "/s"];
  for (let depth = 1; depth <= 3; depth++) {
    const container = await createContainer({
      partitionKey: { paths: levels.slice(0, depth), kind: "MultiHash", version: 2 },
    });
    const item = { id: "1", t: "tenant", u: 7, s: true };
    await roundTrip(container, item, ["tenant", 7, true].slice(0, depth));
  }
});

test("levels of a hierarchy may be null or missing", async () => {
  const container = await createContainer({
    partitionKey: { paths: ["/t", "/u", "/s"], kind: "MultiHash", version: 2 },
  });
  await roundTrip(container, { id: "1", t: "x", u: null, s: "z" }, ["x", null, "z"]);
  const partial = new PartitionKeyBuilder().addValue("x").addValue("y").addNoneValue().build();
  await roundTrip(container, { id: "2", t: "x", u: "y" }, partial);
});

test("a prefix of a hierarchy finds everything under it", async () => {
  const container = await createContainer({
    partitionKey: { paths: ["/t", "/u"], kind: "MultiHash", version: 2 },
    throughput: 18_000,
  });
  for (let i = 0; i < 12; i++) {
    await container.items.create({ id: `${i}`, t: i < 9 ? "x" : "y", u: `user-${i % 3}` });
  }
  const under = async (partitionKey) =>
    (await container.items.query("SELECT * FROM c", { partitionKey }).fetchAll()).resources.length;
  assert.equal(await under(["x"]), 9);
  assert.equal(await under(["x", "user-1"]), 3);
  assert.equal(await under(["z"]), 0);
});

test("a key longer than two kilobytes is refused", async () => {
  const container = await createContainer();
  await roundTrip(container, { id: "1", pk: "x".repeat(2000) }, "x".repeat(2000));
  await refused(400, container.items.create({ id: "1", pk: "x".repeat(2100) }));
});
