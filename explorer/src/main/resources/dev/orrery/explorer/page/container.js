// What the pages of a container know of it: its definition, and how its items are addressed.

import { partitionKeyHeader } from "./account.js";
import { at, parse, plain, without } from "./json.js";

/** What the server adds to an item. */
export const SYSTEM = new Set(["_rid", "_self", "_etag", "_attachments", "_ts"]);

export async function readContainer(account, database, id) {
  const path = ["dbs", database, "colls", id];
  const reply = await account.send("GET", path);
  return new Container(database, id, path, parse(reply.text));
}

class Container {
  constructor(database, id, path, node) {
    this.database = database;
    this.id = id;
    this.path = path;
    this.node = node;
    this.definition = plain(node);
    /** Paths of the partition key as lists of names. */
    this.keyPaths = (this.definition.partitionKey?.paths ?? []).map(names);
  }

  /** The components of the partition key of an item; undefined where it has none. */
  keyOf(node) {
    return this.keyPaths.map((path) => at(node, path));
  }

  keyHeader(node) {
    return partitionKeyHeader(this.keyOf(node));
  }

  /** The names of its key, for people: /customer. */
  get keyText() {
    return (this.definition.partitionKey?.paths ?? []).join(", ");
  }
}

/** The names in a path of a definition: /a/"b c" is a, then b c. */
function names(path) {
  return [...path.matchAll(/\/(?:"((?:[^"\\]|\\.)*)"|([^/]*))/g)].map((found) => found[1] ?? found[2]);
}

/** The text of an item without what the server adds. */
export function ownPart(node) {
  return without(node, SYSTEM);
}
