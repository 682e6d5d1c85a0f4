// Files of items: NDJSON, JSON and CSV, each record with the line where it begins.

import { csvItems } from "./csv.js";
import { parse, parseSeveral, position } from "./json.js";

/**
 * { line, node } or { line, problem } of every record.
 *
 * @param file its text, and the numbers of the lines that are `wrong`, as they are no UTF-8
 */
export function* records(name, { text, wrong }) {
  const known = new Set(wrong);
  for (const record of read(name, text, (from, to) => firstOf(known, from, to) !== undefined)) {
    const line = known.size === 0 || record.problem ? undefined : firstOf(known, record.line, record.lastLine ?? record.line);
    yield line === undefined ? record : { line, problem: "The line is not UTF-8 text" };
  }
}

function firstOf(lines, from, to) {
  for (let line = from; line <= to; line++) if (lines.has(line)) return line;
  return undefined;
}

function* read(name, text, isWrong) {
  const plainName = name.replace(/\.gz$/i, "");
  if (/\.csv$/i.test(plainName)) for (const row of csvItems(text, isWrong)) yield row.problem ? row : attempt(row, row.text);
  else if (/\.json$/i.test(plainName) || /^\s*\[/.test(text)) yield* whole(text);
  else yield* lines(text);
}

function* lines(text) {
  let number = 0;
  for (const line of text.split("\n")) {
    number++;
    if (line.trim() !== "") yield attempt({ line: number }, line);
  }
}

function attempt({ line, lastLine }, text) {
  try {
    return { line, lastLine, node: parse(text) };
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
  const lineAt = counter(text);
  for (const node of nodes) yield { line: lineAt(node.start), lastLine: lineAt(node.end), node };
}

/** Tells the line of an offset that is beyond those that it was asked for before. */
function counter(text) {
  let line = 1;
  let next = text.indexOf("\n");
  return (offset) => {
    while (next >= 0 && next < offset) {
      line++;
      next = text.indexOf("\n", next + 1);
    }
    return line;
  };
}
