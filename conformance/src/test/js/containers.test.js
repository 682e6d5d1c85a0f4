import assert from "node:assert/strict";
import { test } from "node:test";
import { client, createContainer, database, freshName, refused, until } from "./support.js";

test("a minimal container gets the defaults of the service", async () => {
  const container = await createContainer();
  const { resource } = await container.read();
  assert.deepEqual(resource.partitionKey, { paths: ["/pk"], kind: "Hash", version: 1 });
  assert.equal(resource.indexingPolicy.indexingMode, "consistent");
  assert.equal(resource.indexingPolicy.automatic, true);
  assert.deepEqual(resource.indexingPolicy.includedPaths, [{ path: "/*" }]);
  assert.deepEqual(resource.indexingPolicy.excludedPaths, [{ path: '/"_etag"/?' }]);
  assert.deepEqual(resource.conflictResolutionPolicy, {
    mode: "LastWriterWins",
    conflictResolutionPath: "/_ts",
    conflictResolutionProcedure: "",
  });
  assert.deepEqual(resource.geospatialConfig, { type: "Geography" });
  assert.match(resource._rid, /^.{12}$/);
  assert.equal(resource.defaultTtl, undefined);
});

test("every part of a definition is kept and returned", async () => {
  const definition = {
    defaultTtl: 3600,
    uniqueKeyPolicy: { uniqueKeys: [{ paths: ["/mail"] }, { paths: ["/first", "/last"] }] },
    conflictResolutionPolicy: { mode: "LastWriterWins", conflictResolutionPath: "/version" },
    geospatialConfig: { type: "Geometry" },
    computedProperties: [{ name: "lower", query: "SELECT VALUE LOWER(c.name) FROM c" }],
    vectorEmbeddingPolicy: {
      vectorEmbeddings: [{ path: "/vector", dataType: "float32", dimensions: 8, distanceFunction: "cosine" }],
    },
    fullTextPolicy: { defaultLanguage: "en-US", fullTextPaths: [{ path: "/text", language: "en-US" }] },
    changeFeedPolicy: { retentionDuration: 10 },
    indexingPolicy: {
      indexingMode: "consistent",
      automatic: true,
      includedPaths: [{ path: "/*" }],
      excludedPaths: [{ path: "/secret/*" }, { path: "/vector/*" }],
      compositeIndexes: [
        [
          { path: "/a", order: "ascending" },
          { path: "/b", order: "descending" },
        ],
      ],
      spatialIndexes: [
        {
          path: "/place/*",
          types: ["Point"],
          boundingBox: { xmin: -10, ymin: -10, xmax: 10, ymax: 10 },
        },
      ],
      vectorIndexes: [{ path: "/vector", type: "flat" }],
      fullTextIndexes: [{ path: "/text" }],
    },
  };
  const { resource } = await (await createContainer(definition)).read();
  for (const part of ["defaultTtl", "uniqueKeyPolicy", "geospatialConfig", "computedProperties", "changeFeedPolicy"]) {
    assert.deepEqual(resource[part], definition[part], part);
  }
  assert.equal(resource.conflictResolutionPolicy.conflictResolutionPath, "/version");
  assert.deepEqual(resource.vectorEmbeddingPolicy, definition.vectorEmbeddingPolicy);
  assert.deepEqual(resource.fullTextPolicy, definition.fullTextPolicy);
  for (const part of ["includedPaths", "compositeIndexes", "vectorIndexes", "fullTextIndexes"]) {
    assert.deepEqual(resource.indexingPolicy[part], definition.indexingPolicy[part], part);
  }
  const excluded = resource.indexingPolicy.excludedPaths.map((one) => one.path);
  assert.ok(excluded.includes("/secret/*") && excluded.includes("/vector/*"), excluded.join());
  assert.equal(resource.indexingPolicy.spatialIndexes[0].boundingBox.xmax, 10);
});

