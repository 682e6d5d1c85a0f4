// The query page: text, parameters, run and stop, and what came of it.

import { ascii } from "./account.js";
import { jsonOf, note, read } from "./address.js";
import { completion, samplePaths } from "./completion.js";
import { ask } from "./dialog.js";
import { add, button, h, show, waiting } from "./dom.js";
import { markWrong, openEditor } from "./editor.js";
import { readFunctions } from "./functions.js";
import { addIndex, demandedIndex } from "./indexing.js";
import { parse, position } from "./json.js";
import { complain, say } from "./notes.js";
import { forget, history, remember, save, saved } from "./past.js";
import { count, planView } from "./plan.js";
import { QueryRun } from "./queries.js";
import { defineQueryMode, QUERY_MODE } from "./query-mode.js";
import { chartable, chartView, csvText, download, jsonText, jsonView, tableView, treeView } from "./results.js";

const FIRST = "SELECT * FROM c";
const SIZE = 100;
const VIEWS = ["Table", "JSON", "Tree", "Chart", "Plan"];

export async function queryPage(place, context) {
  const page = new QueryPage(place, context);
  await page.start();
  return page;
}

class QueryPage {
  constructor(place, { account, container }) {
    this.account = account;
    this.container = container;
    this.place = JSON.stringify([container.database, container.id]);
    const { parameters } = read();
    this.text = parameters.get("q") ?? history(this.place)[0]?.text ?? FIRST;
    this.values = jsonOf(parameters, "values", (values) => Object.values(values).every((value) => typeof value === "string")) ?? {};
    this.view = VIEWS.includes(parameters.get("view")) ? parameters.get("view") : "Table";
    this.paths = new Map();

    this.area = h("div", { class: "editor query" });
    this.manual = h("p", { class: "manual", role: "status" });
    this.inputs = h("div", { class: "tools" });
    this.runButton = button("Run", () => this.#run(this.view === "Plan" ? "Table" : this.view), { class: "main", title: "Run (Ctrl+Enter)", id: "run" });
    this.stopButton = h("button", { type: "button", disabled: true, onclick: () => this.stopping?.abort() }, "Stop");
    this.result = h("div", { class: "result" });
    this.summary = h("div", { class: "tools summary" });
    this.progress = h("p", { class: "dim progress", role: "status" });
    add(
    place,
      this.area,
      this.manual,
      h(
        "div",
        { class: "tools" },
        this.runButton,
        this.stopButton,
        button("Explain", () => this.#run("Plan"), { title: "Run, and show how the rows were found" }),
        button("History", () => this.#history()),
        button("Saved", () => this.#saved()),
        button("Save as …", () => this.#save()),
        h("label", {}, "Partition key ", (this.key = h("input", { type: "text", class: "code", size: 14, placeholder: "all", value: parameters.get("pk") ?? "", title: "JSON, such as \"ada\"; empty for all" }))),
      ),
      this.inputs,
      this.summary,
      this.progress,
      this.result,
    );
    show(this.result, h("p", { class: "dim" }, "Press Ctrl+Enter to run the query. Ctrl+Space proposes words, functions and properties."));
  }

  async start() {
    const functions = await readFunctions();
    this.editor = await openEditor(this.area, "Query", {
      value: this.text,
      mode: null,
      lineWrapping: true,
      extraKeys: {
        "Ctrl-Enter": () => this.runButton.click(),
        "Cmd-Enter": () => this.runButton.click(),
        "Ctrl-Space": (editor) => editor.showHint(),
      },
      hintOptions: { completeSingle: false },
    });
    const { CodeMirror } = globalThis;
    defineQueryMode(CodeMirror, functions);
    this.editor.setOption("mode", QUERY_MODE);
    this.editor.setOption("hintOptions", { completeSingle: false, hint: completion(CodeMirror, functions, () => this.paths, this.manual) });
    this.editor.on("inputRead", (editor, change) => /^[\w.]$/.test(change.text[0]) && editor.showHint());
    this.editor.on("change", () => this.#showInputs());
    this.#showInputs();
    samplePaths(this.account, this.container).then((paths) => (this.paths = paths), complain);
  }

  /** The editor can measure itself only where it is seen. */
  placed() {
    this.editor.refresh();
    this.editor.focus();
  }

  stop() {
    this.stopping?.abort();
  }

  /** A link may lead to another query on this page. */
  moved() {
    const text = read().parameters.get("q");
    if (text !== null && text !== this.editor.getValue()) this.editor.setValue(text);
  }

  // ---- parameters ----

  #names() {
    const text = this.editor.getValue().replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, "");
    return [...new Set([...text.matchAll(/@\w+/g)].map((found) => found[0]))];
  }

  #showInputs() {
    const names = this.#names();
    if (this.shownNames === names.join()) return;
    this.shownNames = names.join();
    show(
      this.inputs,
      names.map((name) =>
        h("label", { class: "code" }, `${name} = `, h("input", { type: "text", size: 14, value: this.values[name] ?? "", placeholder: "JSON, such as 40", oninput: (event) => (this.values[name] = event.target.value) })),
      ),
    );
  }

  #parameters() {
    return this.#names().map((name) => {
      const text = (this.values[name] ?? "").trim();
      try {
        parse(text);
      } catch {
        throw new Error(`The value of ${name} is not JSON: ${text === "" ? "it is empty" : text}. A text needs double quotes.`);
      }
      return { name, value: text };
    });
  }

