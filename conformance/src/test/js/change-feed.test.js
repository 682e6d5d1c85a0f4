import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ChangeFeedIteratorResponse,
  ChangeFeedMode,
  ChangeFeedPolicy,
  ChangeFeedRetentionTimeSpan,
  ChangeFeedStartFrom,
  PartitionKeyDefinitionVersion,
  PartitionKeyKind,
  StatusCodes,
} from "@azure/cosmos";
import { createContainer, refused, until, withoutSystemProperties } from "./support.js";

const THREE_RANGES = { throughput: 18_000 };
const allVersions = { changeFeedMode: ChangeFeedMode.AllVersionsAndDeletes };

function follow(container, changeFeedStartFrom, options = {}) {
  return container.items.getChangeFeedIterator({ changeFeedStartFrom, ...options });
}

/** Everything that is new to an iterator, page by page, and where another one may go on. */
async function pages(iterator) {
  const found = [];
  for (;;) {
    const page = await iterator.readNext();
    assert.ok(page instanceof ChangeFeedIteratorResponse);
    assert.ok(page.requestCharge > 0);
    if (page.statusCode === StatusCodes.NotModified) {
      return { found, continuation: page.continuationToken };
    }
    assert.equal(page.statusCode, StatusCodes.Ok);
    found.push(page.result);
  }
}

async function drain(iterator) {
  return (await pages(iterator)).found.flat();
}

async function ids(iterator) {
  return (await drain(iterator)).map((item) => item.id);
}

async function put(container, ...items) {
  for (const item of items) {
    await container.items.upsert(item);
  }
}

function many(from, to) {
  return Array.from({ length: to - from }, (_, i) => ({ id: `i${from + i}`, pk: `key-${from + i}` }));
}

function names(from, to) {
  return many(from, to).map((item) => item.id);
}

function sorted(list) {
  return list.toSorted();
}

test("from the beginning comes every item once, as it is now", async () => {
  const container = await createContainer();
  await put(container, { id: "a", pk: "p", n: 1 }, { id: "b", pk: "p" }, { id: "c", pk: "p" });
  await put(container, { id: "a", pk: "p", n: 2 });
  await container.item("c", "p").delete();

  const items = await drain(follow(container, ChangeFeedStartFrom.Beginning()));

  assert.deepEqual(
    items.map(({ _lsn, ...item }) => withoutSystemProperties(item)),
    [
      { id: "b", pk: "p" },
      { id: "a", pk: "p", n: 2 },
    ],
  );
  assert.ok(Number.isInteger(items[0]._lsn) && items[0]._lsn < items[1]._lsn);
});

test("from now on comes only what is written later", async () => {
  const container = await createContainer();
  await put(container, { id: "before", pk: "p" });
  const iterator = follow(container, ChangeFeedStartFrom.Now());
  assert.deepEqual(await ids(iterator), []);
  await put(container, { id: "after", pk: "p" });
  assert.deepEqual(await ids(iterator), ["after"]);
  assert.deepEqual(await ids(iterator), []);
});

test("from a time comes what was written then or later", async () => {
  const container = await createContainer();
  const { resource: before } = await container.items.upsert({ id: "before", pk: "p" });
  const later = before._ts + 1;
  await until(async () => (await container.items.upsert({ id: "after", pk: "p" })).resource._ts >= later);
  const iterator = follow(container, ChangeFeedStartFrom.Time(new Date(later * 1000)));
  assert.deepEqual(await ids(iterator), ["after"]);
  await put(container, { id: "last", pk: "p" });
  assert.deepEqual(await ids(iterator), ["last"]);
  const earlier = ChangeFeedStartFrom.Time(new Date((later - 3600) * 1000));
  assert.deepEqual(await ids(follow(container, earlier)), ["before", "after", "last"]);
});

test("several ranges are read whole, and another iterator goes on from the continuation", async () => {
  const container = await createContainer(THREE_RANGES);
  await put(container, ...many(0, 40));
  const first = await pages(follow(container, ChangeFeedStartFrom.Beginning(), { maxItemCount: 4 }));
  assert.ok(first.found.every((page) => page.length <= 4));
  assert.deepEqual(sorted(first.found.flat().map((item) => item.id)), sorted(names(0, 40)));
  await put(container, ...many(40, 50));
  const second = follow(container, ChangeFeedStartFrom.Continuation(first.continuation));
  assert.deepEqual(sorted(await ids(second)), sorted(names(40, 50)));
});

test("an iterator may stop after any page", async () => {
  const container = await createContainer(THREE_RANGES);
  await put(container, ...many(0, 20));
  const seen = [];
  let from = ChangeFeedStartFrom.Beginning();
  for (let page = 0; page < 100 && seen.length < 20; page++) {
    const only = await follow(container, from, { maxItemCount: 3 }).readNext();
    seen.push(...only.result.map((item) => item.id));
    from = ChangeFeedStartFrom.Continuation(only.continuationToken);
  }
  assert.deepEqual(sorted(seen), sorted(names(0, 20)));
});

test("feed ranges together are the whole", async () => {
  const container = await createContainer(THREE_RANGES);
  await put(container, ...many(0, 40));
  const ranges = await container.getFeedRanges();
  assert.equal(ranges.length, 3);
  const iterators = ranges.map((range) => follow(container, ChangeFeedStartFrom.Beginning(range)));
  const all = [];
  for (const iterator of iterators) {
    const ofRange = await ids(iterator);
    assert.ok(ofRange.length > 0);
    all.push(...ofRange);
  }
  assert.deepEqual(sorted(all), sorted(names(0, 40)));
  await put(container, ...many(40, 50));
  const more = [];
  for (const iterator of iterators) {
    more.push(...(await ids(iterator)));
  }
  assert.deepEqual(sorted(more), sorted(names(40, 50)));
});

