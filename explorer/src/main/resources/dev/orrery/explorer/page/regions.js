// The regions of the account: where they are, who writes, how far the others are behind, what was settled between those that
// write, and how to move the writes.

import { note, read } from "./address.js";
import { ask, confirm } from "./dialog.js";
import { add, button, emptyState, h, pairs, show } from "./dom.js";
import { complain, say } from "./notes.js";
import { count } from "./plan.js";
import { regionMap } from "./region-map.js";
import { noteRegions } from "./rights.js";

const AGAIN_MILLIS = 1000;
const SILENT_SECONDS = 5;

export async function regionsPage(place, { account, tellWhere, isWanted }) {
  if (!account.hasRegions) {
    add(
      place,
      emptyState(
        "This account has one region",
        "An account can live in several places at once: one takes the writes, the others follow and can take over. To try it on this machine:",
        h("pre", { class: "code" }, './orrery start --regions "West US,North Europe" --allow-faults'),
      ),
    );
    return undefined;
  }
  const page = new RegionsPage(place, account, tellWhere);
  await page.load();
  if (isWanted()) page.follow(read().parameters.get("live") === "yes");
  return page;
}

class RegionsPage {
  constructor(place, account, tellWhere) {
    this.account = account;
    this.tellWhere = tellWhere;
    this.liveButton = h("button", { type: "button", "aria-pressed": "false", title: "Read the figures every second", onclick: () => this.follow(!this.live) }, "Follow");
    this.state = h("p", { role: "status" });
    this.problem = h("p", { class: "error", role: "alert", hidden: true });
    this.map = h("div", { class: "map" });
    this.list = h("div");
    this.faults = h("section", { class: "block" });
    this.facts = h("section", { class: "block" });
    add(
      place,
      h("div", { class: "tools" }, this.state, h("span", { class: "spring" }), this.liveButton, button("Refresh", () => this.load(), { id: "refresh", title: "Read the figures again (r)" })),
      this.problem,
      this.map,
      this.list,
      this.faults,
      this.facts,
    );
  }

  moved() {}

  stop() {
    clearTimeout(this.timer);
    this.stopped = true;
  }

  /** Reads again and again only where somebody asked for it. */
  follow(live) {
    this.live = live;
    this.liveButton.setAttribute("aria-pressed", String(live));
    note({ live: live ? "yes" : "" });
    clearTimeout(this.timer);
    const again = async () => {
      if (this.stopped || !this.live) return;
      if (document.visibilityState === "visible") await this.load();
      this.timer = setTimeout(again, AGAIN_MILLIS);
    };
    if (live) this.timer = setTimeout(again, AGAIN_MILLIS);
  }

  async load() {
    try {
      this.#render(await this.account.report("regions"));
      this.problem.hidden = true;
    } catch (problem) {
      this.problem.textContent = problem.message;
      this.problem.hidden = false;
    }
  }

