// The change feed, live: what happens to items while one looks, in both modes, with a filter and a pause.

import { note, read } from "./address.js";
import { add, button, h, show, visible } from "./dom.js";
import { compact, format, member, parse } from "./json.js";

const SHOWN_MAX = 500;
const BAD_REQUEST = 400;
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
    this.count = 0;
    /** Changes of a commit that has not come whole. */
    this.commit = [];

    this.filter = h("input", { type: "search", class: "grow", placeholder: "Only changes that contain …", "aria-label": "Only changes that contain", value: parameters.get("contains") ?? "", oninput: () => this.#refilter() });
    this.pauseButton = h("button", { type: "button", "aria-pressed": "false", onclick: () => this.#pause() }, "Pause");
    this.state = h("span", { class: "dim", role: "status" });
    this.fromNow = h("span", { class: "dim" }, "All versions are told from now on.");
    this.list = h("ol", { class: "plain changes", "aria-label": "Changes, newest first" });
    this.hint = h("div", { class: "empty" }, h("h2", {}, "Nothing has changed yet"), h("p", {}, "Changes appear here as they are made. Write an item in another tab or with an SDK to see one."));
    add(
    place,
      h(
        "div",
        { class: "tools" },
        this.#choice("Mode", "mode", [["latest", "Latest versions"], ["all-versions", "All versions and deletes"]]),
        this.#choice("From", "from", [["now", "Now"], ["beginning", "The beginning"]]),
        this.fromNow,
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
    const select = h(
      "select",
      {
        onchange: () => {
          this[name] = select.value;
          note({ [name]: select.value });
          this.#showBeginning();
          this.#clear();
          this.place = undefined;
          this.#follow();
        },
      },
      options.map(([value, words]) => h("option", { value, selected: this[name] === value }, words)),
    );
    return (this[`${name}Label`] = h("label", {}, `${label} `, select));
  }

  /** Everything from the beginning cannot be had of all versions. */
  #showBeginning() {
    const isFixed = this.mode === "all-versions";
    this.fromLabel.hidden = isFixed;
    this.fromNow.hidden = !isFixed;
  }

  start() {
    this.#showBeginning();
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
    const parameters = { mode: this.mode, from: this.mode === "all-versions" ? "now" : this.from };
    if (this.mode === "all-versions") parameters.previous = "true";
    while (!following.signal.aborted) {
      this.commit = [];
      try {
        const headers = this.place === undefined ? {} : { "last-event-id": this.place };
        const response = await this.account.open("GET", this.container.path, { changes: true, parameters, headers, signal: following.signal });
        if (response.status !== 200) {
          const body = await response.json().catch(() => ({}));
          this.refusal = body.message?.split("\r\n")[0] ?? `The server answers with status ${response.status}.`;
          // A place may be too old to go on from; what comes from now on can still be followed.
          if (this.place !== undefined && response.status === BAD_REQUEST) {
            this.place = undefined;
            parameters.from = "now";
            continue;
          }
          this.state.textContent = this.refusal;
          return;
        }
        this.#tell();
        await this.#read(response.body.pipeThrough(new TextDecoderStream()).getReader(), following);
      } catch (problem) {
        if (following.signal.aborted) return;
        this.state.textContent = "The connection is lost; trying again …";
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MILLIS));
    }
  }

  async #read(reader, following) {
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      rest += value;
      const events = rest.split("\n\n");
      rest = events.pop();
      for (const event of events) if (!following.signal.aborted) this.#event(event);
    }
  }

  #event(text) {
    let data = "";
    let name = "";
    let place;
    for (const line of text.split("\n")) {
      if (line.startsWith("id: ")) place = line.slice(4);
      else if (line.startsWith("event: ")) name = line.slice(7);
      else if (line.startsWith("data: ")) data += line.slice(6);
    }
    if (name === "change") this.commit.push(data);
    else if (name === "error") this.state.textContent = JSON.parse(data).message.split("\r\n")[0];
    if (place !== undefined) this.#arrive(place);
  }

  /** A commit has come whole, or the server tells where it is. */
  #arrive(place) {
    this.place = place;
    for (const data of this.commit.splice(0)) {
      this.count++;
      this.#add({ text: data, node: parse(data) });
    }
    if (this.paused) this.following.abort();
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

  /** Nothing is read while it is paused, and then it goes on behind what was read last. */
  #pause() {
    this.paused = !this.paused;
    this.pauseButton.setAttribute("aria-pressed", String(this.paused));
    this.pauseButton.textContent = this.paused ? "Go on" : "Pause";
    // Before the first place is known there would be nothing to go on from.
    if (this.paused && this.place !== undefined) this.following.abort();
    else if (!this.paused) this.#follow();
    this.#tell();
  }

  #clear() {
    show(this.list);
    this.refusal = undefined;
    this.count = 0;
    this.hint.hidden = false;
    this.#tell();
  }

  #tell() {
    const begun = this.refusal ? ` · ${this.refusal} What comes from now on is followed.` : "";
    const shown = this.count > SHOWN_MAX ? `, the last ${SHOWN_MAX} are kept here` : "";
    const how = this.paused ? "Paused, nothing is read" : "Following";
    this.state.textContent = `${how} · ${this.count.toLocaleString()} ${this.count === 1 ? "change" : "changes"}${shown}${begun}`;
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
