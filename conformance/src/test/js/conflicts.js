// Lists what the conflicts feed of a container holds, queries, reads and deletes each, and prints what it saw as a line of JSON.
import { CosmosClient } from "@azure/cosmos";

const [database, name] = process.argv.slice(2);
const client = new CosmosClient({ endpoint: process.env.ORRERY_ENDPOINT, key: process.env.ORRERY_KEY });
const container = client.database(database).container(name);

const seen = [];
for (const { id } of (await container.conflicts.readAll().fetchAll()).resources) {
  const query = { query: "SELECT * FROM c WHERE c.id = @id", parameters: [{ name: "@id", value: id }] };
  const { resources } = await container.conflicts.query(query).fetchAll();
  const { resource: read } = await container.conflict(id).read();
  await container.conflict(id).delete();
  seen.push({
    id,
    found: resources.map((conflict) => conflict.id),
    operation: resources[0].operationType,
    loser: JSON.parse(read.content),
  });
}
console.log(JSON.stringify(seen));
client.dispose();
