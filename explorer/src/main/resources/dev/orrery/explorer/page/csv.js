// Tables (RFC 4180) by the rules of `./orrery import`: the first row names the columns, `address.city` is a property of a
// property, an empty field is a property that is not there.

import { compact, parse } from "./json.js";

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * { line, lastLine, text } with the JSON of an item, or { line, problem }, for every row.
 *
 * @param isWrong whether there is one among the lines from one to another that is no text
 */
export function* csvItems(text, isWrong) {
  const rows = csvRows(text);
  const first = rows.next().value;
  if (!first) return yield { line: 1, problem: "The file is empty; a table begins with the names of its columns" };
  let root;
  try {
    if (first.problem) throw new Error(first.problem);
    if (isWrong(first.line, first.lastLine)) throw new Error("The line is not UTF-8 text");
    root = columns(first.fields.map((field) => field.text));
  } catch (problem) {
    return yield { line: first.line, problem: `${problem.message}; nothing of this file was imported` };
  }
  for (const row of rows) yield item(root, first.fields.length, row);
  return undefined;
}

function item(root, count, row) {
  if (row.problem) return row;
  if (row.fields.length !== count) return { line: row.line, problem: `The row has ${row.fields.length} fields, but there are ${count} columns` };
  try {
    return { line: row.line, lastLine: row.lastLine, text: object(root, row.fields) };
  } catch (problem) {
    return { line: row.line, problem: problem.message };
  }
}

// ---- columns ----

function columns(names) {
  const root = { path: "", below: new Map() };
  names.forEach((name, place) => {
    let node = root;
    for (const part of parts(name)) {
      if (part === "") throw new Error(`Column ${place + 1} has no proper name: “${name}”`);
      if (!node.below.has(part)) node.below.set(part, { path: node === root ? part : `${node.path}.${part}`, below: new Map() });
      node = node.below.get(part);
    }
    if (node.column !== undefined) throw new Error(`There are two columns “${name}”`);
    node.column = place;
    // An id is a string, also when it is made of digits.
    node.isText = name === "id";
  });
  return root;
}

/** Dots are between the names of properties; a backslash keeps one that is in a name. */
function parts(name) {
  const found = [""];
  for (let at = 0; at < name.length; at++) {
    if (name[at] === ".") found.push("");
    else found[found.length - 1] += name[at] === "\\" && at + 1 < name.length ? name[++at] : name[at];
  }
  return found;
}

function object(node, fields) {
  const members = [...node.below].filter(([, child]) => isPresent(child, fields)).map(([name, child]) => `${JSON.stringify(name)}:${value(child, fields)}`);
  return `{${members.join(",")}}`;
}

function value(node, fields) {
  const inside = [...node.below.values()].some((child) => isPresent(child, fields));
  if (inside && hasField(node, fields)) throw new Error(`“${node.path}” has a value of its own and properties as well; one of them must be empty`);
  if (inside) return object(node, fields);
  const field = fields[node.column];
  return !node.isText && isJson(field) ? field.text : JSON.stringify(field.text);
}

function isPresent(node, fields) {
  return hasField(node, fields) || [...node.below.values()].some((child) => isPresent(child, fields));
}

/** An empty text is written in quotes. */
function hasField(node, fields) {
  return node.column !== undefined && (fields[node.column].quoted || fields[node.column].text !== "");
}

/** Quotes make a text of everything but arrays and objects, most of which cannot do without quotes. */
function isJson({ text, quoted }) {
  if (/^[[{]/.test(text)) {
    try {
      compact(parse(text));
      return true;
    } catch {
      return false;
    }
  }
  return !quoted && (["true", "false", "null"].includes(text) || (NUMBER.test(text) && Number.isFinite(Number(text))));
}

// ---- rows ----

function* csvRows(text) {
  let line = 1;
  let at = 0;
  while (at < text.length) {
    if (text[at] === "\n" || text[at] === "\r") {
      if (text[at] === "\n") line++;
      at++;
      continue;
    }
    const begun = line;
    const fields = [];
    let problem;
    for (;;) {
      const field = text[at] === '"' ? quotedField(text, at) : plainField(text, at);
      line += field.quoted ? field.text.split("\n").length - 1 : 0;
      problem ??= field.problem;
      fields.push(field);
      at = field.end;
      if (text[at] !== ",") break;
      at++;
    }
    at = text.indexOf("\n", at);
    at = at < 0 ? text.length : at + 1;
    line++;
    yield problem ? { line: begun, problem } : { line: begun, lastLine: line - 1, fields };
  }
}

function quotedField(text, start) {
  let field = "";
  for (let at = start + 1; ; ) {
    const end = text.indexOf('"', at);
    if (end < 0) return { text: field, quoted: true, end: text.length, problem: "A quoted field never ends" };
    field += text.slice(at, end);
    at = end + 1;
    if (text[at] === '"') {
      field += '"';
      at++;
    } else if (/^(?:,|\r?\n|\r?$)/.test(text.slice(at, at + 2))) {
      return { text: field, quoted: true, end: at };
    } else {
      return { text: field, quoted: true, end: lineEnd(text, at), problem: "A comma is expected after a quoted field" };
    }
  }
}

function plainField(text, start) {
  const stop = lineEnd(text, start);
  const comma = text.indexOf(",", start);
  const end = comma >= 0 && comma < stop ? comma : stop;
  const field = text.slice(start, end);
  return field.includes('"') ? { text: "", quoted: false, end: stop, problem: "A field with a quote in it must be quoted" } : { text: field, quoted: false, end };
}

/** Where a line ends, before what ends it. */
function lineEnd(text, from) {
  const found = text.indexOf("\n", from);
  const end = found < 0 ? text.length : found;
  return text[end - 1] === "\r" && end > from ? end - 1 : end;
}
