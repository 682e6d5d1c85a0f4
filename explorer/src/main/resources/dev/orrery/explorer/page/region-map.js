// A picture of the globe with the regions on it, and lines from the one that writes to those that follow it.

import { svg } from "./dom.js";
import { LAND, placeOf } from "./places.js";

const SOUTH = 46;
const LABEL_HEIGHT = 14;

/**
 * @param regions with name, writes, takesItems, witness, me, state, role and behind; one writes, several may take items
 * @param faults on what goes from here, by the name of the other region
 */
export function regionMap(regions, faults) {
  const placed = place(regions);
  const writer = placed.find((one) => one.writes);
  const me = placed.find((one) => one.me);
  const told = regions.map((one) => `${one.name} ${one.role}${one.writes || one.witness ? "" : `, behind: ${one.behind}`}`).join("; ");
  return svg(
    "svg",
    { viewBox: "-180 -80 360 138", role: "img", "aria-label": `Map of the regions: ${told}` },
    svg("g", { class: "land", transform: "scale(1 -1)" }, LAND.map((points) => svg("polygon", { points }))),
    placed.filter((one) => one !== writer && writer && !one.witness).map((one) => line(writer, one, one.state, false)),
    placed.filter((one) => faults[one.name] && me).map((one) => line(me, one, "bad", true)),
    placed.map((one) => svg("circle", { class: `spot ${one.writes ? "writes" : one.state} ${one.takesItems ? "takes" : ""}`, cx: one.x, cy: one.y, r: one.takesItems ? 4 : 3 })),
    placed.map(label),
  );
}

/** Regions with names of one's own stand side by side in the south. */
function place(regions) {
  const unknown = regions.filter((one) => !placeOf(one.name));
  const placed = regions.map((one) => {
    const [x, latitude] = placeOf(one.name) ?? [-180 + (360 * (unknown.indexOf(one) + 0.5)) / unknown.length, -SOUTH];
    return { ...one, x, y: -latitude, left: x > 90 };
  });
  // Labels of neighbours are moved apart, from north to south.
  const sides = [placed.filter((one) => one.left), placed.filter((one) => !one.left)];
  for (const side of sides) {
    side.sort((one, other) => one.y - other.y);
    side.forEach((one, index) => {
      one.labelY = one.y;
      for (const before of side.slice(0, index)) if (Math.abs(before.x - one.x) < 70 && one.labelY - before.labelY < LABEL_HEIGHT) one.labelY = before.labelY + LABEL_HEIGHT;
    });
  }
  return placed;
}

/** Bent to the north, and to the south where it is disturbed. */
function line(from, to, state, isFault) {
  const x = (from.x + to.x) / 2;
  const y = (from.y + to.y) / 2 + Math.hypot(to.x - from.x, to.y - from.y) * (isFault ? 0.12 : -0.18);
  return svg("path", { class: `link ${state} ${isFault ? "fault" : ""}`, d: `M${from.x} ${from.y}Q${x} ${y} ${to.x} ${to.y}` });
}

function label(one) {
  const x = one.left ? one.x - 6 : one.x + 6;
  const anchor = one.left ? "end" : "start";
  const known = one.state === "bad" ? "silent" : one.behind === "nothing" ? "up to date" : one.lagLsns === undefined ? "" : `${one.behind} behind`;
  const second = one.writes || one.witness ? one.role : one.takesItems ? ["takes items", known].filter(Boolean).join(", ") : known || "follows";
  return svg("g", { class: "label" }, svg("text", { x, y: one.labelY, "text-anchor": anchor }, one.name + (one.me ? " (here)" : "")), svg("text", { class: "second", x, y: one.labelY + 6.5, "text-anchor": anchor }, second));
}
