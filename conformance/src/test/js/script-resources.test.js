import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createContainer, freshName } from "./support.js";

const body = "function () { return 1; }";
let container;
before(async () => {
  container = await createContainer();
});

for (const [kind, more] of [
  ["storedProcedure", {}],
  ["trigger", { triggerType: "Pre", triggerOperation: "Create" }],
  ["userDefinedFunction", {}],
]) {
  test(`a ${kind} is created, read, replaced, listed, queried and deleted`, async () => {
    const id = freshName("script");
    const feed = container.scripts[`${kind}s`];
    assert.equal((await feed.create({ id, body, ...more })).statusCode, 201);
    const script = container.scripts[kind](id);
    const { resource } = await script.read();
    assert.equal(resource.body, body);
    await script.replace({ ...resource, body: "function (x) {}" });
    assert.deepEqual(
      (await feed.readAll().fetchAll()).resources.map((one) => one.body),
      ["function (x) {}"],
    );
    const query = { query: "SELECT * FROM s WHERE s.id = @id", parameters: [{ name: "@id", value: id }] };
    assert.equal((await feed.query(query).fetchAll()).resources.length, 1);
    await script.delete();
    await assert.rejects(script.read(), (error) => error.code === 404);
  });
}
