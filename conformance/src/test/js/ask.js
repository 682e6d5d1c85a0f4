// Reads one query after another, each as a line of JSON, and prints what the SDK makes of it as a line of JSON.
import { createInterface } from "node:readline";
import { CosmosClient } from "@azure/cosmos";

const client = new CosmosClient({ endpoint: process.env.ORRERY_ENDPOINT, key: process.env.ORRERY_KEY });
const database = client.database(process.argv[2]);
// The server puts rows together; otherwise the SDK would, by plans, with faults of its own.
const initialHeaders = { "x-orrery-serve-raw-query": "true" };

async function answer({ container, query, parameters }) {
  try {
    const { resources } = await database
      .container(container)
      .items.query({ query, parameters }, { maxItemCount: 3, initialHeaders })
      .fetchAll();
    return { status: 200, rows: resources };
  } catch (error) {
    return { status: Number(error.code) || 0, message: error.body?.message ?? String(error.stack ?? error), rows: [] };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await answer(JSON.parse(line))));
}
