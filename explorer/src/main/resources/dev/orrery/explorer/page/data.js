// Moves data: files that are dropped here become items, and all items become a file.

import { ownPart } from "./container.js";
import { add, button, h, show } from "./dom.js";
import { compact, member } from "./json.js";
import { complain } from "./notes.js";
import { count } from "./plan.js";
import { records } from "./records.js";
import { download } from "./results.js";
import { elsewhere } from "./rights.js";

const AT_ONCE = 8;
const PROBLEMS_SHOWN = 100;
const EXPORT_PAGE = 1000;
const AGAIN_MILLIS = 100;

export async function dataPage(place, { account, container }) {
  const page = new DataPage(account, container);
  page.build(place);
  return page;
}

class DataPage {
  constructor(account, container) {
    this.account = account;
    this.container = container;
  }

  build(place) {
    this.progress = h("p", { role: "status" });
    this.problems = h("ul", { class: "plain problems" });
    this.existing = h("select", {}, h("option", { value: "upsert" }, "are replaced"), h("option", { value: "skip" }, "stay as they are"));
    this.exported = h("p", { role: "status" });
    this.stopButton = h("button", { type: "button", hidden: true, onclick: () => this.stopping?.abort() }, "Stop");
    const file = h("input", { type: "file", multiple: true, accept: ".json,.ndjson,.jsonl,.csv,.gz,.zst", "aria-label": "Files to import", onchange: () => this.#import([...file.files]) });
    const drop = h("div", { class: "drop" }, h("p", {}, "Drop files here: NDJSON, a JSON array, or CSV with names in its first line; packed with gzip or not. The rules are those of ./orrery import, which is quicker for big files."), file, h("p", {}, h("label", {}, "Items that are there already ", this.existing)));
    for (const name of ["dragenter", "dragover"]) {
      drop.addEventListener(name, (event) => {
        event.preventDefault();
        drop.classList.add("over");
      });
    }
    drop.addEventListener("dragleave", () => drop.classList.remove("over"));
    drop.addEventListener("drop", (event) => {
      event.preventDefault();
      drop.classList.remove("over");
      this.#import([...event.dataTransfer.files]);
    });
    add(
    place,
      h(
        "section",
        { class: "block" },
        h("h2", {}, "Import"),
        this.account.writesItems ? drop : (elsewhere(this.account, "Items are", this.account.takesItems) ?? h("p", { class: "dim" }, "This key may not write, so nothing can be imported.")),
        this.progress,
        this.stopButton,
        this.problems,
      ),
      h(
        "section",
        { class: "block" },
        h("h2", {}, "Export"),
        h("p", {}, "All items as NDJSON, a line each, without what the server adds. For big containers use ./orrery export, which needs no browser."),
        h("div", { class: "tools" }, button("Export all items", () => this.#export())),
        this.exported,
      ),
    );
  }

  stop() {
    this.stopping?.abort();
  }

  moved() {}

  // ---- import ----

  async #import(files) {
    this.stopping = new AbortController();
    this.stopButton.hidden = false;
    this.underWay = new Map();
    this.done = 0;
    this.skipped = 0;
    this.refused = 0;
    this.charge = 0;
    show(this.problems);
    try {
      for (const file of files) await this.#importFile(file);
      this.#tell("Imported");
    } catch (problem) {
      this.#tell("Stopped after");
      complain(problem);
    } finally {
      this.stopButton.hidden = true;
    }
  }

  async #importFile(file) {
    const text = await textOf(file);
    const lines = text.split("\n").length;
    const all = records(file.name, text);
    const worker = async () => {
      for (const record of all) {
        this.stopping.signal.throwIfAborted();
        await this.#importRecord(file.name, record);
        if ((this.done + this.refused) % 50 === 0) this.#tell(`Importing ${file.name}, ${Math.floor((100 * record.line) / lines)} %:`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  async #importRecord(file, record) {
    if (record.problem) return this.#refuse(file, record.line, record.problem);
    if (record.node.kind !== "object") return this.#refuse(file, record.line, "An item must be an object");
    if (member(record.node, "id") === undefined) return this.#refuse(file, record.line, "The item has no id");
    return this.#inOrder(member(record.node, "id").text, () => this.#write(file, record));
  }

  /** Of several records of one item the last one wins, however many are under way at once. */
  async #inOrder(id, work) {
    const before = this.underWay.get(id) ?? Promise.resolve();
    const mine = before.then(work);
    this.underWay.set(id, mine);
    await mine;
    if (this.underWay.get(id) === mine) this.underWay.delete(id);
  }

  async #write(file, record) {
    const headers = this.container.keyHeader(record.node);
    if (this.existing.value === "upsert") headers["x-ms-documentdb-is-upsert"] = "true";
    for (;;) {
      try {
        const reply = await this.account.send("POST", [...this.container.path, "docs"], { headers, body: compact(ownPart(record.node)), signal: this.stopping.signal });
        this.charge += reply.charge;
        this.done++;
        return undefined;
      } catch (problem) {
        if (problem.name === "AbortError" || problem.status === 0) throw problem;
        if (problem.status === 409 && this.existing.value === "skip") {
          this.skipped++;
          return undefined;
        }
        if (problem.status !== 429) return this.#refuse(file, record.line, problem.message);
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MILLIS));
      }
    }
  }

  #refuse(file, line, words) {
    this.refused++;
    if (this.refused <= PROBLEMS_SHOWN) this.problems.append(h("li", { class: "error" }, `${file}, line ${line}: ${words}`));
  }

  #tell(begin) {
    const parts = [`${begin} ${count(this.done, "item")}`];
    if (this.skipped > 0) parts.push(`${this.skipped.toLocaleString()} were there already`);
    if (this.refused > 0) parts.push(`${this.refused.toLocaleString()} refused`);
    this.progress.textContent = `${parts.join(", ")}, for ${this.charge.toFixed(2)} RU.`;
  }

  // ---- export ----

  async #export() {
    this.stopping = new AbortController();
    const parts = [];
    let continuation;
    let count = 0;
    try {
      do {
        const page = await this.account.page([...this.container.path, "docs"], { size: EXPORT_PAGE, continuation, signal: this.stopping.signal });
        parts.push(...page.nodes.map((node) => `${compact(ownPart(node))}\n`));
        count += page.nodes.length;
        this.exported.textContent = `Read ${count.toLocaleString()} items …`;
        ({ continuation } = page);
      } while (continuation);
      this.exported.textContent = `Exported ${count.toLocaleString()} items.`;
      download(`${this.container.id}.ndjson`, "application/x-ndjson", parts.join(""));
    } catch (problem) {
      complain(problem);
    }
  }
}

async function textOf(file) {
  if (/\.zst$/i.test(file.name)) throw new Error(`${file.name}: browsers cannot unpack Zstandard. Use ./orrery import, or pack it with gzip.`);
  if (!file.name.endsWith(".gz")) return file.text();
  return new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).text();
}
