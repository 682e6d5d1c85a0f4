// Speaks the public protocol: signs requests in the browser and tells refusals. Nothing else sends requests.

import { at, compact, parse } from "./json.js";

const VERSION = "2020-07-15";
export const SCRIPT_LOG = "x-ms-documentdb-script-log-results";

/** What the server refused, or that it does not answer (status 0). */
export class Refusal extends Error {
  constructor(status, substatus, message, { mistake, retryAfterMillis = 0, log } = {}) {
    super(message);
    this.status = status;
    this.substatus = substatus;
    this.mistake = mistake;
    /** How long to wait before it is asked again, where the server says so. */
    this.retryAfterMillis = retryAfterMillis;
    /** What a script had said to its console before it failed, as it is in a header. */
    this.log = log;
  }
}

/** Whether this browser lets this page sign requests: only on https and on this very machine. */
export function canSign() {
  return globalThis.crypto?.subtle !== undefined;
}

/** An address of the protocol from names: `link("dbs", "shop", "colls", "orders")`. */
export function link(...parts) {
  return parts;
}

export class Account {
  #secret;

  constructor(key) {
    /** Whether the key lets one write. */
    this.mayWrite = true;
    /** Whether it lives in several regions, and whether all of them take writes of items. */
    this.hasRegions = false;
    this.allWrite = false;
    /** Whether this region takes writes of items, and changes of everything else. */
    this.takesItems = true;
    this.takesChanges = true;
    /** The region that takes changes of everything else, where there are several: { name, endpoint }. */
    this.writer = undefined;
    this.#secret = importKey(key);
  }

  /** Whether items may be written here, and procedures run. */
  get writesItems() {
    return this.mayWrite && this.takesItems;
  }

  /** Whether databases, containers, scripts and settings may be changed here. */
  get manages() {
    return this.mayWrite && this.takesChanges;
  }

  /**
   * Sends a request and gives { status, text, header(name), charge, millis }.
   *
   * @param path names and ids in turn, such as ["dbs", "shop", "colls"]
   * @param options headers, body, signal, parameters; `changes` for the stream of a container
   */
  async send(method, path, options = {}) {
    const response = await this.open(method, path, options);
    let text;
    try {
      text = method === "HEAD" ? "" : await response.text();
    } catch (problem) {
      throw lost(problem);
    }
    if (response.status >= 400) throw refusal(response, text);
    return {
      status: response.status,
      text,
      header: (name) => response.headers.get(name),
      charge: Number(response.headers.get("x-ms-request-charge") ?? 0),
      millis: Number(response.headers.get("x-ms-request-duration-ms") ?? 0),
    };
  }

  /** The response itself, with its body still to be read. */
  async open(method, path, { headers = {}, body, signal, parameters, changes } = {}) {
    const date = new Date().toUTCString();
    const single = path.length % 2 === 0;
    const type = changes ? "docs" : path.length === 0 ? "" : single ? path[path.length - 2] : path[path.length - 1];
    const signedLink = (single ? path : path.slice(0, -1)).join("/");
    const signature = await this.#sign(`${method.toLowerCase()}\n${type}\n${type === "offers" ? signedLink.slice(7).toLowerCase() : signedLink}\n${date.toLowerCase()}\n\n`);
    const query = parameters === undefined ? "" : `?${new URLSearchParams(parameters)}`;
    const address = `/${path.map(encodeURIComponent).join("/")}${changes ? "/changes" : ""}${query}`;
    try {
      return await fetch(address, {
        method,
        body,
        signal,
        headers: { ...headers, ...authorization(signature, date) },
        cache: "no-store",
        credentials: "omit",
        redirect: "error",
      });
    } catch (problem) {
      throw lost(problem);
    }
  }

  /** A report of the server about itself; of some containers only, where parameters say so. */
  report(path, parameters) {
    return this.#beside("GET", parameters ? `${path}?${new URLSearchParams(parameters)}` : path);
  }

  /** Something that the server is to do and that is no part of the protocol. */
  order(path, what) {
    return this.#beside("POST", path, JSON.stringify(what));
  }

