// Procedures, triggers and functions: what there is, an editor for each, and running a procedure.

import { ascii, SCRIPT_LOG } from "./account.js";
import { go, write } from "./address.js";
import { ask, confirm } from "./dialog.js";
import { add, button, h, show, waiting } from "./dom.js";
import { openEditor, SCRIPT_MODE } from "./editor.js";
import { compact, format, member, parse, plain } from "./json.js";
import { complain, say } from "./notes.js";
import { COMPLETE } from "./queries.js";
import { changedElsewhere } from "./rights.js";

const KINDS = {
  procedure: { none: "A procedure does several things to the items of one partition key, all or nothing.", feed: "sprocs", label: "Procedure", many: "Procedures", body: "function () {\n  getContext().getResponse().setBody(\"hello\");\n}" },
  trigger: { none: "A trigger checks or completes an item while it is written, where the request names it.", feed: "triggers", label: "Trigger", many: "Triggers", body: "function () {\n  var item = getContext().getRequest().getBody();\n}" },
  function: { none: "A function computes something in queries: SELECT udf.name(c.total) FROM c.", feed: "udfs", label: "Function", many: "Functions", body: "function (value) {\n  return value;\n}" },
};

/** All scripts of a container. */
export async function scriptsPage(place, { account, container, changed }) {
  const parts = await Promise.all(Object.entries(KINDS).map(async ([page, kind]) => [page, kind, await account.page([...container.path, kind.feed])]));
  add(
    place,
    changedElsewhere(account, "Scripts are"),
    ...parts.map(([page, kind, found]) =>
      h(
        "section",
        { class: "block" },
        h("div", { class: "tools" }, h("h2", { class: "grow" }, kind.many), account.manages && button(`New ${kind.label.toLowerCase()}`, () => create(account, container, page, changed))),
        found.nodes.length === 0
          ? h("p", { class: "dim" }, `None yet. ${kind.none}`)
          : h("ul", { class: "cards" }, found.nodes.map((node) => h("li", {}, h("a", { href: write({ database: container.database, container: container.id, page, parameters: { id: member(node, "id").value } }) }, member(node, "id").value)))),
      ),
    ),
  );
}

async function create(account, container, page, changed) {
  const kind = KINDS[page];
  const name = h("input", { type: "text", required: true, autofocus: true });
  const when = h("select", {}, h("option", { value: "Pre" }, "before the write"), h("option", { value: "Post" }, "after the write"));
  const answer = await ask(
    `New ${kind.label.toLowerCase()}`,
    [h("label", { class: "field" }, "Name", name), page === "trigger" && h("label", { class: "field" }, "Runs", when)],
    [
      { value: "yes", label: "Make it", kind: "main" },
      { value: "", label: "Cancel" },
    ],
  );
  const id = name.value.trim();
  if (answer !== "yes" || id === "") return;
  const body = page === "trigger" ? { id, body: kind.body, triggerType: when.value, triggerOperation: "All" } : { id, body: kind.body };
  try {
    await account.send("POST", [...container.path, kind.feed], { body: JSON.stringify(body) });
    await changed();
    go({ database: container.database, container: container.id, page, parameters: { id } });
  } catch (problem) {
    complain(problem);
  }
}

/** Makes the page of one script. */
export function scriptPage(page) {
  return async (place, context) => {
    const one = new ScriptPage(place, context, KINDS[page]);
    await one.start();
    return one;
  };
}

class ScriptPage {
  constructor(place, { account, container, parameters, changed }, kind) {
    this.place = place;
    this.account = account;
    this.container = container;
    this.kind = kind;
    this.changedTree = changed;
    this.id = parameters.get("id") ?? "";
    this.path = [...container.path, kind.feed, this.id];
  }

