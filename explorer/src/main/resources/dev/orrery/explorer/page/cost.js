// What a container costs: its ranges and how busy they are, throughput and latencies, what is indexed, and advice.

import { minutesChart } from "./chart.js";
import { readContainer } from "./container.js";
import { confirm } from "./dialog.js";
import { add, button, h, pairs, show } from "./dom.js";
import { JSON_MODE, openEditor, watchJson } from "./editor.js";
import { bytes, throughput } from "./home.js";
import { changeDefinition } from "./indexing.js";
import { compact, format, member } from "./json.js";
import { complain, say } from "./notes.js";
import { count } from "./plan.js";
import { changedElsewhere } from "./rights.js";
import { showSettings } from "./settings.js";

/** A range is hot when it has used so much of its throughput in one of the last minutes, … */
const HOT_USE = 0.8;
const HOT_MINUTES = 5;
/** … or when it does so many times its share of the work of an hour that took some effort; of two, one that does three quarters. */
const HOT_TIMES = 1.5;
const WORK_USE = 0.05;
const WORK_LEAST = 1000;
const AGAIN_MILLIS = 1000;

export async function costPage(place, context) {
  const page = new CostPage(place, context);
  await page.load();
  return page;
}

class CostPage {
  constructor(place, { account, container, changed }) {
    this.account = account;
    this.container = container;
    this.gone = changed;
    const parts = (...names) => h("div", {}, names.map((name) => (this[name] = h("section", { class: "block" }))));
    add(place, h("div", { class: "tools" }, h("span", { class: "spring" }), button("Refresh", () => this.load(), { id: "refresh", title: "Read the figures again (r)" })), h("div", { class: "cost" }, parts("ranges", "advice", "settings"), parts("throughput", "indexing")));
  }

  moved() {}

  /** Whether the policy was edited and not saved. */
  get unsaved() {
    return this.editor !== undefined && this.editor.getValue() !== this.saved;
  }

  async mayLeave() {
    return !this.unsaved || confirm("Leave without saving?", "The indexing policy was changed here and not saved.", "Leave");
  }

  stop() {
    clearTimeout(this.timer);
    this.stopped = true;
  }

  placed() {
    this.editor?.refresh();
  }

  async load() {
    const { database, id } = this.container;
    const only = { database, container: id };
    const here = (one) => one.database === database && one.container === id;
    const [reports, status, advice] = await Promise.all([this.account.report("ranges", only), this.account.report("status", only), this.account.report("advice")]);
    const ranges = reports.containers.find(here)?.ranges ?? [];
    const figures = status.containers.find(here);
    this.#showRanges(ranges, figures?.throughput);
    await this.#showThroughput(ranges, figures, status.since);
    this.#showAdvice(advice.findings.filter(here));
    this.#showSettings(figures?.throughput);
    if (!this.editor) await this.#showIndexing();
    this.#showIndexSize(ranges);
    await this.#followRebuild();
  }

