// One item in an editor: its text as it is stored, checked while it is typed, saved only over what was read.

import { note } from "./address.js";
import { partitionKeyHeader } from "./account.js";
import { ownPart, SYSTEM } from "./container.js";
import { confirm } from "./dialog.js";
import { differences } from "./diff.js";
import { button, h, show, waiting } from "./dom.js";
import { JSON_MODE, openEditor, watchJson } from "./editor.js";
import { at, compact, format, member, parse, withString } from "./json.js";
import { complain, say } from "./notes.js";

export class ItemPane {
  /**
   * @param listeners changed: an item was written or deleted; closed: the pane is no longer wanted
   */
  constructor(place, account, container, listeners) {
    this.place = place;
    this.account = account;
    this.container = container;
    this.listeners = listeners;
    this.isNew = false;
  }

  placed() {
    this.editor?.refresh();
  }

  shows(id, key) {
    return !this.isNew && this.id === id && this.keyText === (key ?? "[]");
  }

  /** Reads an item by its id and the components of its partition key. */
  async open(id, components) {
    this.id = id;
    this.isNew = false;
    this.keyText = `[${components.map(compact).join(",")}]`;
    this.keyHeader = partitionKeyHeader(components);
    const { keyText } = this;
    show(this.place, waiting("Reading the item …"));
    try {
      const reply = await this.#read();
      if (this.shows(id, keyText)) await this.#edit(id, reply);
    } catch (problem) {
      if (!this.shows(id, keyText)) return;
      this.editor = undefined;
      show(
        this.place,
        h("p", { class: "error", role: "alert" }, problem.status === 404 ? `There is no item “${id}” here any more.` : problem.message),
        button("Close", () => this.#close()),
      );
    }
  }

  async create() {
    this.isNew = true;
    this.id = undefined;
    const names = new Map([["id", crypto.randomUUID()]]);
    for (const path of this.container.keyPaths) if (path.length === 1 && !names.has(path[0])) names.set(path[0], "");
    const text = `{\n${[...names].map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(",\n")}\n}`;
    note({ item: "", key: "" });
    await this.#show("New item", text);
  }

  async #read() {
    return this.account.send("GET", [...this.container.path, "docs", this.id], { headers: this.keyHeader });
  }

