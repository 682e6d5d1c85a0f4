import assert from "node:assert/strict";
import { before, test } from "node:test";
import { CosmosClient } from "@azure/cosmos";
import { createContainer, database, endpoint, freshName, refused } from "./support.js";

let user;
let container;
let other;
before(async () => {
  ({ user } = await database.users.create({ id: freshName("user") }));
  container = await createContainer();
  other = await createContainer();
  for (const one of [container, other]) {
    await one.items.create({ id: "1", pk: "mine" });
    await one.items.create({ id: "2", pk: "theirs" });
  }
});

async function clientWith(permission) {
  const id = freshName("permission");
  const { resource } = await user.permissions.create({ id, resource: container.url, ...permission });
  return new CosmosClient({ endpoint, resourceTokens: { [permission.resource ?? container.url]: resource._token } });
}

const inside = (limited, one) => limited.database(database.id).container(one.id);

test("users are created, read, listed, replaced and deleted", async () => {
  const id = freshName("user");
  assert.equal((await database.users.create({ id })).statusCode, 201);
  assert.equal((await database.user(id).read()).resource.id, id);
  await refused(409, database.users.create({ id }));
  assert.ok((await database.users.readAll().fetchAll()).resources.some((one) => one.id === id));
  const renamed = freshName("user");
  assert.equal((await database.user(id).replace({ id: renamed })).resource.id, renamed);
  assert.equal((await database.user(renamed).delete()).statusCode, 204);
  await refused(404, database.user(renamed).read());
  assert.equal((await database.users.upsert({ id })).statusCode, 201);
});

test("permissions are created, read, listed, replaced and deleted", async () => {
  const id = freshName("permission");
  const permission = { id, permissionMode: "read", resource: container.url };
  const { resource } = await user.permissions.create(permission);
  assert.match(resource._token, /^type=resource&ver=1/);
  assert.equal((await user.permission(id).read()).resource.permissionMode.toLowerCase(), "read");
  assert.ok((await user.permissions.readAll().fetchAll()).resources.some((one) => one.id === id));
  const replaced = await user.permission(id).replace({ ...permission, permissionMode: "all" });
  assert.equal(replaced.resource.permissionMode.toLowerCase(), "all");
  assert.equal((await user.permission(id).delete()).statusCode, 204);
  await refused(404, user.permission(id).read());
});

test("a read token reads and does not write", async () => {
  const limited = await clientWith({ permissionMode: "Read" });
  assert.equal((await inside(limited, container).item("1", "mine").read()).resource.id, "1");
  await refused(403, inside(limited, container).items.create({ id: "3", pk: "mine" }));
  await refused(403, inside(limited, container).item("1", "mine").delete());
});

test("an all token writes too", async () => {
  const limited = await clientWith({ permissionMode: "All" });
  await inside(limited, container).items.create({ id: "3", pk: "mine" });
  assert.equal((await inside(limited, container).item("3", "mine").delete()).statusCode, 204);
});

test("a token opens no other container", async () => {
  const limited = await clientWith({ permissionMode: "All" });
  const { resourceTokens } = limited.clientContext.cosmosClientOptions;
  const [token] = Object.values(resourceTokens);
  const stranger = new CosmosClient({ endpoint, resourceTokens: { [other.url]: token } });
  await refused(403, inside(stranger, other).item("1", "mine").read());
});

test("a token for a partition key opens that key only", async () => {
  const limited = await clientWith({ permissionMode: "All", resourcePartitionKey: ["mine"] });
  assert.equal((await inside(limited, container).item("1", "mine").read()).resource.id, "1");
  await refused(403, inside(limited, container).item("2", "theirs").read());
});