  #showRanges(ranges, set) {
    const items = ranges.reduce((sum, range) => sum + range.documents, 0);
    const share = set && !set.shared ? set.requestUnits / ranges.length : undefined;
    const heat = heatOf(ranges, share);
    const largest = Math.max(1, ...ranges.map((range) => range.bytes));
    show(
      this.ranges,
      h("h2", {}, `${count(ranges.length, "physical partition")}, ${count(items, "item")}`),
      h(
        "ul",
        { class: "ranges" },
        ranges.map((range) => {
          const hot = heat(range);
          return h(
            "li",
            { class: hot ? "hot" : "" },
            h("div", { class: "change-line" }, h("strong", {}, `Range ${range.id}`), hot && h("span", { class: "chip delete" }, "hot")),
            hot && h("div", { class: "reason" }, hot),
            h("span", { class: "dim code clip", title: `${range.min || "0"} to ${range.max}` }, `${short(range.min) || "0"} to ${short(range.max)}`),
            h("div", {}, `${bytes(range.bytes)} · ${count(range.documents, "item")} · indexes ${bytes(range.indexBytes)}`),
            h("meter", { min: 0, max: largest, value: range.bytes, "aria-label": `Size of range ${range.id}: ${bytes(range.bytes)}`, title: "Beside the largest range" }),
            h("div", {}, `${round(range.peak)} RU/s at most in the last minute${share ? `, of ${round(share)}` : ""} · ${round(range.requestUnits)} RU in all`),
            share && h("meter", { class: hot ? "bad" : "", min: 0, max: share, value: range.peak, "aria-label": `Use of range ${range.id}: ${round(range.peak)} of ${round(share)} RU/s`, title: "Of its part of the throughput" }),
          );
        }),
      ),
    );
  }

  async #showThroughput(ranges, figures, since) {
    const set = figures?.throughput;
    const minutes = (ranges[0]?.minutes ?? []).map((_, place) => ranges.reduce((sum, range) => sum + range.minutes[place], 0) / 60);
    const chart = h("div", { class: "chart small" });
    const rows = [
      ["Set", set ? `${throughput(set)} RU/s` : "not limited"],
      ["In the last minute", `${round(minutes.at(-1) ?? 0)} RU/s on average, ${round(ranges.reduce((sum, range) => sum + range.peak, 0))} at most`],
      ["Requests", `${(figures?.requests ?? 0).toLocaleString()} since ${new Date(since).toLocaleString()}`],
      ["Request units", (figures?.requestUnits ?? 0).toLocaleString()],
      ["Throttled", (figures?.throttled ?? 0).toLocaleString()],
      ["Latency", figures?.p50Millis === undefined ? "nothing timed yet" : `p50 ${time(figures.p50Millis)}, p99 ${time(figures.p99Millis)}`],
    ];
    show(this.throughput, h("h2", {}, "Throughput"), pairs(rows), h("h3", {}, "RU/s over the last hour"), chart);
    await minutesChart(chart, "Request units a second in each minute of the last hour", minutes);
  }

  #showAdvice(findings) {
    show(
      this.advice,
      h("h2", {}, "Advice"),
      findings.length === 0
        ? h("p", { class: "dim" }, "The advisor has nothing to say of this container. It learns from the requests that the server answers.")
        : findings.map((one) =>
            h(
              "article",
              { class: "json-item" },
              h("h3", {}, one.title),
              h("ul", {}, one.seen.map((words) => h("li", {}, words))),
              h("p", {}, one.proposal),
              h("p", { class: "saving" }, `${round(one.before)} → ${round(one.after)} RU for each ${one.unit}`, one.saved > 0 && h("span", { class: "dim" }, ` · saves ${round(one.saved)} RU in all so far`)),
            ),
          ),
    );
  }

  #showSettings(set) {
    const { account, container } = this;
    const changed = async () => {
      this.container = await readContainer(account, container.database, container.id);
      await this.load();
    };
    showSettings(this.settings, { account, container, set, changed, gone: this.gone });
  }

  async #showIndexing() {
    const policy = member(this.container.node, "indexingPolicy");
    const problem = h("p", { class: "error", role: "alert", hidden: true });
    const area = h("div", { class: "editor policy" });
    const save = button("Save the policy", () => this.#savePolicy(), { class: "main" });
    this.progress = h("p", { role: "status" });
    this.indexSize = h("p");
    show(this.indexing, h("h2", {}, "Indexing policy"), this.progress, this.indexSize, problem, area, h("div", { class: "tools" }, this.account.manages ? save : changedElsewhere(this.account, "The policy is")));
    this.editor = await openEditor(area, "Indexing policy as JSON", { value: format(policy), mode: JSON_MODE, readOnly: !this.account.manages });
    this.saved = this.editor.getValue();
    this.look = watchJson(this.editor, (node, words) => {
      this.policy = node;
      problem.textContent = words ?? "";
      problem.hidden = words === undefined;
      save.disabled = words !== undefined;
    });
  }

  #showIndexSize(ranges) {
    const size = ranges.reduce((sum, range) => sum + range.indexBytes, 0);
    const items = ranges.reduce((sum, range) => sum + range.bytes, 0);
    this.indexSize.textContent = `The indexes take about ${bytes(size)}, the items ${bytes(items)}.`;
  }

  async #savePolicy() {
    this.look();
    if (!this.policy) return;
    try {
      const text = this.editor.getValue();
      const undo = await changeDefinition(this.account, this.container, (definition) => (definition.indexingPolicy = JSON.parse(compact(this.policy))));
      this.saved = text;
      say("Saved the policy.", async () => {
        await undo();
        await this.#showPolicyAnew();
      });
      await this.#followRebuild();
    } catch (problem) {
      complain(problem);
    }
  }

  async #showPolicyAnew() {
    const { account, container } = this;
    this.container = await readContainer(account, container.database, container.id);
    this.editor.setValue(format(member(this.container.node, "indexingPolicy")));
    this.saved = this.editor.getValue();
    await this.#followRebuild();
  }

  /** Tells how far the indexes are, again and again for as long as they are being built. */
  async #followRebuild() {
    clearTimeout(this.timer);
    const reply = await this.account.send("GET", this.container.path, { headers: { "x-ms-documentdb-populatequotainfo": "true" } });
    const progress = Number(reply.header("x-ms-documentdb-collection-index-transformation-progress") ?? 100);
    this.progress.textContent = progress >= 100 ? "All indexes are complete." : `The indexes are being built: ${progress} %.`;
    if (progress < 100 && !this.stopped) this.timer = setTimeout(() => this.#followRebuild().catch(complain), AGAIN_MILLIS);
  }
}

/**
 * Tells of a range why it is hot; undefined where it is not.
 *
 * @param share the throughput that each range has, in request units a second; undefined where that is not known
 */
function heatOf(ranges, share) {
  const used = ranges.reduce((sum, range) => sum + lately(range), 0);
  const effort = share ? WORK_USE * share * 60 : WORK_LEAST;
  return (range) => {
    const use = share ? Math.max(0, ...range.minutes.slice(-HOT_MINUTES)) / 60 / share : 0;
    if (use >= HOT_USE) return `${percent(use)} of its throughput`;
    const isBusy = Math.max(0, ...range.minutes) >= effort;
    return ranges.length > 1 && isBusy && lately(range) >= (HOT_TIMES * used) / ranges.length ? `${percent(lately(range) / used)} of the last hour’s work` : undefined;
  };
}

function percent(part) {
  return `${Math.round(100 * part)} %`;
}

/** What a range was charged in the last hour. */
function lately(range) {
  return range.minutes.reduce((sum, minute) => sum + minute, 0);
}

/** Keys are long, and their first digits tell them apart. */
function short(key) {
  return key.length > 8 ? `${key.slice(0, 8)}…` : key;
}

/** Nobody reads 22806.28 ms as what it is. */
function time(millis) {
  return millis >= 1000 ? `${round(millis / 1000)} s` : `${round(millis)} ms`;
}

function round(figure) {
  return figure.toLocaleString(undefined, { maximumFractionDigits: 2 });
}