test("a partition key has a feed of its own, which another iterator continues", async () => {
  const container = await createContainer(THREE_RANGES);
  await put(container, ...many(0, 10), { id: "a", pk: "mine" }, { id: "b", pk: "mine" }, { id: "a", pk: "mine" });
  const first = await pages(follow(container, ChangeFeedStartFrom.Beginning("mine"), { maxItemCount: 1 }));
  assert.deepEqual(
    first.found.map((page) => page.map((item) => item.id)),
    [["b"], ["a"]],
  );
  await put(container, { id: "x", pk: "other" }, { id: "c", pk: "mine" });
  assert.deepEqual(await ids(follow(container, ChangeFeedStartFrom.Continuation(first.continuation))), ["c"]);

  const now = follow(container, ChangeFeedStartFrom.Now("mine"));
  assert.deepEqual(await ids(now), []);
  await put(container, { id: "y", pk: "other" }, { id: "d", pk: "mine" });
  assert.deepEqual(await ids(now), ["d"]);
});

for (const throughput of [400, 18_000]) {
  test(`a prefix of a hierarchical key has a feed of its own at ${throughput} units`, async () => {
    const container = await createContainer({
      throughput,
      partitionKey: {
        paths: ["/tenant", "/user"],
        kind: PartitionKeyKind.MultiHash,
        version: PartitionKeyDefinitionVersion.V2,
      },
    });
    for (let i = 0; i < 12; i++) {
      await put(container, { id: `${i}`, tenant: `t${i % 2}`, user: `u${i % 3}` });
    }
    const prefix = follow(container, ChangeFeedStartFrom.Beginning(["t1"]));
    assert.deepEqual(sorted(await ids(prefix)), sorted(["1", "3", "5", "7", "9", "11"]));
    await put(container, { id: "new", tenant: "t1", user: "u9" }, { id: "no", tenant: "t0", user: "u9" });
    assert.deepEqual(await ids(prefix), ["new"]);
    assert.deepEqual(await ids(follow(container, ChangeFeedStartFrom.Beginning(["t1", "u1"]))), ["1", "7"]);
  });
}

test("an iterator follows through a split", async () => {
  const container = await createContainer({ throughput: 400 });
  await put(container, ...many(0, 20));
  const iterator = follow(container, ChangeFeedStartFrom.Beginning());
  const first = await pages(iterator);
  assert.equal(first.found.flat().length, 20);
  await put(container, ...many(20, 25));
  const { offer, resource } = await container.readOffer();
  await offer.replace({ ...resource, content: { ...resource.content, offerThroughput: 20_100 } });
  await until(async () => (await container.readPartitionKeyRanges().fetchAll()).resources.length >= 3);
  await put(container, ...many(25, 40));
  assert.deepEqual(sorted(await ids(iterator)), sorted(names(20, 40)));
  const other = follow(container, ChangeFeedStartFrom.Continuation(first.continuation));
  assert.deepEqual(sorted(await ids(other)), sorted(names(20, 40)));
});

test("all versions come with what happened, from every range", async () => {
  const container = await createContainer(THREE_RANGES);
  const iterator = follow(container, ChangeFeedStartFrom.Now(), allVersions);
  assert.deepEqual(await drain(iterator), []);
  for (const { id, pk } of many(0, 6)) {
    await put(container, { id, pk, n: 1 }, { id, pk, n: 2 });
    await container.item(id, pk).delete();
  }
  const changes = await drain(iterator);
  assert.equal(changes.length, 18);
  for (const { id, pk } of many(0, 6)) {
    const own = changes.filter((change) => (change.current.id ?? change.metadata.id) === id);
    assert.deepEqual(
      own.map((change) => [change.metadata.operationType, change.current.n]),
      [
        ["create", 1],
        ["replace", 2],
        ["delete", undefined],
      ],
    );
    assert.deepEqual(own[2].metadata.partitionKey, { pk });
  }
});

test("all versions of one partition key, with those before where the container has a policy", async () => {
  const container = await createContainer({
    changeFeedPolicy: new ChangeFeedPolicy(ChangeFeedRetentionTimeSpan.fromMinutes(5)),
  });
  const start = await pages(follow(container, ChangeFeedStartFrom.Now("p"), allVersions));
  await put(container, { id: "a", pk: "p", n: 1 }, { id: "a", pk: "q", n: 1 }, { id: "a", pk: "p", n: 2 });
  await container.item("a", "p").delete();
  const iterator = follow(container, ChangeFeedStartFrom.Continuation(start.continuation), allVersions);
  const changes = await drain(iterator);
  assert.deepEqual(
    changes.map((change) => [change.metadata.operationType, change.previous?.n]),
    [
      ["create", undefined],
      ["replace", 1],
      ["delete", 2],
    ],
  );
  assert.equal(changes[2].metadata.previousImageLSN, changes[1].metadata.lsn);
});

test("an item that expires is deleted, and the change says so", async () => {
  const container = await createContainer({ defaultTtl: -1 });
  const iterator = follow(container, ChangeFeedStartFrom.Now(), allVersions);
  await drain(iterator);
  await put(container, { id: "short", pk: "p", ttl: 1 });
  const changes = [];
  await until(async () => changes.push(...(await drain(iterator))) >= 2);
  assert.deepEqual(
    changes.map((change) => [change.metadata.operationType, change.metadata.timeToLiveExpired ?? false]),
    [
      ["create", false],
      ["delete", true],
    ],
  );
});

test("all versions cannot be read from the beginning", async () => {
  const container = await createContainer();
  await refused(400, () => follow(container, ChangeFeedStartFrom.Beginning(), allVersions).readNext());
});
