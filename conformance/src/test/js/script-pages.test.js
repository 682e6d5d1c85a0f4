// The JavaScript of the pages about scripts: what is between "docs:" and "end of docs" is printed there.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createContainer, refused } from "./support.js";

process.chdir(fileURLToPath(new URL("../../../docs/scripts/", import.meta.url)));

let posts;
beforeEach(async () => {
  posts = await createContainer({ partitionKey: { paths: ["/postId"] } });
});

test("stored procedure", async () => {
  await posts.items.create({ id: "post-1", postId: "post-1", type: "post", commentCount: 0 });
  // docs: stored-procedure
  const body = await readFile("createComment.js", "utf8");
  await posts.scripts.storedProcedures.create({ id: "createComment", body });

  const comment = { id: "comment-1", userId: "ada", content: "Well said." };
  const { resource, headers } = await posts.scripts
    .storedProcedure("createComment")
    .execute("post-1", ["post-1", comment], { enableScriptLogging: true });

  console.log(resource); // { id: 'comment-1', commentCount: 1 }
  console.log(decodeURIComponent(headers["x-ms-documentdb-script-log-results"])); // comment comment-1 of post-1
  // end of docs
  assert.deepEqual(resource, { id: "comment-1", commentCount: 1 });
  const log = decodeURIComponent(headers["x-ms-documentdb-script-log-results"]);
  assert.equal(log, "comment comment-1 of post-1");
  const again = posts.scripts.storedProcedure("createComment").execute("post-1", ["post-1", comment]);
  await refused("400/409", again);
  assert.equal((await posts.item("post-1", "post-1").read()).resource.commentCount, 1);
});

test("pre-trigger", async () => {
  // docs: pre-trigger
  const body = await readFile("checkPost.js", "utf8");
  await posts.scripts.triggers.create({ id: "checkPost", body, triggerType: "Pre", triggerOperation: "Create" });

  const post = { id: "post-1", postId: "post-1", userId: "ada", title: "On engines" };
  const { resource } = await posts.items.create(post, { preTriggerInclude: ["checkPost"] });

  console.log(resource.type, resource.commentCount); // post 0
  // end of docs
  assert.equal(resource.type, "post");
  assert.equal(resource.commentCount, 0);
  const untitled = posts.items.create({ id: "post-2", postId: "post-2" }, { preTriggerInclude: ["checkPost"] });
  const error = await refused("400/400", untitled);
  assert.match(error.body.message, /A post needs a title/);
});

test("post-trigger", async () => {
  const feed = await createContainer({ partitionKey: { paths: ["/type"] } });
  for (let number = 100; number < 200; number++) {
    await feed.items.create({ id: `${number}`, type: "post", creationDate: `${number}` });
  }
  // docs: post-trigger
  const body = await readFile("trimFeed.js", "utf8");
  await feed.scripts.triggers.create({ id: "trimFeed", body, triggerType: "Post", triggerOperation: "Create" });

  const post = { id: "post-1", type: "post", creationDate: "2026-11-16T09:00:00Z" };
  await feed.items.create(post, { postTriggerInclude: ["trimFeed"] });
  // end of docs
  const { resources } = await feed.items.query("SELECT VALUE f.id FROM f ORDER BY f.creationDate").fetchAll();
  assert.equal(resources.length, 100);
  assert.equal(resources[0], "101");
  assert.equal(resources[99], "post-1");
});

test("user-defined function", async () => {
  const written = { id: "post-1", postId: "post-1", type: "post", title: "On engines", content: "An engine ran." };
  await posts.items.create(written);
  // docs: user-defined-function
  const body = await readFile("summary.js", "utf8");
  await posts.scripts.userDefinedFunctions.create({ id: "summary", body });

  const query = "SELECT p.title, udf.summary(p.content, 9) AS summary FROM p WHERE p.type = 'post'";
  const { resources } = await posts.items.query(query).fetchAll();

  console.log(resources); // [ { title: 'On engines', summary: 'An engine…' } ]
  // end of docs
  assert.deepEqual(resources, [{ title: "On engines", summary: "An engine…" }]);
});
