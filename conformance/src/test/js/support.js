// What every suite needs: a client, a database of its own, and a word for refusals.
import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { CosmosClient } from "@azure/cosmos";

export const endpoint = process.env.ORRERY_ENDPOINT;
export const key = process.env.ORRERY_KEY;

export const client = new CosmosClient({ endpoint, key });

let names = 0;

export function freshName(prefix = "c") {
  return `${prefix}-${process.pid}-${++names}`;
}

export const { database } = await client.databases.create({ id: freshName("js") });

/** A new container that nobody else uses. */
export async function createContainer(definition = {}, options = {}) {
  const { container } = await database.containers.create(
    { id: freshName(), partitionKey: { paths: ["/pk"] }, ...definition },
    options,
  );
  return container;
}

/** Asserts that the SDK reports this status, and a message for people. */
export async function refused(status, request) {
  const [code, substatus] = String(status).split("/").map(Number);
  try {
    await (typeof request === "function" ? request() : request);
  } catch (error) {
    assert.equal(error.code, code, error.stack);
    if (substatus !== undefined) {
      assert.equal(Number(error.substatus), substatus, error.stack);
    }
    const message = error.body?.message ?? error.message;
    assert.ok(message, "a refusal has a message");
    assert.doesNotMatch(message, /Exception:|\n\tat /);
    return error;
  }
  return assert.fail(`expected a refusal with ${status}`);
}

/** Waits for what must come; only the net against hanging, which ends the process, is a limit. */
export async function until(condition) {
  while (!(await condition())) {
    await setTimeout(20);
  }
}

/** What the user wrote of an item that was read. */
export function withoutSystemProperties(item) {
  const { _rid, _self, _etag, _ts, _attachments, ...written } = item;
  return written;
}