  #partitionKey() {
    const text = this.key.value.trim();
    if (text === "") return {};
    try {
      return { "x-ms-documentdb-partitionkey": ascii(parse(text).kind === "array" ? text : `[${text}]`) };
    } catch {
      throw new Error(`The partition key is not JSON: ${text}. A text needs double quotes.`);
    }
  }

  // ---- running ----

  async #run(view) {
    this.view = view;
    const text = this.editor.getValue();
    this.editor.getAllMarks().forEach((mark) => mark.clear());
    show(this.progress);
    try {
      this.run = new QueryRun(this.account, this.container, { text, parameters: this.#parameters(), partitionKey: this.#partitionKey(), size: SIZE });
    } catch (problem) {
      return this.#refused(problem, text);
    }
    remember(this.place, text);
    note({ q: text, values: this.shownNames === "" ? "" : JSON.stringify(this.values), pk: this.key.value.trim(), view });
    return this.#next();
  }

  /** Only one request is under way. */
  #begin() {
    this.stopping?.abort();
    this.stopping = new AbortController();
    this.stopButton.disabled = false;
    show(this.progress);
    return this.stopping;
  }

  async #next() {
    const { run } = this;
    const stopping = this.#begin();
    const isFirst = run.pages === 0;
    if (isFirst) {
      show(this.summary);
      show(this.result, waiting("Running …"));
    } else {
      show(this.progress, "Reading more rows …");
    }
    try {
      await run.next(stopping.signal);
      if (this.run !== run) return;
      show(this.progress);
      await this.#render();
    } catch (problem) {
      if (this.run === run) this.#failed(problem, run, isFirst);
    } finally {
      if (this.stopping === stopping) this.stopButton.disabled = true;
    }
  }

  /** The rows that are there already stay. */
  #failed(problem, run, isFirst) {
    const isStopped = problem.name === "AbortError";
    show(this.progress, isStopped ? "Stopped." : "");
    if (isFirst && isStopped) show(this.result);
    else if (isFirst) this.#refused(problem, run.text);
    else complain(problem);
  }

  #refused(problem, text) {
    let words = problem.message;
    if (problem.mistake) {
      markWrong(this.editor, problem.mistake.start, problem.mistake.end);
      const place = position(text, problem.mistake.start);
      words = `Line ${place.line + 1}, column ${place.column + 1}: ${problem.message}`;
    }
    const index = this.account.manages ? demandedIndex(problem.message) : undefined;
    show(this.summary);
    show(this.result, h("p", { class: "error", role: "alert" }, words), index && h("p", { class: "missing" }, h("code", { class: "chip" }, index.label), button("Add to the policy", () => this.#improve(index))));
  }

  async #render() {
    const { run } = this;
    const data = chartable(run.rows);
    if (this.view === "Chart" && !data) this.view = "Table";
    show(
      this.summary,
      h(
        "span",
        { class: "group", role: "group", "aria-label": "Show as" },
        VIEWS.map((view) =>
          h(
            "button",
            {
              type: "button",
              "aria-pressed": String(view === this.view),
              disabled: view === "Chart" && !data,
              title: view === "Chart" && !data ? "The rows have no numbers" : undefined,
              onclick: async () => {
                this.view = view;
                note({ view });
                await this.#render();
              },
            },
            view,
          ),
        ),
      ),
      h("span", {}, `${count(run.rows.length, "row")}${run.more ? " so far" : ""} · ${run.charge.toFixed(2)} RU · ${run.millis.toFixed(1)} ms`),
      h("span", { class: "spring" }),
      run.more && button("More rows", () => this.#next()),
      button("Export CSV", () => this.#export(`${this.container.id}.csv`, "text/csv", csvText)),
      button("Export JSON", () => this.#export(`${this.container.id}.json`, "application/json", jsonText)),
    );
    if (this.view === "Plan") show(this.result, planView({ ...this.#told(), rows: run.rows.length }, this.account.manages ? (index) => this.#improve(index) : undefined));
    else if (run.rows.length === 0) show(this.result, h("p", { class: "dim" }, "No row fits. “Plan” tells what was looked at."));
    else if (this.view === "JSON") show(this.result, jsonView(run.rows));
    else if (this.view === "Tree") show(this.result, treeView(run.rows));
    else if (this.view === "Chart") await chartView(this.result, data);
    else show(this.result, tableView(run.rows));
  }

  #told() {
    const { explanation, bill, metrics, indexes, charge, pages, millis } = this.run;
    return { explanation, bill, metrics, indexes, charge, pages, millis };
  }

  /** Into a file; where there are more rows than those that were read, somebody has to say which are meant. */
  async #export(name, type, textOf) {
    const { run } = this;
    const shown = count(run.rows.length, "row");
    const which = !run.more
      ? "these"
      : await ask(
          `Export ${name}`,
          [h("p", {}, `${shown} are read so far, and there are more. To read the others takes request units as running the query does.`), h("p", { class: "dim" }, "For very many there is ./orrery export with --query, which needs no browser.")],
          [
            { value: "all", label: "All rows", kind: "main" },
            { value: "these", label: `These ${shown}` },
            { value: "", label: "Cancel" },
          ],
        );
    if (which === "") return;
    if (which === "these") return download(name, type, textOf(run.rows));
    const stopping = this.#begin();
    try {
      const { rows, charge } = await run.all(stopping.signal, (read) => show(this.progress, `Read ${count(read, "row")} …`));
      download(name, type, textOf(rows));
      show(this.progress, `Exported ${count(rows.length, "row")}, the others for ${charge.toFixed(2)} RU.`);
    } catch (problem) {
      show(this.progress, problem.name === "AbortError" ? "Stopped: nothing was exported." : "");
      complain(problem);
    } finally {
      if (this.stopping === stopping) this.stopButton.disabled = true;
    }
    return undefined;
  }

  async #improve(index) {
    try {
      const undo = await addIndex(this.account, this.container, index);
      say(`${index.label} is in the policy now. Run the query again to see what it saves.`, async () => {
        await undo();
        say("The policy is as it was before.");
      });
    } catch (problem) {
      complain(problem);
    }
  }

  // ---- earlier queries ----

  async #history() {
    await this.#choose("History", history(this.place).map((one) => ({ text: one.text, words: new Date(one.at).toLocaleString() })), "Queries that you run here are kept in this browser.");
  }

  async #saved() {
    await this.#choose("Saved queries", saved().map((one) => ({ text: one.text, words: one.name, name: one.name })), "Give a query a name with “Save as …”, and it is here in every container.");
  }

  async #choose(title, entries, none) {
    let chosen;
    const list = h(
      "ul",
      { class: "plain scroll past" },
      entries.map((one) =>
        h(
          "li",
          {},
          h("button", { value: "yes", class: "quiet", onclick: () => (chosen = one.text) }, h("span", { class: "dim" }, one.words), h("span", { class: "code" }, one.text)),
          one.name && h("button", { type: "button", "aria-label": `Forget ${one.name}`, onclick: (event) => (forget(one.name), event.target.closest("li").remove()) }, "×"),
        ),
      ),
    );
    await ask(title, entries.length === 0 ? h("p", {}, none) : list, [{ value: "", label: "Close" }]);
    if (chosen !== undefined) {
      this.editor.setValue(chosen);
      this.editor.focus();
    }
  }

  async #save() {
    const name = h("input", { type: "text", required: true, autofocus: true });
    const answer = await ask("Save the query", h("label", { class: "field" }, "Name", name), [
      { value: "yes", label: "Save", kind: "main" },
      { value: "", label: "Cancel" },
    ]);
    if (answer !== "yes" || name.value.trim() === "") return;
    if (save(name.value.trim(), this.editor.getValue())) say(`Saved as ${name.value.trim()}, in this browser.`);
    else complain(new Error("This browser has no room to keep it, or may keep nothing. A bookmark of this page after a run keeps the query as well."));
  }
}