  #render(status) {
    if (this.stopped) return;
    const regions = status.regions.map((one) => ({ ...one, me: one.name === status.region, ...words(one, status) }));
    noteRegions(this.account, status);
    this.tellWhere();
    this.#renderFacts(status);
    // What somebody is about to press stays under the hand: nothing is drawn anew that would look the same.
    const look = JSON.stringify([regions.map(({ lagLsns, lagSeconds, silentSeconds, ...seen }) => seen), status.faults, status.takesItems]);
    if (look === this.shown) return;
    this.shown = look;
    this.allWrite = allWrite(status);
    this.state.textContent = `You are in ${status.region}. ${who(status)}`;
    show(this.map, regionMap(regions, status.faults));
    this.#keepFocus(() => {
      show(this.list, this.#table(regions, status));
      show(this.faults, status.allowsFaults && this.account.mayWrite && this.#switches(regions, status.faults));
    });
  }

  #renderFacts(status) {
    const { lastFailover } = status;
    const rows = [
      ["Epoch", status.epoch.toLocaleString()],
      ["Last failover", lastFailover ? `to ${lastFailover.to}, ${lastFailover.at ? new Date(lastFailover.at * 1000).toLocaleString() : "while this region was away"}` : "none that this region knows of"],
      ["Changes set aside", status.lostChanges === 0 ? "none" : `${count(status.lostChanges, "change")} that only a lost write region had; they are in the conflicts of their containers`],
      ...settling(status),
    ];
    const look = JSON.stringify(rows);
    if (look === this.shownFacts) return;
    this.shownFacts = look;
    show(this.facts, pairs(rows));
  }

  /** Drawing anew takes the focus away; it goes back to the button with the same name. */
  #keepFocus(draw) {
    const name = document.activeElement?.closest(".region-orders") && document.activeElement.getAttribute("aria-label");
    draw();
    if (name) [...document.querySelectorAll(".region-orders button")].find((one) => one.getAttribute("aria-label") === name)?.focus();
  }

  #table(regions, status) {
    const writerGone = status.role !== "writes" && (regions.find((one) => one.me)?.silentSeconds ?? 0) > SILENT_SECONDS;
    return h(
      "div",
      { class: "table", tabindex: "0", role: "region", "aria-label": "Regions" },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, ["Region", "Role", "Behind", "Last heard", "Address", ""].map((one) => h("th", { scope: "col" }, one || h("span", { class: "unseen" }, "Orders"))))),
        h(
          "tbody",
          {},
          regions.map((one) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, one.name, one.me && h("span", { class: "chip" }, "here")),
              h("td", {}, h("span", { class: `dot ${one.writes ? "writes" : one.state}`, "aria-hidden": "true" }), one.role),
              h("td", {}, one.behind),
              h("td", {}, one.heard),
              h("td", {}, one.witness ? "—" : one.me ? h("span", { class: "code" }, one.endpoint) : h("a", { class: "code", href: `${one.endpoint}_explorer/#/?page=regions`, title: "The explorer of that region" }, one.endpoint)),
              h("td", { class: "region-orders" }, this.#order(one, writerGone)),
            ),
          ),
        ),
      ),
    );
  }

  #order(region, writerGone) {
    if (!this.account.mayWrite || region.writes || region.witness) return "";
    if (this.allWrite && !(region.me && writerGone)) return button("Make it the hub", () => this.#failOver(region, false), { "aria-label": `Make ${region.name} the hub` });
    if (region.me && writerGone) return button("Take over by force", () => this.#failOver(region, true), { class: "danger", "aria-label": `Let ${region.name} take over by force` });
    return button("Give it the writes", () => this.#failOver(region, false), { "aria-label": `Give the writes to ${region.name}` });
  }

  async #failOver(region, force) {
    const question = force
      ? confirm(
          `Let ${region.name} take over by force?`,
          "Only when the write region is really gone. What only that one has is set aside in the conflicts of its containers when it comes back; if it still runs, it goes on taking writes until it hears of this.",
          "Take over",
        )
      : this.allWrite
        ? confirm(`Make ${region.name} the hub?`, "It will settle what all regions write, and take the changes of databases, containers and scripts. Nobody stops writing items; what is not settled yet is offered to the new hub.", "Hand over", "main")
        : confirm(`Give the writes to ${region.name}?`, "The write region stops taking writes, waits until the other has everything, and hands over. Nothing is lost; SDKs repeat what is refused meanwhile.", "Hand over", "main");
    if (!(await question)) return;
    try {
      const done = await this.account.order("failover", { to: region.name, force });
      say(`${done.writeRegion} ${this.allWrite ? "is the hub" : "takes the writes"}, in epoch ${done.epoch}.`);
    } catch (problem) {
      complain(problem);
    }
    await this.load();
  }

  // ---- faults ----

  #switches(regions, faults) {
    const others = regions.filter((one) => !one.me && !one.witness);
    return [
      h("h2", {}, "Faults"),
      h("p", {}, "This server rehearses trouble on what it sends to other regions. The other direction is switched in the explorer of the other region."),
      h(
        "div",
        { class: "table", tabindex: "0", role: "region", "aria-label": "Faults" },
        h(
          "table",
          {},
          h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "From here to"), h("th", { scope: "col" }, "Now"), h("th", { scope: "col" }, "Make it"))),
          h(
            "tbody",
            {},
            others.map((one) =>
              h(
                "tr",
                {},
                h("th", { scope: "row" }, one.name),
                h("td", {}, h("span", { class: `dot ${faults[one.name] ? "bad" : "good"}`, "aria-hidden": "true" }), faults[one.name] ?? "no fault"),
                h("td", { class: "region-orders" }, h("span", { class: "group", role: "group", "aria-label": `Link to ${one.name}` }, this.#faultButtons(one.name, faults[one.name]))),
              ),
            ),
          ),
        ),
      ),
    ];
  }

  #faultButtons(to, now) {
    const order = (kind, label, title) => button(label, () => this.#fault({ kind, to }), { title, "aria-label": `${label}: ${to}` });
    return [
      order("cut", "Cut", "Nothing arrives any more"),
      order("pause", "Hold", "Everything waits until it is healed"),
      button("Delay …", () => this.#delay(to), { title: "Everything arrives later", "aria-label": `Delay …: ${to}` }),
      now ? order("heal", "Heal", "No fault any more") : h("button", { type: "button", disabled: true, "aria-label": `Heal: ${to}` }, "Heal"),
    ];
  }

  async #delay(to) {
    const millis = h("input", { type: "number", min: "1", max: "60000", value: "40", required: true, autofocus: true });
    const answer = await ask(`Delay what goes to ${to}`, h("label", { class: "field" }, "Milliseconds", millis), [
      { value: "yes", label: "Delay", kind: "main" },
      { value: "", label: "Cancel" },
    ]);
    if (answer === "yes") await this.#fault({ kind: "delay", to, millis: Number(millis.value) });
  }

  async #fault(order) {
    try {
      this.#render(await this.account.order("fault", order));
    } catch (problem) {
      complain(problem);
    }
  }
}

