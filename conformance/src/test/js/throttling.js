// Against a server with --enforce-throughput; the other suites have one that refuses nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CosmosClient } from "@azure/cosmos";
import { createContainer, database, endpoint, freshName, key, refused } from "./support.js";

const impatient = new CosmosClient({
  endpoint,
  key,
  connectionPolicy: { retryOptions: { maxRetryAttemptCount: 0, fixedRetryIntervalInMilliseconds: 0, maxWaitTimeInSeconds: 0 } },
});

/** Writes many at once until one is refused. */
async function refusal(container, options) {
  const unwilling = impatient.database(database.id).container(container.id);
  for (let round = 0; round < 100; round++) {
    const writes = Array.from({ length: 50 }, () => unwilling.items.create({ id: freshName(), pk: "a" }, options));
    const failed = (await Promise.allSettled(writes)).find(({ status }) => status === "rejected");
    if (failed) {
      return failed.reason;
    }
  }
  return assert.fail("nothing was refused");
}

test("the SDK tries again until everything is written", async () => {
  const container = await createContainer({}, { offerThroughput: 400 });
  const began = performance.now();
  const written = [];
  // All of the first wave may have been let in before any of it is charged; then the second finds nothing left.
  for (const wave of ["first", "second"]) {
    const creates = Array.from({ length: 150 }, (_, i) => container.items.create({ id: `${wave}-${i}`, pk: "a" }));
    written.push(...(await Promise.all(creates)));
  }
  const seconds = (performance.now() - began) / 1000;
  const charged = written.reduce((sum, { requestCharge }) => sum + requestCharge, 0);
  assert.ok(charged > 600, `${charged} is more than there is at once`);
  const waited = written.some(({ diagnostics }) => diagnostics.clientSideRequestStatistics.retryDiagnostics.failedAttempts.length > 0);
  assert.ok(waited, `${charged} request units in ${seconds} s without a retry`);
  const { resources } = await container.items.query("SELECT VALUE COUNT(1) FROM c").fetchAll();
  assert.deepEqual(resources, [300]);
});

test("who does not try again is told when to", async () => {
  const container = await createContainer({}, { offerThroughput: 400 });
  const error = await refusal(container, {});
  assert.equal(error.code, 429);
  assert.equal(Number(error.substatus), 3200);
  assert.ok(error.retryAfterInMs > 0 && error.retryAfterInMs < 10_000, `${error.retryAfterInMs} ms`);
});

test("low priority waits for longer than high priority", async () => {
  const container = await createContainer({}, { offerThroughput: 400 });
  assert.equal((await refusal(container, { priorityLevel: "Low" })).code, 429);
  const { items } = impatient.database(database.id).container(container.id);
  const [high, low] = await Promise.allSettled(
    ["High", "Low"].map((priorityLevel) => items.create({ id: priorityLevel, pk: "a" }, { priorityLevel })),
  );
  if (high.status === "rejected") {
    assert.equal(low.status, "rejected");
    assert.ok(high.reason.retryAfterInMs < low.reason.retryAfterInMs, "high priority is the first to get through");
  }
});

test("a bucket has its share", async () => {
  const container = await createContainer({}, { offerThroughput: 1000 });
  const { offer } = await container.readOffer();
  const { resource } = await offer.read();
  resource.content.throughputBuckets = [{ id: 3, maxThroughputPercentage: 10 }];
  await offer.replace(resource);
  const error = await refusal(container, { throughputBucket: 3 });
  assert.equal(error.code, 429);
  assert.equal(Number(error.substatus), 3212);
  const { statusCode } = await impatient.database(database.id).container(container.id).items.create({ id: "1", pk: "a" });
  assert.equal(statusCode, 201);
});

test("what would cost more than a request may is refused", async () => {
  const container = await createContainer();
  const most = (requestUnits) => ({ initialHeaders: { "x-orrery-max-charge": String(requestUnits) } });
  const error = await refused(412, container.items.create({ id: "1", pk: "a" }, most(0.5)));
  assert.match(error.body.message, /more than the 0\.5 that it may/);
  assert.equal((await container.item("1", "a").read()).statusCode, 404);
  assert.equal((await container.items.create({ id: "1", pk: "a" }, most(100))).statusCode, 201);
});

test("a bill tells what a charge is made of", async () => {
  const container = await createContainer();
  const asked = { initialHeaders: { "x-orrery-charge-details": "true" } };
  const created = await container.items.create({ id: "1", pk: "a", name: "Ada" }, asked);
  const read = await container.item("1", "a").read(asked);
  const found = await container.items.query("SELECT * FROM c WHERE c.name = 'Ada'", { partitionKey: "a", ...asked }).fetchNext();
  const bill = ({ headers, requestCharge }) => {
    const { requestUnits, items } = JSON.parse(headers["x-orrery-charge-details"]);
    const sum = items.reduce((all, item) => all + item.requestUnits, 0);
    assert.equal(requestUnits, requestCharge);
    assert.equal(sum.toFixed(2), requestCharge.toFixed(2));
    return items.map(({ what }) => what);
  };
  assert.deepEqual(bill(created), ["itemsCreated", "termsWritten"]);
  assert.deepEqual(bill(read), ["itemsRead"]);
  assert.deepEqual(bill(found), ["partitionsAsked", "indexKeysRead", "itemsLoaded", "result"]);
  const { headers } = await container.item("1", "a").read();
  assert.equal(headers["x-orrery-charge-details"], undefined);
});
