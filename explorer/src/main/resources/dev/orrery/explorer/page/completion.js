// What the query editor proposes: words, functions with their manual, and the properties that items of the container have.

import { KEYWORDS } from "./functions.js";
import { h, show } from "./dom.js";

const SAMPLE = 20;
const DEPTH = 4;

/** The names that items have, as a tree of maps, from a few of them. */
export async function samplePaths(account, container) {
  const page = await account.page([...container.path, "docs"], { size: SAMPLE });
  const names = new Map();
  page.nodes.forEach((node) => collect(node, names, DEPTH));
  return names;
}

function collect(node, names, depth) {
  if (depth === 0) return;
  if (node.kind === "array") node.items.slice(0, 5).forEach((item) => collect(item, names, depth));
  if (node.kind !== "object") return;
  for (const one of node.members) {
    if (!names.has(one.name)) names.set(one.name, new Map());
    collect(one.value, names.get(one.name), depth - 1);
  }
}

/**
 * Makes the function that CodeMirror asks for proposals.
 *
 * @param manual where the words on a function are shown while it is chosen
 */
export function completion(CodeMirror, functions, paths, manual) {
  return (editor) => {
    const cursor = editor.getCursor();
    const before = editor.getRange({ line: 0, ch: 0 }, cursor);
    const way = /([A-Za-z_]\w*(?:\.\w+|\[\d+\])*)\.(\w*)$/.exec(before);
    const word = way ? way[2] : /\w*$/.exec(before)[0];
    const list = way ? properties(way[1], paths()) : [...words(functions), ...names(paths())];
    const begins = word.toLowerCase();
    const found = list.filter((one) => one.text.toLowerCase().startsWith(begins) && one.text !== word);
    const proposals = { list: found, from: { line: cursor.line, ch: cursor.ch - word.length }, to: cursor };
    CodeMirror.on(proposals, "select", (one) => explain(one.manual, manual));
    CodeMirror.on(proposals, "close", () => show(manual));
    return proposals;
  };
}

function words(functions) {
  return [
    ...KEYWORDS.map((text) => ({ text, displayText: text })),
    ...functions.map((one) => ({ text: `${one.name}(`, displayText: one.call, manual: one })),
  ];
}

function names(paths) {
  return [...paths.keys()].filter(isPlain).map((name) => ({ text: `c.${name}`, displayText: `c.${name}` }));
}

/** What may follow after `c.address.`; the first name is that of the items. */
function properties(way, paths) {
  let here = paths;
  for (const name of way.split(/\.|\[\d+\]/).slice(1)) {
    if (name !== "") here = here?.get(name);
  }
  return [...(here?.keys() ?? [])].filter(isPlain).map((name) => ({ text: name, displayText: name }));
}

function isPlain(name) {
  return /^[A-Za-z_]\w*$/.test(name) && !KEYWORDS.includes(name.toUpperCase());
}

function explain(one, manual) {
  if (!one) return show(manual);
  return show(
    manual,
    h("strong", { class: "code" }, one.call),
    ` ${one.description}`,
    one.example && h("span", { class: "code dim" }, ` ${one.example} → ${one.result}`),
  );
}
