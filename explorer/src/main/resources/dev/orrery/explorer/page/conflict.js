// A conflict: a version of an item that lost against another one, beside the item as it is now; what it holds can be written
// again, and the entry deleted.

import { go } from "./address.js";
import { ownPart } from "./container.js";
import { confirm } from "./dialog.js";
import { differences } from "./diff.js";
import { add, button, h, pairs, show } from "./dom.js";
import { at, compact, format, member, parse } from "./json.js";
import { complain, say } from "./notes.js";
import { changedElsewhere } from "./rights.js";

const DONE = { create: "It was created", replace: "It was written", delete: "It was deleted" };

export async function conflictPage(place, context) {
  const page = new ConflictPage(place, context);
  await page.load();
  return page;
}

class ConflictPage {
  constructor(place, { account, container, parameters, changed }) {
    this.account = account;
    this.container = container;
    this.changed = changed;
    this.path = [...container.path, "conflicts", parameters.get("id") ?? ""];
    this.body = h("div", { class: "block" });
    add(place, this.body);
  }

  async load() {
    const { account } = this;
    this.conflict = parse((await account.send("GET", this.path)).text);
    this.lost = itemOf(member(this.conflict, "content"));
    this.now = this.lost && (await this.#read());
    const second = Number(member(this.conflict, "_ts")?.text ?? 0);
    const operation = member(this.conflict, "operationType")?.value;
    show(
      this.body,
      h(
        "div",
        { class: "tools" },
        h("h2", { class: "grow clip" }, `Conflict ${this.path.at(-1)}`),
        account.writesItems && this.lost && button("Write it back", () => this.#writeBack(), { class: "main" }),
        account.manages && button("Delete the entry", () => this.#delete(), { class: "danger" }),
      ),
      changedElsewhere(account, "Entries are"),
      pairs([
        ["What was done", `${DONE[operation] ?? operation} in ${member(this.conflict, "sourceRegion")?.value ?? "another region"}, and another write has stayed`],
        ["Noted", new Date(second * 1000).toLocaleString()],
      ]),
      this.lost ? this.#versions() : h("p", { class: "dim" }, "The entry holds no version of the item, so there is nothing to write back."),
    );
  }

  async #read() {
    try {
      const reply = await this.account.send("GET", [...this.container.path, "docs", member(this.lost, "id").value], { headers: this.container.keyHeader(this.lost) });
      return parse(reply.text);
    } catch (problem) {
      if (problem.status === 404) return undefined;
      throw problem;
    }
  }

  #versions() {
    const lost = format(this.lost);
    const now = this.now ? format(ownPart(this.now)) : "";
    const differ = differences(lost, now);
    return h(
      "div",
      { class: "versions" },
      h("section", {}, h("h3", {}, "The version that lost"), lines(lost, differ.left)),
      h("section", {}, h("h3", {}, "The item as it is now"), this.now ? lines(now, differ.right) : h("p", { class: "dim" }, "There is none with this id and partition key.")),
    );
  }

  async #writeBack() {
    const id = member(this.lost, "id").value;
    const words = this.now ? "The version that lost takes the place of the item as it is now, unless somebody writes it meanwhile." : "There is no such item now; it is made anew.";
    if (!(await confirm(`Write ${id} back?`, words, "Write it", "main"))) return;
    const path = [...this.container.path, "docs"];
    const headers = this.container.keyHeader(this.lost);
    const { now } = this;
    const put = (node, etag) => this.account.send("PUT", [...path, id], { headers: { ...headers, "if-match": etag }, body: compact(node) });
    try {
      const reply = now ? await put(this.lost, at(now, ["_etag"]).value) : await this.account.send("POST", path, { headers, body: compact(this.lost) });
      const etag = reply.header("etag");
      const undo = () => (now ? put(ownPart(now), etag) : this.account.send("DELETE", [...path, id], { headers: { ...headers, "if-match": etag } }));
      say(`Wrote ${id} back for ${reply.charge.toFixed(2)} RU.`, () => this.#undo(undo, id));
    } catch (problem) {
      complain(problem.status === 412 || problem.status === 409 ? new Error("The item was written again meanwhile. Look at it as it is now, then try again.") : problem);
    }
    await this.load();
  }

  async #undo(undo, id) {
    try {
      await undo();
      say(`${id} is as it was before.`);
    } catch (problem) {
      complain(problem.status === 412 ? new Error("The item was written again meanwhile, and stays as it is.") : problem);
    }
    if (this.body.isConnected) await this.load();
  }

  async #delete() {
    if (!(await confirm("Delete this entry?", "The version that lost is kept nowhere else. This cannot be undone.", "Delete"))) return;
    try {
      await this.account.send("DELETE", this.path);
    } catch (problem) {
      complain(problem);
      return;
    }
    say("Deleted the entry.");
    go({ database: this.container.database, container: this.container.id, page: "items" });
    await this.changed();
  }
}

/** The item that an entry holds as a text; undefined where it holds none. */
function itemOf(content) {
  const node = content?.kind === "string" && content.value !== "" ? parse(content.value) : content;
  return node?.kind === "object" && member(node, "id")?.kind === "string" ? ownPart(node) : undefined;
}

function lines(text, differ) {
  return h("pre", { class: "code framed", tabindex: "0" }, text.split("\n").map((line, place) => h("span", { class: differ.has(place) ? "line differs" : "line" }, `${line}\n`)));
}
