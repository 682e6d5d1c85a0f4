// Whoever goes on by the SDK's own token at every page, each time with nothing else, gets what one walk without pages gives.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createContainer } from "./support.js";

const ITEMS = 120;
const QUERIES = Number(process.env.TEST_QUERIES ?? 25);
const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);

/** Marsaglia's xorshift: the same numbers for the same seed. */
function generator(from) {
  let state = from * 2_654_435_761 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

// By one key, and all of its values of one kind: the SDK's OrderByQueryRangeStrategy goes on with a condition such as
// `c.a <= "b" AND c.n >= 3`, which is not the order of two keys, and which no value of another kind fulfils. Letters beyond
// ASCII would be in its token, which it sends as a header. A first page of which OFFSET leaves nothing has no token: its
// OrderByQueryContinuationTokenManager only keeps one that there was before. It keeps the token that it asked with when an
// empty page ends a range, and repeats what came before: so the server gives no token unless another row follows.
const ORDERS = ["c.n", "c.n DESC", "c.s", "c.s DESC", "c.id DESC"];
const FILTERS = ["", " WHERE c.n > 1", " WHERE c.s != 'b'", " WHERE c.n IN (0, 2, 3)"];

function query(random) {
  const pick = (choices) => choices[random(choices.length)];
  const filter = pick(FILTERS);
  switch (random(3)) {
    case 0:
      return `SELECT VALUE c.id FROM c${filter}`;
    case 1:
      return `SELECT TOP ${1 + random(60)} VALUE c.id FROM c${filter} ORDER BY ${pick(ORDERS)}`;
    default:
      return `SELECT c.id, c.s, c.n FROM c${filter} ORDER BY ${pick(ORDERS)}`;
  }
}

/** The SDK goes on with tokens and empty pages when all rows of TOP have come, and may never end. */
function isComplete(token) {
  return JSON.parse(token).limit === 0;
}

/** Only ORDER BY gives the rows of several ranges an order. */
function comparable(rows, text) {
  return text.includes("ORDER BY") ? rows : rows.toSorted();
}

async function byTokens(container, text, maxItemCount) {
  const rows = [];
  let continuationToken;
  for (let pages = 0; pages <= 10 * ITEMS; pages++) {
    const page = await container.items
      .query(text, { maxItemCount, continuationToken, enableQueryControl: true })
      .fetchNext();
    rows.push(...page.resources);
    if (!page.continuationToken || isComplete(page.continuationToken)) {
      return rows;
    }
    ({ continuationToken } = page);
  }
  return assert.fail(`${text} in pages of ${maxItemCount} goes on for ever`);
}

for (const throughput of [400, 18_000]) {
  test(`a token goes on where the page ended, with ${throughput} units, TEST_SEED=${seed}`, async () => {
    const random = generator(seed);
    const container = await createContainer({ throughput });
    for (let i = 0; i < ITEMS; i++) {
      await container.items.create({
        id: String(i).padStart(3, "0"),
        pk: `key-${random(40)}`,
        n: random(5),
        s: ["a", "ab", "b", "it's", 'a "b"', "c\\d"][random(6)],
      });
    }
    for (let i = 0; i < QUERIES; i++) {
      const text = query(random);
      const pageSize = 1 + random(9);
      const { resources } = await container.items.query(text, { enableQueryControl: true }).fetchAll();
      const rows = await byTokens(container, text, pageSize);
      assert.deepEqual(comparable(rows, text), comparable(resources, text), `${text} in pages of ${pageSize}`);
    }
  });
}
