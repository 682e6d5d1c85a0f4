import assert from "node:assert/strict";
import { test } from "node:test";
import { CosmosClient } from "@azure/cosmos";
import { createContainer, database, endpoint, key, refused } from "./support.js";

test("a session reads what it wrote", async () => {
  const { id } = await createContainer({ throughput: 18_000 });
  const session = new CosmosClient({ endpoint, key, consistencyLevel: "Session" });
  const container = session.database(database.id).container(id);
  for (let i = 0; i < 30; i++) {
    await container.items.create({ id: `${i}`, pk: `key-${i}` });
    assert.equal((await container.item(`${i}`, `key-${i}`).read()).resource.id, `${i}`);
  }
  assert.equal((await container.item("0", "key-0").read()).resource.id, "0");
});

test("a token taken to another client reads what the first wrote", async () => {
  const container = await createContainer();
  const second = new CosmosClient({ endpoint, key, consistencyLevel: "Session" })
    .database(database.id)
    .container(container.id);
  for (let n = 0; n < 10; n++) {
    const { headers } = await container.items.upsert({ id: "1", pk: "a", n });
    const sessionToken = headers["x-ms-session-token"];
    assert.match(sessionToken, /^\d+:-1#\d+$/);
    assert.equal((await second.item("1", "a").read({ sessionToken })).resource.n, n);
  }
});

test("a client gets over a token ahead of the server", async () => {
  const container = await createContainer();
  const { headers } = await container.items.create({ id: "1", pk: "a" });
  const [range] = headers["x-ms-session-token"].split(":");
  const session = new CosmosClient({ endpoint, key, consistencyLevel: "Session" });
  // The refusal with 404/1002 makes the SDK forget the token and ask again.
  const { resource } = await session
    .database(database.id)
    .container(container.id)
    .item("1", "a")
    .read({ sessionToken: `${range}:-1#99999999` });
  assert.equal(resource.id, "1");
});

test("replies on missing and conflicting items carry the session", async () => {
  const container = await createContainer();
  await container.items.create({ id: "1", pk: "a" });
  const conflict = await refused(409, container.items.create({ id: "1", pk: "a" }));
  assert.match(conflict.headers["x-ms-session-token"], /^\d+:-1#\d+$/);
});
