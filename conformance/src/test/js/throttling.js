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

/** Spends so much at once that the container owes for many seconds, and tells how much. */
async function owe(container, options) {
  const dear = { id: freshName(), pk: "a", numbers: Array.from({ length: 10_000 }, (_, i) => i) };
  const { requestCharge } = await container.items.create(dear, options);
  return requestCharge;
}

/** What somebody is told who has to wait; nothing for one who is let in. */
async function refusal(container, options) {
  const asked = impatient.database(database.id).container(container.id).items.create({ id: freshName(), pk: "a" }, options);
  const letIn = await asked.then(() => true, () => false);
  return letIn ? undefined : refused(429, asked);
}

/**
 * Has a new container owe, and asks, until somebody is refused: on a slow machine the debt may be paid back before anybody
 * asks, but nobody is let in before it is. Gives what was asked, and all that was paid.
 */
async function untilRefused(container, rate, began, ask, options) {
  let paid = 0;
  for (;;) {
    paid += await owe(container, options);
    const told = await ask();
    if (told) {
      return { told, paid };
    }
    const gained = rate * (0.5 + (performance.now() - began) / 1000);
    assert.ok(paid <= gained + rate * 0.001, `let in with ${paid} paid of ${gained}`);
  }
}

test("the SDK tries again until everything is written", async () => {
  const began = performance.now();
  const container = await createContainer({}, { offerThroughput: 400 });
  const debt = await owe(container);
  const written = await Promise.all(Array.from({ length: 50 }, (_, i) => container.items.create({ id: `${i}`, pk: "a" })));
  const seconds = (performance.now() - began) / 1000;
  const charges = written.map(({ requestCharge }) => requestCharge);
  // The first of them had to wait for what was owed, however slow the machine is.
  assert.ok(debt <= 400 * (seconds + 0.5), `${debt} in ${seconds} s`);
  assert.ok(charges.every((charge) => charge > 0));
  const { resources } = await container.items.query("SELECT VALUE COUNT(1) FROM c").fetchAll();
  assert.deepEqual(resources, [51]);
});

test("who does not try again is told when to", async () => {
  const began = performance.now();
  const container = await createContainer({}, { offerThroughput: 400 });
  const { told, paid } = await untilRefused(container, 400, began, () => refusal(container, {}));
  assert.equal(Number(told.substatus), 3200);
  assert.ok(told.retryAfterInMs > 0 && told.retryAfterInMs <= (paid / 400) * 1000, `${told.retryAfterInMs} ms`);
});

test("low priority waits for longer than high priority", async () => {
  const began = performance.now();
  const container = await createContainer({}, { offerThroughput: 400 });
  const { told } = await untilRefused(container, 400, began, async () => {
    const asked = performance.now();
    const high = await refusal(container, { priorityLevel: "High" });
    // Who is let in with low priority where one of high priority was not has come when the debt was paid back.
    const low = high && (await refusal(container, { priorityLevel: "Low" }));
    return low && { high, low, between: performance.now() - asked };
  });
  const { high, low, between } = told;
  // Half of what may be used at once, a quarter of a second, is for high priority alone.
  assert.ok(low.retryAfterInMs > high.retryAfterInMs - between + 240, `${low.retryAfterInMs} and ${high.retryAfterInMs} ms`);
});

test("a bucket has its share", async () => {
  const container = await createContainer({}, { offerThroughput: 6000 });
  const { offer } = await container.readOffer();
  const { resource } = await offer.read();
  resource.content.throughputBuckets = [{ id: 3, maxThroughputPercentage: 1 }];
  await offer.replace(resource);
  // Half a minute of the bucket, and less than the container has at once; the bucket saves nothing.
  const { told, paid } = await untilRefused(container, 60, performance.now(), () => refusal(container, { throughputBucket: 3 }), {
    throughputBucket: 3,
  });
  assert.ok(paid > 1500, `${paid}`);
  assert.equal(Number(told.substatus), 3212);
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
