import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createContainer, freshName, refused } from "./support.js";

let container;
before(async () => {
  container = await createContainer();
});

async function procedure(body) {
  const id = freshName("procedure");
  await container.scripts.storedProcedures.create({ id, body });
  return container.scripts.storedProcedure(id);
}

test("a procedure reads, replaces and creates in one transaction", async () => {
  const createComment = await procedure(function createComment(postId, comment) {
    const collection = getContext().getCollection();
    collection.readDocument(`${collection.getAltLink()}/docs/${postId}`, (err, post) => {
      if (err) throw err;
      post.commentCount++;
      collection.replaceDocument(post._self, post, (err) => {
        if (err) throw err;
        collection.createDocument(collection.getSelfLink(), comment, (err, created) => {
          if (err) throw err;
          console.log(`created ${created.id}`);
          getContext().getResponse().setBody({ count: post.commentCount, etag: created._etag });
        });
      });
    });
  }.toString());
  await container.items.create({ id: "post", pk: "a", commentCount: 0 });
  const { resource, headers } = await createComment.execute("a", ["post", { id: "comment", pk: "a" }], {
    enableScriptLogging: true,
  });
  assert.equal(resource.count, 1);
  assert.equal(decodeURIComponent(headers["x-ms-documentdb-script-log-results"]), "created comment");
  assert.equal((await container.item("comment", "a").read()).resource._etag, resource.etag);

  await refused("400/409", createComment.execute("a", ["post", { id: "comment", pk: "a" }]));
  assert.equal((await container.item("post", "a").read()).resource.commentCount, 1);
});

test("promises settle, and what they throw reaches the caller", async () => {
  const sum = await procedure(async function (...numbers) {
    await Promise.all(
      numbers.map(
        (n) =>
          new Promise((resolve, reject) =>
            __.upsertDocument(__.getSelfLink(), { id: `n${n}`, pk: "b", n }, (e, d) => (e ? reject(e) : resolve(d))),
          ),
      ),
    );
    if (numbers.includes(0)) throw new Error(1000, "no zeros");
    __.response.setBody(numbers.length);
  }.toString());
  assert.equal((await sum.execute("b", [1, 2, 3])).resource, 3);
  const error = await refused("400/1000", sum.execute("b", [4, 0]));
  assert.match(error.body.message, /no zeros/);
  assert.equal((await container.item("n4", "b").read()).statusCode, 404);
});

test("triggers change the item, and share the transaction of the write", async () => {
  await container.scripts.triggers.create({
    id: "stamp",
    triggerType: "Pre",
    triggerOperation: "All",
    body: "function () { const r = __.request, item = r.getBody(); item.stamped = true; r.setBody(item); }",
  });
  await container.scripts.triggers.create({
    id: "fail",
    triggerType: "Post",
    triggerOperation: "Create",
    body: "function () { if (__.response.getBody().bad) throw new Error('bad'); }",
  });
  const named = { preTriggerInclude: ["stamp"], postTriggerInclude: ["fail"] };
  const { resource } = await container.items.create({ id: "good", pk: "c" }, named);
  assert.equal(resource.stamped, true);
  await refused(400, container.items.create({ id: "bad", pk: "c", bad: true }, named));
  assert.equal((await container.item("bad", "c").read()).statusCode, 404);
});

test("queries call functions", async () => {
  await container.scripts.userDefinedFunctions.create({ id: "double", body: "(n) => 2 * n" });
  await container.items.create({ id: "x", pk: "d", n: 21 });
  const { resources } = await container.items
    .query("SELECT VALUE udf.double(c.n) FROM c WHERE c.pk = 'd' AND udf.double(c.n) > 1")
    .fetchAll();
  assert.deepEqual(resources, [42]);
});