  /** What stands beside the protocol is signed like a request for the account. */
  async #beside(method, path, body) {
    const date = new Date().toUTCString();
    const signature = await this.#sign(`${method.toLowerCase()}\n\n\n${date.toLowerCase()}\n\n`);
    let response;
    let text;
    try {
      response = await fetch(`/_orrery/${path}`, { method, body, headers: authorization(signature, date), cache: "no-store", credentials: "omit", redirect: "error" });
      text = await response.text();
    } catch (problem) {
      throw lost(problem);
    }
    if (response.status >= 400) throw refusal(response, text);
    return JSON.parse(text);
  }

  async #sign(text) {
    const bytes = await crypto.subtle.sign("HMAC", await this.#secret, new TextEncoder().encode(text));
    return btoa(String.fromCharCode(...new Uint8Array(bytes)));
  }

  /** One page of a feed as { nodes, continuation, charge }. */
  async page(path, { size = 100, continuation, headers = {}, signal } = {}) {
    const reply = await this.send("GET", path, { headers: paged(headers, size, continuation), signal });
    return feed(reply, path);
  }

  /** One page of the rows of a query. */
  async query(path, text, { parameters = [], size = 100, continuation, headers = {}, signal } = {}) {
    const asked = {
      "content-type": "application/query+json",
      "x-ms-documentdb-isquery": "true",
      "x-ms-documentdb-query-enablecrosspartition": "true",
      ...paged(headers, size, continuation),
    };
    const body = `{"query":${JSON.stringify(text)},"parameters":[${parameters.map((one) => `{"name":${JSON.stringify(one.name)},"value":${one.value}}`).join(",")}]}`;
    return feed(await this.send("POST", path, { headers: asked, body, signal }), path);
  }
}

function importKey(key) {
  const bytes = Uint8Array.from(atob(key), (character) => character.charCodeAt(0));
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

function authorization(signature, date) {
  return {
    authorization: encodeURIComponent(`type=master&ver=1.0&sig=${signature}`),
    "x-ms-date": date,
    "x-ms-version": VERSION,
  };
}

function paged(headers, size, continuation) {
  const all = { ...headers, "x-ms-max-item-count": String(size) };
  if (continuation) all["x-ms-continuation"] = continuation;
  return all;
}

const FEEDS = {
  dbs: "Databases",
  colls: "DocumentCollections",
  docs: "Documents",
  users: "Users",
  permissions: "Permissions",
  sprocs: "StoredProcedures",
  triggers: "Triggers",
  udfs: "UserDefinedFunctions",
  conflicts: "Conflicts",
  offers: "Offers",
  pkranges: "PartitionKeyRanges",
};

function feed(reply, path) {
  const body = parse(reply.text);
  const rows = at(body, [FEEDS[path[path.length - 1]]]) ?? at(body, ["Documents"]);
  return { nodes: rows?.items ?? [], continuation: reply.header("x-ms-continuation"), charge: reply.charge, millis: reply.millis, reply };
}

/** Refusals have a message for people; that of a wrong query is a document with places in the text. */
function refusal(response, text) {
  const substatus = Number(response.headers.get("x-ms-substatus") ?? 0);
  const retryAfterMillis = Number(response.headers.get("x-ms-retry-after-ms") ?? 0);
  let message = text;
  try {
    message = JSON.parse(text).message ?? text;
  } catch {
    message ||= `The server answers with status ${response.status}.`;
  }
  message = message.split("\r\nActivityId:")[0];
  if (message.startsWith("Message: {")) {
    const first = JSON.parse(message.slice("Message: ".length)).errors[0];
    return new Refusal(response.status, substatus, first.message, { mistake: first.location });
  }
  return new Refusal(response.status, substatus, message, { retryAfterMillis, log: response.headers.get(SCRIPT_LOG) ?? undefined });
}

function lost(problem) {
  if (problem.name === "AbortError") return problem;
  return new Refusal(0, 0, "The server does not answer. Is it still running?");
}

/** The header that names a partition key, from the nodes of its components; headers hold ASCII only. */
export function partitionKeyHeader(components) {
  const text = `[${components.map((node) => (node === undefined ? "{}" : compact(node))).join(",")}]`;
  return { "x-ms-documentdb-partitionkey": ascii(text) };
}

export function ascii(text) {
  return text.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
