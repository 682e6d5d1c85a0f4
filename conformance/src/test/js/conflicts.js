// Lists what the conflicts feed of a container holds, queries each and deletes it, and prints what it saw as a line of JSON.
import { CosmosClient } from "@azure/cosmos";

const [database, name] = process.argv.slice(2);
const client = new CosmosClient({ endpoint: process.env.ORRERY_ENDPOINT, key: process.env.ORRERY_KEY });
const container = client.database(database).container(name);

const seen = [];
for (const { id } of (await container.conflicts.readAll().fetchAll()).resources) {
  // By a query: the SDK's own read of a conflict asks for it at an address that is none.
  const query = { query: "SELECT * FROM c WHERE c.id = @id", parameters: [{ name: "@id", value: id }] };
  const { resources } = await container.conflicts.query(query).fetchAll();
  await container.conflict(id).delete();
  seen.push({
    id,
    found: resources.map((conflict) => conflict.id),
    operation: resources[0].operationType,
    loser: JSON.parse(resources[0].content),
  });
}
console.log(JSON.stringify(seen));
client.dispose();
