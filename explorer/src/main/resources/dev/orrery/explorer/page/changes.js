// The change feed, live: what happens to items while one looks, in both modes, with a filter and a pause.

import { note, read } from "./address.js";
import { add, button, h, show, visible } from "./dom.js";
import { compact, format, member, parse } from "./json.js";

const SHOWN_MAX = 500;
const AGAIN_MILLIS = 2000;
const LINE_MAX = 300;

export async function changesPage(place, context) {
  const page = new ChangesPage(place, context);
  page.start();
  return page;
}

class ChangesPage {
  constructor(place, { account, container }) {
    this.account = account;
    this.container = container;
    const { parameters } = read();
    this.mode = parameters.get("mode") === "all-versions" ? "all-versions" : "latest";
    this.from = parameters.get("from") === "beginning" ? "beginning" : "now";
    this.waiting = [];
    this.count = 0;

    this.filter = h("input", { type: "search", class: "grow", placeholder: "Only changes that contain …", "aria-label": "Only changes that contain", value: parameters.get("contains") ?? "", oninput: () => this.#refilter() });
    this.pauseButton = h("button", { type: "button", "aria-pressed": "false", onclick: () => this.#pause() }, "Pause");
    this.state = h("span", { class: "dim", role: "status" });
    this.list = h("ol", { class: "plain changes", "aria-label": "Changes, newest first" });
    this.hint = h("div", { class: "empty" }, h("h2", {}, "Nothing has changed yet"), h("p", {}, "Changes appear here as they are made. Write an item in another tab or with an SDK to see one."));
    add(
    place,
      h(
        "div",
        { class: "tools" },
        this.#choice("Mode", "mode", [["latest", "Latest versions"], ["all-versions", "All versions and deletes"]]),
        this.#choice("From", "from", [["now", "Now"], ["beginning", "The beginning"]]),
        this.filter,
        this.pauseButton,
        button("Clear", () => this.#clear()),
      ),
      this.state,
      this.hint,
      this.list,
    );
  }

  #choice(label, name, options) {
    return h(
      "label",
      {},
      `${label} `,
      h(
        "select",
        {
          onchange: (event) => {
            this[name] = event.target.value;
            note({ [name]: event.target.value });
            this.#clear();
            this.place = undefined;
            this.#follow();
          },
        },
        options.map(([value, words]) => h("option", { value, selected: this[name] === value }, words)),
      ),
    );
  }

  start() {
    this.#follow();
  }

  stop() {
    this.following?.abort();
  }

  moved() {}

  /** Reads the stream for as long as this page is shown; after a break it goes on where it was. */
  async #follow() {
    this.following?.abort();
    const following = (this.following = new AbortController());
    // Everything from the beginning cannot be had of all versions.
    const from = this.mode === "all-versions" ? "now" : this.from;
    const parameters = { mode: this.mode, from };
    if (this.mode === "all-versions") parameters.previous = "true";
    while (!following.signal.aborted) {
      try {
        const headers = this.place === undefined ? {} : { "last-event-id": this.place };
        const response = await this.account.open("GET", this.container.path, { changes: true, parameters, headers, signal: following.signal });
        if (response.status !== 200) {
          const body = await response.json().catch(() => ({}));
          this.state.textContent = body.message?.split("\r\n")[0] ?? `The server answers with status ${response.status}.`;
          return;
        }
        this.#tell();
        await this.#read(response.body.pipeThrough(new TextDecoderStream()).getReader());
      } catch (problem) {
        if (following.signal.aborted) return;
        this.state.textContent = "The connection is lost; trying again …";
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MILLIS));
    }
  }

  async #read(reader) {
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      rest += value;
      const events = rest.split("\n\n");
      rest = events.pop();
      events.forEach((event) => this.#event(event));
    }
  }

  #event(text) {
    let data = "";
    let name = "";
    for (const line of text.split("\n")) {
      if (line.startsWith("id: ")) this.place = line.slice(4);
      else if (line.startsWith("event: ")) name = line.slice(7);
      else if (line.startsWith("data: ")) data += line.slice(6);
    }
    if (name === "change") this.#change(data);
    else if (name === "error") this.state.textContent = JSON.parse(data).message.split("\r\n")[0];
  }

  #change(text) {
    this.count++;
    const change = { text, node: parse(text) };
    if (this.paused) {
      this.waiting.push(change);
      if (this.waiting.length > SHOWN_MAX) this.waiting.shift();
    } else {
      this.#add(change);
    }
    this.#tell();
  }

  #add(change) {
    this.hint.hidden = true;
    const item = h("li", {}, h("details", {}, h("summary", {}, summary(change)), h("pre", { class: "code", tabindex: "0" }, format(change.node))));
    item.text_ = change.text.toLowerCase();
    item.hidden = !this.#fits(item);
    this.list.prepend(item);
    if (this.list.children.length > SHOWN_MAX) this.list.lastChild.remove();
  }

  #fits(item) {
    return item.text_.includes(this.filter.value.toLowerCase());
  }

  #refilter() {
    note({ contains: this.filter.value });
    for (const item of this.list.children) item.hidden = !this.#fits(item);
  }

  #pause() {
    this.paused = !this.paused;
    this.pauseButton.setAttribute("aria-pressed", String(this.paused));
    this.pauseButton.textContent = this.paused ? "Go on" : "Pause";
    if (!this.paused) this.waiting.splice(0).forEach((change) => this.#add(change));
    this.#tell();
  }

  #clear() {
    show(this.list);
    this.waiting = [];
    this.count = 0;
    this.hint.hidden = false;
    this.#tell();
  }

  #tell() {
    const waiting = this.paused ? ` · paused, ${this.waiting.length} waiting` : "";
    const shown = this.count > SHOWN_MAX ? `, the last ${SHOWN_MAX} are kept here` : "";
    this.state.textContent = `Following · ${this.count.toLocaleString()} ${this.count === 1 ? "change" : "changes"}${shown}${waiting}`;
  }
}

/** One line on a change: what was done to which item, and when. */
function summary(change) {
  const metadata = member(change.node, "metadata");
  const item = metadata ? member(change.node, "current") : change.node;
  const what = metadata ? member(metadata, "operationType")?.value : "write";
  const id = member(item, "id")?.value ?? member(metadata, "id")?.value ?? compact(change.node).slice(0, 60);
  const second = member(metadata, "crts") ?? member(item, "_ts");
  return h("div", { class: "change-line" }, h("span", { class: `chip ${what}` }, what), h("span", { class: "dim" }, second && timeOf(Number(second.text))), h("strong", { class: "code" }, visible(id)), h("span", { class: "code dim clip" }, change.text.slice(0, LINE_MAX)));
}

/** The time of day, with the day where it is another one. */
function timeOf(second) {
  const at = new Date(second * 1000);
  return at.toDateString() === new Date().toDateString() ? at.toLocaleTimeString() : at.toLocaleString();
}
