// What a data model does to the cost: one blog in three models, and the figures of `./orrery demo blog` where it was run.

import { note, read, write } from "./address.js";
import { groupedBars } from "./chart.js";
import { add, button, h, pairs, show } from "./dom.js";
import { plain, parse } from "./json.js";
import { complain } from "./notes.js";
import { count } from "./plan.js";

const KEPT = "orrery.model";
const VERSIONS = ["V1", "V2", "V3"];
const MEASURES = {
  ru: { label: "Request units", short: "RU", mine: "ru", published: "referenceRu" },
  ms: { label: "Milliseconds", short: "ms", mine: "p50Ms", published: "referenceMs" },
};

/** What is in each model, and why the next one was made. */
const MODELS = {
  V1: ["Everything refers", "A post knows the id of its author, a comment that of its post. Writing is cheap and nothing is there twice; but to show a post, its author is looked up and its comments and likes are counted, every time."],
  V2: ["Names and counts where they are read", "A post carries the name of its author and how many comments and likes it has. A stored procedure writes a comment and its count in one transaction; new names follow through the change feed. Writing costs a little more, reading a post costs one read."],
  V3: ["One partition for every question", "Copies of the posts lie with their author, and the most recent ones in a container of their own. Both follow the change feed. No request has to ask all partitions any more."],
};

/** What each request takes in each model. */
const REQUESTS = [
  ["C1", "create or edit a user", "one write", "one write", "one write"],
  ["Q1", "retrieve a user", "one read", "one read", "one read"],
  ["C2", "create or edit a post", "one write", "one write", "one write"],
  ["Q2", "retrieve a post", "post, author, two counts", "one read", "one read"],
  ["Q3", "list a user’s posts", "all partitions, two counts a post", "all partitions", "one partition"],
  ["C3", "create a comment", "one write", "one procedure", "one procedure"],
  ["Q4", "list a post’s comments", "one partition, a name a comment", "one partition", "one partition"],
  ["C4", "like a post", "one write", "one procedure", "one procedure"],
  ["Q5", "list a post’s likes", "one partition, a name a like", "one partition", "one partition"],
  ["Q6", "list the most recent posts", "all partitions, a name and two counts a post", "all partitions", "one partition"],
];

export async function modelPage(place, { account }) {
  const page = new ModelPage(place, account);
  await page.load();
  return page;
}

class ModelPage {
  constructor(place, account) {
    this.account = account;
    const { parameters } = read();
    this.measure = Object.hasOwn(MEASURES, parameters.get("measure") ?? "") ? parameters.get("measure") : "ru";
    this.prefix = parameters.get("databases") ?? "blog";
    this.models = h("ol", { class: "models" });
    this.source = h("div");
    this.figures = h("div", { class: "block" });
    add(
      place,
      h("p", {}, "The same blog, three times: what it costs is decided by how its data lie. Each model gives the same answers to the same ten requests."),
      this.models,
      this.source,
      this.figures,
    );
  }

  moved() {}

  async load() {
    const found = await this.account.query(["dbs"], "SELECT * FROM c WHERE STARTSWITH(c.id, @prefix)", { parameters: [{ name: "@prefix", value: JSON.stringify(`${this.prefix}-`) }] });
    const databases = new Set(found.nodes.map((node) => plain(node).id));
    show(
      this.models,
      VERSIONS.map((version) => {
        const database = `${this.prefix}-${version.toLowerCase()}`;
        const [title, words] = MODELS[version];
        return h("li", {}, h("h2", {}, h("span", { class: "chip" }, version), title), h("p", {}, words), databases.has(database) && h("a", { href: write({ database }) }, `See it in ${database}`));
      }),
    );
    this.report = databases.has(`${this.prefix}-report`) ? await this.#stored() : undefined;
    this.isStored = this.report !== undefined;
    this.report ??= kept();
    this.#render();
  }