test("containers are listed, found by id and created if they are missing", async () => {
  const container = await createContainer();
  const { resources } = await database.containers.readAll().fetchAll();
  assert.ok(resources.some((one) => one.id === container.id));
  const query = { query: "SELECT * FROM c WHERE c.id = @id", parameters: [{ name: "@id", value: container.id }] };
  const { resources: found } = await database.containers.query(query).fetchAll();
  assert.deepEqual(found.map((one) => one.id), [container.id]);
  await refused(409, database.containers.create({ id: container.id, partitionKey: { paths: ["/pk"] } }));
  const again = await database.containers.createIfNotExists({ id: container.id, partitionKey: { paths: ["/pk"] } });
  assert.equal(again.statusCode, 200);
});

test("a container is replaced where that is legal", async () => {
  const container = await createContainer();
  const { resource: before } = await container.read();
  const replaced = await container.replace({ ...before, defaultTtl: 60 });
  assert.equal(replaced.statusCode, 200);
  const { resource: after } = await container.read();
  assert.equal(after.defaultTtl, 60);
  assert.equal(after._rid, before._rid);
  assert.notEqual(after._etag, before._etag);
  await refused(400, container.replace({ ...before, partitionKey: { paths: ["/other"], kind: "Hash", version: 2 } }));
  await refused(400, container.replace({ ...before, uniqueKeyPolicy: { uniqueKeys: [{ paths: ["/mail"] }] } }));
});

test("a deleted container is gone", async () => {
  const container = await createContainer();
  assert.equal((await container.delete()).statusCode, 204);
  await refused(404, container.read());
  assert.equal((await container.item("1", "a").read()).statusCode, 404);
});

test("throughput is read and replaced", async () => {
  const container = await createContainer({ throughput: 500 });
  const { resource: offer } = await container.readOffer();
  assert.equal(offer.content.offerThroughput, 500);
  assert.equal(offer.offerVersion, "V2");
  offer.content.offerThroughput = 700;
  const { resource: replaced } = await client.offer(offer.id).replace(offer);
  assert.equal(replaced.content.offerThroughput, 700);
  assert.equal((await container.readOffer()).resource.content.offerThroughput, 700);
  await refused(400, client.offer(offer.id).replace({ ...offer, content: { offerThroughput: 399 } }));
});

test("autoscale throughput is read and replaced", async () => {
  const container = await createContainer({ maxThroughput: 4000 });
  const { resource: offer } = await container.readOffer();
  assert.equal(offer.content.offerAutopilotSettings.maxThroughput, 4000);
  offer.content.offerAutopilotSettings.maxThroughput = 5000;
  await client.offer(offer.id).replace(offer);
  const { resource: replaced } = await container.readOffer();
  assert.equal(replaced.content.offerAutopilotSettings.maxThroughput, 5000);
});

test("all offers are listed", async () => {
  const container = await createContainer({ throughput: 900 });
  const { resource: definition } = await container.read();
  const { resources } = await client.offers.readAll().fetchAll();
  const mine = resources.filter((offer) => offer.offerResourceId === definition._rid);
  assert.equal(mine.length, 1);
  assert.equal(mine[0].content.offerThroughput, 900);
});

test("a database shares its throughput with its containers", async () => {
  const { database: shared } = await client.databases.create({ id: freshName("shared"), throughput: 600 });
  const { resource: offer } = await shared.readOffer();
  assert.equal(offer.content.offerThroughput, 600);
  const { container } = await shared.containers.create({ id: "sharing", partitionKey: { paths: ["/pk"] } });
  assert.equal((await container.readOffer()).resource, undefined);
});

test("every started six thousand units give a range, and these grow when more are asked for", async () => {
  const container = await createContainer({ throughput: 10_100 });
  assert.equal((await container.getFeedRanges()).length, 2);
  for (let i = 0; i < 40; i++) {
    await container.items.create({ id: `${i}`, pk: `key-${i}` });
  }
  const { resource: offer } = await container.readOffer();
  offer.content.offerThroughput = 30_100;
  await client.offer(offer.id).replace(offer);
  await until(async () => (await container.readPartitionKeyRanges().fetchAll()).resources.length === 4);
  for (let i = 0; i < 40; i++) {
    assert.equal((await container.item(`${i}`, `key-${i}`).read()).resource.pk, `key-${i}`);
  }
});
