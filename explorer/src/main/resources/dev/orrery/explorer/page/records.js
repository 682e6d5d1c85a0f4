// Files of items: NDJSON, JSON and CSV, each record with the line where it begins.

import { csvItems } from "./csv.js";
import { parse, parseSeveral, position } from "./json.js";

/** { line, node } or { line, problem } of every record. */
export function* records(name, text) {
  const begin = text.replace(/^\uFEFF/, "");
  const plainName = name.replace(/\.gz$/i, "");
  if (/\.csv$/i.test(plainName)) for (const row of csvItems(begin)) yield row.problem ? row : attempt(row.line, row.text);
  else if (/\.json$/i.test(plainName) || /^\s*\[/.test(begin)) yield* whole(begin);
  else yield* lines(begin);
}

function* lines(text) {
  let number = 0;
  for (const line of text.split("\n")) {
    number++;
    if (line.trim() !== "") yield attempt(number, line);
  }
}

function attempt(line, text) {
  try {
    return { line, node: parse(text) };
  } catch (problem) {
    return { line, problem: problem.message };
  }
}

/** One array of objects, or objects one after another. */
function* whole(text) {
  let nodes;
  try {
    nodes = /^\s*\[/.test(text) ? parse(text).items : parseSeveral(text);
  } catch (problem) {
    yield { line: position(text, problem.offset).line + 1, problem: `${problem.message}; nothing of this file was imported` };
    return;
  }
  let line = 1;
  let from = 0;
  for (const node of nodes) {
    for (let at = text.indexOf("\n", from); at >= 0 && at < node.start; at = text.indexOf("\n", at + 1)) {
      line++;
      from = at + 1;
    }
    yield { line, node };
  }
}