  /** What a run with --keep has left on this server. */
  async #stored() {
    try {
      const reply = await this.account.send("GET", ["dbs", `${this.prefix}-report`, "colls", "reports", "docs", "blog"], { headers: { "x-ms-documentdb-partitionkey": '["blog"]' } });
      return plain(parse(reply.text));
    } catch (problem) {
      if (problem.status !== 404) complain(problem);
      return undefined;
    }
  }

  #render() {
    show(this.source, this.report ? this.#facts() : this.#invitation());
    show(this.figures, this.report ? this.#measured() : this.#words());
    if (this.report) this.#draw().catch(complain);
  }

  // ---- without figures ----

  #invitation() {
    return h(
      "section",
      { class: "block" },
      h("h2", {}, "Measure it"),
      h("p", {}, "This loads the blog in all three models into this server, measures every request, and leaves the data and the figures here to look at:"),
      h("pre", { class: "code framed", tabindex: "0" }, `./orrery demo blog --keep --endpoint ${location.origin}`),
      h("p", {}, "Or choose the figures that a run elsewhere has written with --json:"),
      h("div", { class: "tools" }, this.#file()),
    );
  }

  #file() {
    return h("label", {}, "File with figures ", h("input", { type: "file", accept: ".json,application/json", onchange: (event) => this.#take(event.target.files[0]) }));
  }

  async #take(file) {
    try {
      const report = JSON.parse(await file.text());
      if (!Array.isArray(report.rows) || !report.rows.every((row) => VERSIONS.includes(row.version) && typeof row.ru === "number")) throw new Error();
      this.report = report;
    } catch {
      return complain(new Error(`${file.name} is not what ./orrery demo blog writes with --json.`));
    }
    keep(this.report);
    return this.#render();
  }

  #words() {
    return this.#table(
      VERSIONS,
      REQUESTS.map(([request, title, ...takes]) => ({ request, title, cells: takes.map((words) => h("td", { class: /,|all/.test(words) ? "costly" : "" }, words)) })),
    );
  }

  // ---- with figures ----

  #facts() {
    const { report } = this;
    return h(
      "section",
      { class: "block" },
      h(
        "div",
        { class: "tools" },
        h("h2", { class: "grow" }, "What was measured"),
        h(
          "span",
          { class: "group", role: "group", "aria-label": "Measured in" },
          Object.entries(MEASURES).map(([name, measure]) =>
            h(
              "button",
              {
                type: "button",
                "aria-pressed": String(name === this.measure),
                onclick: () => {
                  this.measure = name;
                  note({ measure: name });
                  this.#render();
                },
              },
              measure.label,
            ),
          ),
        ),
        !this.isStored && button("Forget the figures", () => this.#forget()),
      ),
      pairs([
        ["Data", `${count(report.users, "user")}, ${count(report.loadedItems, "item")} loaded in all, ${count(report.partitions, "physical partition")} for the posts`],
        ["Calls", `${report.calls.toLocaleString()} of each request`],
        ["Compared", report.comparedAnswers === 0 ? "nothing: there was one model only" : `${count(report.comparedAnswers, "answer")}, the same in all models`],
        ...(report.renamings ?? []).map((one) => [`A new name, ${one.version}`, `in ${count(one.copies, "copy").replace("copys", "copies")} after ${one.seconds.toLocaleString(undefined, { maximumFractionDigits: 1 })} s`]),
      ]),
    );
  }

  #forget() {
    localStorage.removeItem(KEPT);
    this.report = undefined;
    this.#render();
  }

  #row(request, version) {
    return this.report.rows.find((row) => row.request === request && row.version === version);
  }

  #versions() {
    return VERSIONS.filter((version) => this.report.rows.some((row) => row.version === version));
  }

  #measured() {
    const measure = MEASURES[this.measure];
    const versions = this.#versions();
    const number = (figure) => figure.toLocaleString(undefined, { maximumFractionDigits: 2, minimumFractionDigits: 2 });
    const rows = REQUESTS.map(([request, title, ...takes]) => ({
      request,
      title,
      cells: [
        ...versions.map((version) => {
          const row = this.#row(request, version);
          if (!row) return h("td", { class: "number" }, "—");
          return h("td", { class: `number ${row.lean ? "" : "costly"}`, title: takes[VERSIONS.indexOf(version)] }, number(row[measure.mine]), h("span", { class: "beside" }, number(row[measure.published])));
        }),
        versions.length > 1 && h("td", { class: "number" }, times(this.#row(request, versions[0]), this.#row(request, versions.at(-1)), measure.mine)),
      ],
    }));
    this.chart = h("div", { class: "chart" });
    return [
      this.chart,
      this.#table([...versions.map((version) => `${version}, ${measure.short}`), ...(versions.length > 1 ? [`${versions[0]} → ${versions.at(-1)}`] : [])], rows, true),
      h("p", { class: "dim" }, "Small: what others have published for the same requests in the cloud service. Marked: several operations, or all partitions."),
    ];
  }

  #table(heads, rows, isNumber = false) {
    return h(
      "div",
      { class: "table", tabindex: "0", role: "region", "aria-label": "Requests" },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Request"), heads.map((head) => h("th", { scope: "col", class: isNumber ? "number" : "" }, head)))),
        h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row", class: "request" }, h("strong", { class: "code" }, row.request), ` ${row.title}`), row.cells.filter(Boolean)))),
      ),
    );
  }

  async #draw() {
    const measure = MEASURES[this.measure];
    const requests = REQUESTS.map(([request]) => request).filter((request) => VERSIONS.some((version) => this.#row(request, version)));
    await groupedBars(
      this.chart,
      `${measure.label} of each request in each model; the table has the same figures`,
      requests,
      this.#versions().map((version) => ({ name: version, points: requests.map((request) => this.#row(request, version)?.[measure.mine] ?? null) })),
      measure.short,
    );
  }
}

function times(first, last, name) {
  if (!first || !last || !last[name] || !first[name]) return "—";
  const ratio = first[name] / last[name];
  if (ratio > 0.95 && ratio < 1.05) return "the same";
  const figure = (ratio > 1 ? ratio : 1 / ratio).toLocaleString(undefined, { maximumFractionDigits: 1 });
  return ratio > 1 ? `${figure} × less` : `${figure} × more`;
}

/** A browser that has no room shows them until the page is left. */
function keep(report) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(report));
  } catch {
    // Nothing is lost: the file is still there.
  }
}

/** Figures that were chosen as a file stay in this browser. */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? undefined;
  } catch {
    return undefined;
  }
}
