// What the query editor proposes: words, functions with their manual, and the properties that items of the container have.

import { KEYWORDS } from "./functions.js";
import { h, show } from "./dom.js";

const SAMPLE = 20;
const DEPTH = 4;
const ALIAS_DEPTH = 8;

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
    const way = /([A-Za-z_]\w*(?:\.\w+|\[\d+\]|\["[^"\]]+"\])*)\.(\w*)$/.exec(before);
    const word = way ? way[2] : /\w*$/.exec(before)[0];
    const from = { line: cursor.line, ch: cursor.ch - word.length };
    const list = way ? properties(way[1], paths(), editor.getValue(), from) : [...words(functions), ...names(paths())];
    const begins = word.toLowerCase();
    const found = list.filter((one) => one.displayText.toLowerCase().startsWith(begins) && one.text !== word);
    const proposals = { list: found, from, to: cursor };
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

/** What may follow after `c.address.`. A name that cannot stand behind a dot is put in brackets, in the place of the dot. */
function properties(way, paths, query, from) {
  const here = resolve(way, paths, aliases(query), 0);
  return [...(here?.keys() ?? [])].map((name) => (isPlain(name) ? { text: name, displayText: name } : { text: `[${JSON.stringify(name)}]`, displayText: name, from: { line: from.line, ch: from.ch - 1 } }));
}

/** What JOIN and FROM give other names: { line: "c.lines" } of JOIN line IN c.lines. */
function aliases(query) {
  return new Map([...query.matchAll(/\b(?:FROM|JOIN)\s+([A-Za-z_]\w*)\s+IN\s+([A-Za-z_]\w*(?:\.\w+|\["[^"\]]+"\])*)/gi)].map((found) => [found[1], found[2]]));
}

/** The names below a way such as `line.article`; any first name that is no alias is that of the items. */
function resolve(way, paths, known, depth) {
  const [first, ...rest] = [...way.matchAll(/\["([^"\]]+)"\]|[A-Za-z_]\w*|\[\d+\]/g)].filter((found) => !/^\[\d/.test(found[0])).map((found) => found[1] ?? found[0]);
  let here = known.has(first) && depth < ALIAS_DEPTH ? resolve(known.get(first), paths, known, depth + 1) : paths;
  for (const name of rest) here = here?.get(name);
  return here;
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
