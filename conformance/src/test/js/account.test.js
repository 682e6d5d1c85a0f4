import assert from "node:assert/strict";
import { test } from "node:test";
import { CosmosClient } from "@azure/cosmos";
import { client, createContainer, database, endpoint, freshName, key, refused } from "./support.js";

test("the account advertises the address the client came by", async () => {
  const { resource: account } = await client.getDatabaseAccount();
  assert.equal(account.consistencyPolicy, "Session");
  const [writable] = account.writableLocations;
  const [readable] = account.readableLocations;
  assert.equal(new URL(writable.databaseAccountEndpoint).origin, new URL(endpoint).origin);
  assert.equal(new URL(readable.databaseAccountEndpoint).origin, new URL(endpoint).origin);
});

test("the account is read once, not before every request", async () => {
  assert.notEqual((await fetchAccount()).id, "localhost");
});

test("a wrong key is refused", async () => {
  const stranger = new CosmosClient({ endpoint, key: Buffer.alloc(64).toString("base64") });
  await refused(401, stranger.databases.readAll().fetchAll());
});

test("a client may ask for weaker consistency and not for stronger", async () => {
  const container = await createContainer();
  await container.items.create({ id: "1", pk: "a" });
  const relaxed = new CosmosClient({ endpoint, key, consistencyLevel: "Eventual" });
  const { resource } = await relaxed.database(database.id).container(container.id).item("1", "a").read();
  assert.equal(resource.id, "1");
  const strict = new CosmosClient({ endpoint, key, consistencyLevel: "Strong" });
  await refused(400, strict.database(database.id).container(container.id).item("1", "a").read());
});

test("databases are created, read, listed, found by id and deleted", async () => {
  const id = freshName("database");
  const created = await client.databases.create({ id });
  assert.equal(created.statusCode, 201);
  assert.ok(created.requestCharge > 0);
  const { resource } = await client.database(id).read();
  assert.equal(resource.id, id);
  assert.match(resource._rid, /^.{8}$/);
  assert.equal(resource._colls, "colls/");
  await refused(409, client.databases.create({ id }));
  assert.equal((await client.databases.createIfNotExists({ id })).statusCode, 200);

  const { resources: all } = await client.databases.readAll().fetchAll();
  assert.ok(all.some((one) => one.id === id));
  const query = { query: "SELECT * FROM root r WHERE r.id = @id", parameters: [{ name: "@id", value: id }] };
  const { resources: found } = await client.databases.query(query).fetchAll();
  assert.deepEqual(found.map((one) => one.id), [id]);

  assert.equal((await client.database(id).delete()).statusCode, 204);
  await refused(404, client.database(id).read());
});

async function fetchAccount() {
  const { resource } = await client.getDatabaseAccount();
  return resource;
}
