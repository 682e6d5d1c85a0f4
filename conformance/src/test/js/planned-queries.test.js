// Left to itself, the SDK sends a query as it is, is refused with a plan, and then asks each range.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CosmosClient } from "@azure/cosmos";
import { createContainer, database, endpoint, key } from "./support.js";

test("a query over several ranges is refused with 400/1004 and a plan, by which the SDK puts rows together", async () => {
  const { id } = await createContainer({ throughput: 18_000 });
  const refusals = [];
  const ranges = new Set();
  const watched = new CosmosClient({
    endpoint,
    key,
    plugins: [
      {
        on: "request",
        plugin: async (context, diagnostics, next) => {
          const range = context.headers["x-ms-documentdb-partitionkeyrangeid"];
          if (range !== undefined) {
            ranges.add(range);
          }
          try {
            return await next(context);
          } catch (error) {
            refusals.push(error);
            throw error;
          }
        },
      },
    ],
  });
  const container = watched.database(database.id).container(id);
  for (let n = 0; n < 9; n++) {
    await container.items.create({ id: String(n), pk: `key-${n}`, n });
  }
  const { resources } = await container.items.query("SELECT VALUE c.n FROM c ORDER BY c.n DESC").fetchAll();
  assert.deepEqual(resources, [8, 7, 6, 5, 4, 3, 2, 1, 0]);
  assert.deepEqual(
    refusals.map(({ code, substatus }) => [code, substatus]),
    [[400, 1004]],
  );
  const plan = JSON.parse(refusals[0].body.additionalErrorInfo);
  assert.deepEqual(plan.queryInfo.orderBy, ["Descending"]);
  assert.equal(ranges.size, 3);
});
