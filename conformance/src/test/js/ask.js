// Reads one query after another, each as a line of JSON, and prints what the SDK makes of it as a line of JSON.
import { createInterface } from "node:readline";
import { CosmosClient } from "@azure/cosmos";

const client = new CosmosClient({ endpoint: process.env.ORRERY_ENDPOINT, key: process.env.ORRERY_KEY });
const [, , databaseName, whoMerges] = process.argv;
const database = client.database(databaseName);
// Without the header, the server refuses what comes from several ranges and needs a plan, and the SDK asks for one.
const initialHeaders = whoMerges === "server" ? { "x-orrery-serve-raw-query": "true" } : {};

// No statement has so many rows: an SDK that goes on for ever is found out.
const PAGES_MAX = 500;

async function rows(container, query) {
  const found = [];
  let pages = 0;
  for await (const { resources } of container.items.query(query, { maxItemCount: 3, initialHeaders }).getAsyncIterator()) {
    found.push(...resources);
    if (++pages > PAGES_MAX) {
      throw new Error("the SDK goes on for ever");
    }
  }
  return found;
}

async function answer({ container, query, parameters }) {
  try {
    return { status: 200, rows: await rows(database.container(container), { query, parameters }) };
  } catch (error) {
    return { status: Number(error.code) || 0, message: error.body?.message ?? String(error.stack ?? error), rows: [] };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await answer(JSON.parse(line))));
}
