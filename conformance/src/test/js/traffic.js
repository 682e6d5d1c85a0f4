// Writes an item and reads it, again and again until its input ends, and prints a line of JSON for each step.
import { setTimeout } from "node:timers/promises";
import { CosmosClient } from "@azure/cosmos";

const [database, name, partition, ...preferredLocations] = process.argv.slice(2);
const client = new CosmosClient({
  endpoint: process.env.ORRERY_ENDPOINT,
  key: process.env.ORRERY_KEY,
  connectionPolicy: { preferredLocations },
});
const container = client.database(database).container(name);
const query = "SELECT VALUE c.n FROM c WHERE c.id = @id";
let stopped = false;

function tell(step) {
  console.log(JSON.stringify(step));
}

/** Does something until the SDK does not give up on it. */
async function insist(action) {
  while (true) {
    try {
      return await action();
    } catch (error) {
      tell({ failed: `${error.code} ${error.substatus ?? ""} ${error.body?.message ?? error.stack ?? error}` });
      if (stopped) {
        throw error;
      }
      await setTimeout(50);
    }
  }
}

async function find(id) {
  const { statusCode, substatus, resource } = await container.item(id, partition).read();
  if (statusCode === 404 && substatus) {
    throw Object.assign(new Error("not here yet"), { code: 404, substatus });
  }
  return resource?.n;
}

async function select(id) {
  const parameters = [{ name: "@id", value: id }];
  const { resources } = await container.items.query({ query, parameters }, { partitionKey: partition }).fetchAll();
  return resources[0];
}

process.stdin.on("end", () => (stopped = true)).resume();
for (let n = 1; !stopped; n++) {
  const id = `${partition}-${n}`;
  await insist(() => container.items.upsert({ id, pk: partition, n }));
  tell({ written: n });
  for (const read of [find, select]) {
    const found = await insist(() => read(id));
    tell(found === n ? { read: n } : { lost: n });
  }
}
client.dispose();
