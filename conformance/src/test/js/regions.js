// Writes an item in one region and reads it in another, again and again in one session, and prints the session tokens that it was
// told as a line of JSON.
import { setTimeout } from "node:timers/promises";
import { CosmosClient } from "@azure/cosmos";

const [database, name, here, there] = process.argv.slice(2);
const client = new CosmosClient({
  endpoint: process.env.ORRERY_ENDPOINT,
  key: process.env.ORRERY_KEY,
  connectionPolicy: { preferredLocations: [here, there], useMultipleWriteLocations: true },
});
const container = client.database(database).container(name);

const told = [];
for (let n = 1; n <= 3; n++) {
  const written = await container.items.upsert({ id: "roaming", pk: "p1", n });
  told.push(written.headers["x-ms-session-token"]);
  let read;
  do {
    await setTimeout(20);
    read = await container.item("roaming", "p1").read({ excludedLocations: [here] });
  } while (read.resource?.n !== n);
  told.push(read.headers["x-ms-session-token"]);
}
console.log(JSON.stringify(told));
client.dispose();
