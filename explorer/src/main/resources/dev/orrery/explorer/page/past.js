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

function store(name, entries) {
  localStorage.setItem(name, JSON.stringify(entries));
}

/** The last queries of a container, newest first. */
export function history(place) {
  return load(HISTORY).filter((one) => one.place === place);
}

export function remember(place, text) {
  const others = load(HISTORY).filter((one) => one.place !== place || one.text !== text);
  store(HISTORY, [{ place, text, at: Date.now() }, ...others].slice(0, KEPT));
}

export function saved() {
  return load(SAVED);
}

export function save(name, text) {
  store(SAVED, [...load(SAVED).filter((one) => one.name !== name), { name, text }].sort((one, other) => one.name.localeCompare(other.name)));
}

export function forget(name) {
  store(SAVED, load(SAVED).filter((one) => one.name !== name));
}
