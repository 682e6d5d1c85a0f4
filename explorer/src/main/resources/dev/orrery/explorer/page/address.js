// What the page shows is in its address, so that a link, a bookmark and the back button show the same again.
//
//   #/                              the account
//   #/?page=regions                 another page of the account
//   #/shop                          a database
//   #/shop/orders/items?filter=…    a page of a container

/** { database, container, page, parameters } */
export function read() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const parts = path.split("/").filter((part) => part !== "").map(decode);
  return { database: parts[0], container: parts[1], page: parts[2], parameters: new URLSearchParams(query ?? "") };
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function write({ database, container, page, parameters = {} }) {
  const path = [database, container, page].filter((part) => part !== undefined).map(encodeURIComponent).join("/");
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== "" && value !== null);
  return `#/${path}${given.length === 0 ? "" : `?${new URLSearchParams(given)}`}`;
}

export function go(place) {
  location.hash = write(place);
}

/** A parameter that is JSON, where it fits; undefined where it is not there or somebody has bent it. */
export function jsonOf(parameters, name, fits) {
  try {
    const value = JSON.parse(parameters.get(name));
    return value !== null && fits(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Changes the parameters of what is shown without showing it anew. */
export function note(changes) {
  const here = read();
  const parameters = { ...Object.fromEntries(here.parameters), ...changes };
  history.replaceState(null, "", write({ ...here, parameters }));
}