  async #edit(id, reply) {
    const node = parse(reply.text);
    this.etag = at(node, ["_etag"]).value;
    this.system = node.members.filter((one) => SYSTEM.has(one.name));
    await this.#show(id, format(ownPart(node)));
  }

  async #show(title, text) {
    const writes = this.account.writesItems;
    this.problem = h("p", { class: "error", role: "alert", hidden: true });
    this.area = h("div", { class: "editor" });
    this.save = button("Save", () => this.#save(), { class: "main", title: "Save (Ctrl+S)" });
    show(
      this.place,
      h(
        "div",
        { class: "tools" },
        h("h2", { class: "code title clip", title }, title),
        writes && this.save,
        writes && !this.isNew && button("Copy", () => this.#copy(), { title: "A new item that starts like this one" }),
        button("Format", () => this.#format()),
        writes && !this.isNew && button("Delete", () => this.#delete(), { class: "danger" }),
        button("×", () => this.#close(), { class: "quiet", "aria-label": "Close the item" }),
      ),
      this.problem,
      this.area,
      !this.isNew && this.#facts(),
    );
    this.editor = await openEditor(this.area, `Item ${title} as JSON`, {
      value: text,
      mode: JSON_MODE,
      readOnly: !writes,
      extraKeys: { "Ctrl-S": () => this.save.click(), "Cmd-S": () => this.save.click() },
    });
    this.saved = text;
    this.look = watchJson(this.editor, (node, words) => this.#judge(node, words));
    this.editor.refresh();
    this.editor.focus();
  }

  #facts() {
    const written = Number(this.system.find((one) => one.name === "_ts")?.value.text ?? 0) * 1000;
    return h(
      "details",
      { class: "facts" },
      h("summary", {}, `Last written ${new Date(written).toLocaleString()}`),
      h("dl", {}, this.system.flatMap((one) => [h("dt", {}, one.name), h("dd", { class: "code" }, one.value.value ?? one.value.text)])),
    );
  }

  #judge(node, words) {
    this.node = node;
    let wrong = words;
    if (node && node.kind !== "object") wrong = "An item is an object: it begins with { and ends with }.";
    else if (node && member(node, "id") !== undefined && member(node, "id").kind !== "string") wrong = "The id of an item must be a string.";
    else if (node && !this.isNew && member(node, "id")?.value !== this.id) wrong = "The id is another one. To keep both, use Copy.";
    this.problem.textContent = wrong ?? "";
    this.problem.hidden = wrong === undefined;
    this.save.disabled = wrong !== undefined;
    this.valid = wrong === undefined;
  }

  #format() {
    if (this.node) this.editor.setValue(format(this.node));
  }

  get changed() {
    return this.editor !== undefined && this.editor.getValue() !== this.saved;
  }

  /** Whether something would be lost that is seen here. */
  get unsaved() {
    return this.changed && this.place.isConnected && !this.place.hidden;
  }

  async mayLeave() {
    return !this.unsaved || confirm("Leave without saving?", "The item was changed here and not saved.", "Leave");
  }

  async #close() {
    if (!(await this.mayLeave())) return;
    this.editor = undefined;
    this.isNew = false;
    this.id = undefined;
    this.listeners.closed();
  }

  async #save() {
    this.look();
    if (!this.valid) return;
    const body = compact(this.node);
    const path = [...this.container.path, "docs"];
    try {
      const { isNew, saved, keyHeader } = this;
      const reply = isNew
        ? await this.account.send("POST", path, { headers: this.container.keyHeader(this.node), body })
        : await this.account.send("PUT", [...path, this.id], { headers: { ...this.keyHeader, "if-match": this.etag }, body });
      say(`Saved for ${reply.charge.toFixed(2)} RU.`, isNew ? undefined : () => this.#putBack(this.id, keyHeader, saved, reply.header("etag")));
      await this.#settle(reply);
    } catch (problem) {
      if (problem.status === 412) await this.#conflict();
      else if (problem.status === 409) complain(new Error("There is an item with this id and partition key already. Choose another id."));
      else complain(problem);
    }
  }

  /** Undoes a save, unless somebody else has written the item since. */
  async #putBack(id, keyHeader, text, etag) {
    try {
      const reply = await this.account.send("PUT", [...this.container.path, "docs", id], { headers: { ...keyHeader, "if-match": etag }, body: compact(parse(text)) });
      say(`${id} is as it was before.`);
      if (this.id === id && !this.changed) await this.#edit(id, reply);
    } catch (problem) {
      complain(problem.status === 412 ? new Error("The item was written again meanwhile, and stays as it is.") : problem);
    }
    await this.listeners.changed();
  }

  /** Goes on with the item as the server has it now. */
  async #settle(reply) {
    const node = parse(reply.text);
    const components = this.container.keyOf(node);
    this.isNew = false;
    this.id = member(node, "id").value;
    this.keyText = `[${components.map((one) => (one === undefined ? "{}" : compact(one))).join(",")}]`;
    this.keyHeader = partitionKeyHeader(components);
    note({ item: this.id, key: this.keyText });
    await this.#edit(this.id, reply);
    await this.listeners.changed();
  }

  async #copy() {
    if (!this.node) return;
    const copy = withString(this.node, "id", `${this.id}-copy`);
    this.isNew = true;
    this.id = undefined;
    await this.#show("Copy", format(copy));
    this.saved = "";
  }

  async #delete() {
    if (!(await confirm("Delete this item?", this.id, "Delete"))) return;
    const text = this.saved;
    const { id, keyHeader } = this;
    try {
      await this.account.send("DELETE", [...this.container.path, "docs", id], { headers: { ...keyHeader, "if-match": this.etag } });
    } catch (problem) {
      complain(problem.status === 412 ? new Error("Somebody else has changed the item meanwhile. Open it again to see it as it is now.") : problem);
      return;
    }
    this.editor = undefined;
    this.id = undefined;
    this.listeners.closed();
    say(`Deleted ${id}.`, async () => {
      try {
        await this.account.send("POST", [...this.container.path, "docs"], { headers: keyHeader, body: compact(parse(text)) });
        say(`Put ${id} back.`);
      } catch (problem) {
        complain(problem);
      }
      await this.listeners.changed();
    });
    await this.listeners.changed();
  }

  // ---- two versions ----

  /** Somebody else has written the item since it was read: shows both, and lets one choose or combine. */
  async #conflict() {
    const mine = this.editor.getValue();
    let reply;
    try {
      reply = await this.#read();
    } catch (problem) {
      if (problem.status !== 404) return complain(problem);
      this.isNew = true;
      return complain(new Error("Somebody else has deleted the item meanwhile. Save puts it back."));
    }
    const node = parse(reply.text);
    const theirs = format(ownPart(node));
    const left = h("div", { class: "editor" });
    const right = h("div", { class: "editor" });
    show(
      this.place,
      h("h2", {}, "Somebody else has written this item"),
      h("p", {}, "Yours is on the left and can be edited; what the server has now is on the right. Lines that differ are marked."),
      h(
        "div",
        { class: "tools" },
        button("Save mine over it", () => this.#overwrite(node), { class: "main" }),
        button("Take the server’s", () => this.#edit(this.id, reply)),
      ),
      (this.problem = h("p", { class: "error", role: "alert", hidden: true })),
      h("div", { class: "versions" }, h("section", {}, h("h3", {}, "Yours"), left), h("section", {}, h("h3", {}, "On the server"), right)),
    );
    this.save = h("button");
    const save = () => this.#overwrite(node);
    this.editor = await openEditor(left, "Your version", { value: mine, mode: JSON_MODE, extraKeys: { "Ctrl-S": save, "Cmd-S": save } });
    const other = await openEditor(right, "The version on the server", { value: theirs, mode: JSON_MODE, readOnly: true });
    this.look = watchJson(this.editor, (one, words) => this.#judge(one, words));
    const compare = () => {
      const found = differences(this.editor.getValue(), theirs);
      paint(this.editor, found.left);
      paint(other, found.right);
    };
    this.editor.on("change", compare);
    compare();
  }

  async #overwrite(node) {
    this.look();
    if (!this.valid) return;
    this.etag = at(node, ["_etag"]).value;
    this.saved = format(ownPart(node));
    await this.#save();
  }
}

function paint(editor, lines) {
  for (let line = 0; line < editor.lineCount(); line++) {
    if (lines.has(line)) editor.addLineClass(line, "background", "differs");
    else editor.removeLineClass(line, "background", "differs");
  }
}
