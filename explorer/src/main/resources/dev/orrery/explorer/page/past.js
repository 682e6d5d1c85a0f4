// Queries of earlier: the last ones, and those that were given a name. They stay in this browser.

const HISTORY = "orrery.history";
const SAVED = "orrery.saved";
const KEPT = 50;

function load(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "[]");
  } catch {
    return [];
  }
}

/** Whether there was room for them. */
function store(name, entries) {
  try {
    localStorage.setItem(name, JSON.stringify(entries));
    return true;
  } catch {
    return false;
  }
}

/** The last queries of a container, newest first. */
export function history(place) {
  return load(HISTORY).filter((one) => one.place === place);
}

export function remember(place, text) {
  const others = load(HISTORY).filter((one) => one.place !== place || one.text !== text);
  let entries = [{ place, text, at: Date.now() }, ...others].slice(0, KEPT);
  // What a browser keeps is bounded: the older half goes, and with no room at all there is no history.
  while (!store(HISTORY, entries) && entries.length > 0) entries = entries.slice(0, Math.floor(entries.length / 2));
}

export function saved() {
  return load(SAVED);
}

/** Whether it could be kept. */
export function save(name, text) {
  return store(SAVED, [...load(SAVED).filter((one) => one.name !== name), { name, text }].sort((one, other) => one.name.localeCompare(other.name)));
}

export function forget(name) {
  store(SAVED, load(SAVED).filter((one) => one.name !== name));
}
