// The key of this tab. It is kept for as long as the tab lives, and nowhere else.

const NAME = "orrery.key";
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** The key that every local server takes; it is public, so a server takes it on its own machine only. */
const WELL_KNOWN = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";

export function keptKey() {
  return sessionStorage.getItem(NAME);
}

export function keepKey(key) {
  sessionStorage.setItem(NAME, key);
}

export function forgetKey() {
  sessionStorage.removeItem(NAME);
}

/** What to try without asking; on any other machine somebody has to say the key. */
export function likelyKey() {
  return LOOPBACK.has(location.hostname) ? WELL_KNOWN : undefined;
}
