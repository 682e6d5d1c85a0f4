// Moves data: files that are dropped here become items, and all items become a file.

import { ownPart } from "./container.js";
import { confirm } from "./dialog.js";
import { add, button, h, show } from "./dom.js";
import { Import } from "./import.js";
import { compact } from "./json.js";
import { complain } from "./notes.js";
import { download } from "./results.js";
import { elsewhere } from "./rights.js";

const PROBLEMS_SHOWN = 100;
const ERRORS_MAX = 100;
const ERRORS_MAX_MOST = 100_000;
const EXPORT_PAGE = 1000;

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
    this.conflict = h("select", {}, [["fail", "are refused"], ["skip", "stay as they are"], ["replace", "are replaced"]].map(([value, words]) => h("option", { value }, words)));
    this.generateIds = h("input", { type: "checkbox" });
    this.errorsMax = h("input", { type: "number", min: "0", max: String(ERRORS_MAX_MOST), value: String(ERRORS_MAX) });
    this.exported = h("p", { role: "status" });
    this.stopButton = h("button", { type: "button", hidden: true, onclick: () => this.importing?.stop() }, "Stop");
    const file = h("input", { type: "file", multiple: true, accept: ".json,.ndjson,.jsonl,.csv,.gz", "aria-label": "Files to import", onchange: () => this.#import(taken(file)) });
    const drop = h(
      "div",
      { class: "drop" },
      h("p", {}, "Drop files here: NDJSON, a JSON array, or CSV with names in its first line; packed with gzip or not. Big files, and those packed with Zstandard, are for ./orrery import, which can also go on after an interruption."),
      file,
      h(
        "div",
        { class: "tools choices-of-import" },
        h("label", {}, "Items that are there already ", this.conflict),
        h("label", {}, this.generateIds, " Give an id to items that have none"),
        h("label", {}, "Give up after ", this.errorsMax, " refused"),
      ),
    );
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
    this.importing?.stop();
    this.stopping?.abort();
  }

  moved() {}

  /** Whether something would be left half done. */
  get unsaved() {
    return this.importing !== undefined;
  }

  async mayLeave() {
    return !this.unsaved || confirm("Stop the import?", "It goes on only while this page is shown. What is imported stays.", "Stop it");
  }

  // ---- import ----

  async #import(files) {
    if (this.importing) return complain(new Error("An import is under way. Wait for its end, or stop it."));
    const choices = { conflict: this.conflict.value, generateIds: this.generateIds.checked, errorsMax: Number(this.errorsMax.value || ERRORS_MAX) };
    this.importing = new Import(this.account, this.container, choices, {
      refused: (file, line, words) => this.#tellRefused(file, line, words),
      progress: (words) => (this.progress.textContent = words),
    });
    this.stopButton.hidden = false;
    show(this.problems);
    try {
      await this.importing.run(files);
    } catch (problem) {
      complain(problem);
    } finally {
      this.importing = undefined;
      this.stopButton.hidden = true;
    }
    return undefined;
  }

  #tellRefused(file, line, words) {
    const told = this.problems.children.length;
    if (told < PROBLEMS_SHOWN) this.problems.append(h("li", { class: "error" }, `${file}, line ${line}: ${words}`));
    else if (told === PROBLEMS_SHOWN) this.problems.append(h("li", { class: "dim" }, `These are the first ${PROBLEMS_SHOWN}.`));
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

/** The files that were chosen; the same ones can be chosen again. */
function taken(input) {
  const files = [...input.files];
  input.value = "";
  return files;
}