/** Whether all regions take writes of items; only then a region tells whether it does. */
function allWrite(status) {
  return status.takesItems !== undefined;
}

function who(status) {
  const isHere = status.writeRegion === status.region;
  if (!allWrite(status)) return isHere ? "It takes the writes." : `${status.writeRegion} takes the writes.`;
  const items = status.takesItems ? "All regions take writes of items." : "All regions take writes of items, but this one does not at the moment.";
  return `${items} ${isHere ? "It is the hub" : `${status.writeRegion} is the hub`}: it settles them, and takes all other changes.`;
}

const OUTCOMES = ["accepted", "patched", "won", "lost", "merged", "kept"];

/** What a region that writes tells of its writes, and what it has settled as the hub. */
function settling(status) {
  if (!allWrite(status)) return [];
  const { confirmed, settled, unsettledWrites } = status;
  const of = (counted) => OUTCOMES.filter((outcome) => counted[outcome] > 0).map((outcome) => `${counted[outcome].toLocaleString()} ${outcome}`).join(", ");
  const kinds = Object.entries(settled.conflicts).map(([kind, counted]) => `${kind.replace("_", " ")}: ${of(counted)}`);
  return [
    ["Not settled yet", unsettledWrites === 0 ? "nothing that was written here" : `${count(unsettledWrites, "write")} of this region`],
    ["Until it is settled", confirmed ? `a write takes ${confirmed.averageMillis.toFixed(0)} ms on average, ${confirmed.lastMillis.toFixed(0)} ms the last time` : "nothing timed yet"],
    ["Settled here as the hub", of(settled) || "nothing since this server was started"],
    ["Conflicts among them", kinds.join("; ") || "none"],
  ];
}

/** A region in words: its role, and how it stands, as far as the region that was asked knows. */
function words(one, status) {
  if (one.witness) return { role: "votes only", behind: "—", heard: "—", state: "good" };
  const silent = (one.silentSeconds ?? 0) > SILENT_SECONDS;
  const known = one.lagLsns !== undefined;
  return {
    role: allWrite(status) ? (one.writes ? "takes items, is the hub" : "takes items") : one.writes ? "takes the writes" : "follows",
    takesItems: one.writes || allWrite(status),
    behind: one.writes ? "—" : silent ? "not known, it is silent" : !known ? `${status.writeRegion} knows` : one.lagLsns === 0 ? "nothing" : `${count(one.lagLsns, "change")}${one.lagSeconds >= 1 ? `, ${seconds(one.lagSeconds)}` : ""}`,
    heard: one.silentSeconds === undefined ? "—" : silent ? `${seconds(one.silentSeconds)} ago` : "just now",
    state: silent ? "bad" : one.lagLsns > 0 ? "late" : "good",
  };
}

function seconds(figure) {
  return `${Math.round(figure).toLocaleString()} s`;
}