  async start() {
    const reply = await this.account.send("GET", this.path);
    this.resource = plain(parse(reply.text));
    this.etag = reply.header("etag") ?? this.resource._etag;
    const writes = this.account.manages;
    this.area = h("div", { class: "editor" });
    this.save = button("Save", () => this.#save(), { class: "main", title: "Save (Ctrl+S)" });
    this.result = h("div", { class: "script-result" });
    const when = this.resource.triggerType ? ` · ${this.resource.triggerType.toLowerCase()}-trigger for ${this.resource.triggerOperation.toLowerCase()}` : "";
    add(
    this.place,
      h("div", { class: "tools" }, h("h2", { class: "grow clip" }, `${this.kind.label} ${this.id}`, h("span", { class: "dim" }, when)), writes && this.save, writes && button("Delete", () => this.#delete(), { class: "danger" })),
      changedElsewhere(this.account, "Scripts are"),
      this.area,
      (this.kind.feed === "sprocs" && this.account.writesItems) || this.kind.feed === "udfs" ? this.#runner() : this.result,
    );
    this.editor = await openEditor(this.area, `${this.kind.label} ${this.id}`, {
      value: this.resource.body,
      mode: SCRIPT_MODE,
      readOnly: !writes,
      extraKeys: { "Ctrl-S": () => this.save.click(), "Cmd-S": () => this.save.click() },
    });
    // As the editor has it: it knows one kind of line end.
    this.saved = this.editor.getValue();
  }

  placed() {
    this.editor.refresh();
  }

  get unsaved() {
    return this.editor.getValue() !== this.saved;
  }

  async mayLeave() {
    return !this.unsaved || confirm("Leave without saving?", "The script was changed here and not saved.", "Leave");
  }

  async #save() {
    const body = this.editor.getValue();
    const before = this.saved;
    try {
      const etag = (this.etag = await this.#put(body, this.etag));
      this.saved = body;
      say(`Saved ${this.id}.`, () => this.#putBack(before, etag));
    } catch (problem) {
      complain(problem.status === 412 ? new Error("Somebody else has changed this script meanwhile. Copy your text, then open it again.") : problem);
    }
  }

  /** Stores a text over the version that is known; gives that of the new one. */
  async #put(body, etag) {
    const reply = await this.account.send("PUT", this.path, { headers: { "if-match": etag }, body: JSON.stringify({ ...this.resource, body }) });
    return reply.header("etag");
  }

  /** Undoes a save, unless somebody else has saved since; what is typed since stays in the editor. */
  async #putBack(body, etag) {
    const isUntouched = !this.unsaved;
    try {
      this.etag = await this.#put(body, etag);
      this.saved = body;
      if (isUntouched) this.editor.setValue(body);
      say(`${this.id} is as it was before.`);
    } catch (problem) {
      complain(problem.status === 412 ? new Error("The script was changed again meanwhile, and stays as it is.") : problem);
    }
  }

  async #delete() {
    if (!(await confirm(`Delete ${this.id}?`, "Requests that name it will be refused.", "Delete"))) return;
    try {
      await this.account.send("DELETE", this.path);
    } catch (problem) {
      complain(problem);
      return;
    }
    const { resource, container, kind } = this;
    this.saved = this.editor.getValue();
    say(`Deleted ${this.id}.`, async () => {
      await this.account.send("POST", [...container.path, kind.feed], { body: JSON.stringify(resource) }).catch(complain);
      await this.changedTree();
    });
    go({ database: container.database, container: container.id, page: "scripts" });
    await this.changedTree();
  }

  // ---- running a procedure, or a function ----

  get isProcedure() {
    return this.kind.feed === "sprocs";
  }

  #runner() {
    this.parameters = h("input", { type: "text", class: "code grow", value: "[]", title: "A JSON array, an entry for each argument" });
    this.key = h("input", { type: "text", class: "code", size: 16, placeholder: '"ada"', title: "JSON" });
    return h(
      "section",
      { class: "block" },
      h("div", { class: "tools" }, this.isProcedure && h("label", {}, "Partition key ", this.key), h("label", { class: "grow field-row" }, "Arguments ", this.parameters), button("Run", () => this.#run(), { class: "main", id: "run" })),
      this.result,
    );
  }

  async #run() {
    if (this.unsaved) await this.#save();
    let given;
    let key;
    try {
      given = parse(this.parameters.value.trim() || "[]");
      if (given.kind !== "array") throw new Error();
      const text = this.key.value.trim();
      key = !this.isProcedure || parse(text).kind === "array" ? text : `[${text}]`;
    } catch {
      const about = this.isProcedure ? 'The partition key must be JSON such as "ada", and the arguments' : "The arguments must be";
      return show(this.result, h("p", { class: "error", role: "alert" }, `${about} a JSON array such as [1, "two"].`));
    }
    show(this.result, waiting("Running …"));
    try {
      const { charge, millis, text, log } = this.isProcedure ? await this.#runProcedure(given, key) : await this.#runFunction(given);
      show(
        this.result,
        h("p", {}, `Done for ${charge.toFixed(2)} RU in ${millis.toFixed(1)} ms.`),
        h("h3", {}, "Result"),
        h("pre", { class: "code framed", tabindex: "0" }, pretty(text)),
        logView(log),
      );
    } catch (problem) {
      show(this.result, h("p", { class: "error", role: "alert" }, problem.message), logView(problem.log));
    }
    return undefined;
  }

  async #runProcedure(given, key) {
    const headers = { "x-ms-documentdb-partitionkey": ascii(key), "x-ms-documentdb-script-enable-logging": "true" };
    const reply = await this.account.send("POST", this.path, { headers, body: compact(given) });
    return { ...reply, log: reply.header(SCRIPT_LOG) };
  }

  /** A function runs as part of a query, here of one that looks at no item. */
  async #runFunction(given) {
    const parameters = given.items.map((item, place) => ({ name: `@p${place}`, value: compact(item) }));
    const page = await this.account.query([...this.container.path, "docs"], `SELECT VALUE udf.${this.id}(${parameters.map((one) => one.name).join(", ")})`, { parameters, headers: COMPLETE });
    return { charge: page.charge, millis: page.millis, text: page.nodes.length === 0 ? "" : compact(page.nodes[0]) };
  }
}

/** What a script has said; one that failed as far as it came. */
function logView(log) {
  return log && [h("h3", {}, "Log"), h("pre", { class: "code framed", tabindex: "0" }, decodeURIComponent(log))];
}

function pretty(text) {
  if (text === "") return "(nothing)";
  try {
    return format(parse(text));
  } catch {
    return text;
  }
}
