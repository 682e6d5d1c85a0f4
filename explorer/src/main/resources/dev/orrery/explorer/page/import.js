// Carries the records of files into a container, as `./orrery import` does: what is there already, what has no id, what is
// refused, and what is tried again.

import { ownPart } from "./container.js";
import { compact, member, parse, withString } from "./json.js";
import { count } from "./plan.js";
import { records } from "./records.js";

const AT_ONCE = 8;
const TOLD_EVERY = 50;
/** After so long without any success the server is taken for lost. */
const PATIENCE_MILLIS = 60_000;
const PAUSE_MILLIS_FIRST = 20;
const PAUSE_MILLIS_MAX = 2000;

/** What passes: a busy server, and a write that met another one. */
const LATER = new Set([429, 449]);
/** What may pass, and leaves open whether the item was written: no answer, too late, failed, away. */
const HINDERED = new Set([0, 408, 500, 503]);
/** A range that was split meanwhile; the server finds the new one. */
const MOVED = 410;
/** What no other record would fare better with. */
const HOPELESS = new Set([401, 403, 404]);

export class Import {
  /**
   * @param choices conflict: fail, skip or replace; generateIds; errorsMax
   * @param listeners refused(file, line, words), and progress(words)
   */
  constructor(account, container, choices, listeners) {
    this.account = account;
    this.container = container;
    this.choices = choices;
    this.listeners = listeners;
    this.stopping = new AbortController();
    this.underWay = new Map();
    this.done = 0;
    this.skipped = 0;
    this.refused = 0;
    this.charge = 0;
    this.succeeded = performance.now();
  }

  stop() {
    this.stopping.abort();
  }

  async run(files) {
    try {
      for (const file of files) await this.#file(file);
      this.#tell("Imported");
    } catch (problem) {
      this.stopping.abort();
      this.#tell("Stopped after");
      throw problem;
    }
  }

  async #file(file) {
    this.listeners.progress(`Reading ${file.name} …`);
    const text = await readText(file);
    const all = records(file.name, text);
    const worker = async () => {
      for (const record of all) {
        this.stopping.signal.throwIfAborted();
        await this.#record(file.name, record);
        if ((this.done + this.skipped + this.refused) % TOLD_EVERY === 0) this.#tell(`Importing ${file.name}, ${Math.floor((100 * record.line) / text.lines)} %:`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  async #record(file, record) {
    if (record.problem) return this.#refuse(file, record.line, record.problem);
    let { node } = record;
    if (node.kind !== "object") return this.#refuse(file, record.line, "An item is a JSON object, and this is not one");
    if (member(node, "id") === undefined && this.choices.generateIds) node = withString(node, "id", crypto.randomUUID());
    const id = member(node, "id");
    if (id === undefined) return this.#refuse(file, record.line, "The item has no id");
    if (id.kind !== "string" || id.value === "") return this.#refuse(file, record.line, "The id must be a string that is not empty");
    return this.#inOrder(id.value, () => this.#write(file, record.line, node));
  }

  /** Of several records of one item the last one wins, however many are under way at once. */
  async #inOrder(id, work) {
    const before = this.underWay.get(id) ?? Promise.resolve();
    const mine = before.then(work);
    this.underWay.set(id, mine);
    await mine;
    if (this.underWay.get(id) === mine) this.underWay.delete(id);
  }

  async #write(file, line, node) {
    const headers = this.container.keyHeader(node);
    if (this.choices.conflict === "replace") headers["x-ms-documentdb-is-upsert"] = "true";
    const body = compact(ownPart(node));
    let isUncertain = false;
    for (let pause = PAUSE_MILLIS_FIRST; ; pause = Math.min(2 * pause, PAUSE_MILLIS_MAX)) {
      let wait = pause;
      try {
        return await this.#attempt(file, line, node, { headers, body }, isUncertain);
      } catch (problem) {
        this.stopping.signal.throwIfAborted();
        if (problem.status === undefined || HOPELESS.has(problem.status)) throw problem;
        if (HINDERED.has(problem.status)) {
          isUncertain = true;
          if (performance.now() - this.succeeded > PATIENCE_MILLIS) throw problem;
        } else if (LATER.has(problem.status)) {
          this.succeeded = performance.now();
          wait = Math.max(pause, problem.retryAfterMillis);
        } else if (problem.status !== MOVED) {
          return this.#refuse(file, line, problem.message);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
      this.stopping.signal.throwIfAborted();
    }
  }

  async #attempt(file, line, node, { headers, body }, isUncertain) {
    try {
      const reply = await this.account.send("POST", [...this.container.path, "docs"], { headers, body, signal: this.stopping.signal });
      this.charge += reply.charge;
      return this.#count("done");
    } catch (problem) {
      if (problem.status !== 409) throw problem;
      // The id is taken, perhaps by this very record, when nobody knew whether it had arrived.
      if (isUncertain && (await this.#isStored(node))) return this.#count("done");
      return this.choices.conflict === "skip" ? this.#count("skipped") : this.#refuse(file, line, problem.message);
    }
  }

  async #isStored(node) {
    try {
      const reply = await this.account.send("GET", [...this.container.path, "docs", member(node, "id").value], { headers: this.container.keyHeader(node), signal: this.stopping.signal });
      return compact(ownPart(parse(reply.text))) === compact(ownPart(node));
    } catch (problem) {
      if (problem.status === 404) return false;
      throw problem;
    }
  }

  #count(what) {
    this[what]++;
    this.succeeded = performance.now();
  }

  #refuse(file, line, words) {
    // Those that are still under way when the import gives up are not told of.
    if (this.refused > this.choices.errorsMax) return;
    this.refused++;
    this.listeners.refused(file, line, words);
    if (this.refused > this.choices.errorsMax) throw new Error(`Gave up: more than the ${this.choices.errorsMax.toLocaleString()} that were allowed are refused.`);
  }

  #tell(begin) {
    const parts = [`${begin} ${count(this.done, "item")}`];
    if (this.skipped > 0) parts.push(`${this.skipped.toLocaleString()} were there already`);
    if (this.refused > 0) parts.push(`${this.refused.toLocaleString()} refused`);
    this.listeners.progress(`${parts.join(", ")}, for ${this.charge.toFixed(2)} RU.`);
  }
}

/** { text, lines, wrong }: what a file holds, how many lines that is, and the numbers of those that are no UTF-8. */
async function readText(file) {
  const bytes = await unpacked(file);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { text, lines: text.split("\n").length, wrong: [] };
  } catch {
    return readLines(bytes);
  }
}

/** Line by line, which tells where it is wrong; no byte of a longer character is that of the end of a line. */
function readLines(bytes) {
  const lines = [];
  const wrong = [];
  for (let from = 0; from <= bytes.length; ) {
    const found = bytes.indexOf(0x0a, from);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.subarray(from, end);
    try {
      lines.push(new TextDecoder("utf-8", { fatal: true, ignoreBOM: from > 0 }).decode(line));
    } catch {
      lines.push(new TextDecoder().decode(line));
      wrong.push(lines.length);
    }
    from = end + 1;
  }
  return { text: lines.join("\n"), lines: lines.length, wrong };
}

async function unpacked(file) {
  if (/\.zstd?$/i.test(file.name)) throw new Error(`${file.name}: browsers cannot unpack Zstandard. Use ./orrery import, or pack it with gzip.`);
  if (!/\.gz$/i.test(file.name)) return new Uint8Array(await file.arrayBuffer());
  try {
    return new Uint8Array(await new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  } catch {
    throw new Error(`${file.name} cannot be unpacked: it is not gzip, or not whole.`);
  }
}
