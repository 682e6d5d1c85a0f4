// How the editor colours a query.

import { KEYWORDS } from "./functions.js";

const WORDS = new Set(KEYWORDS);
const ATOMS = new Set(["TRUE", "FALSE", "NULL", "UNDEFINED"]);

export const QUERY_MODE = "orrery-query";

export function defineQueryMode(CodeMirror, functions) {
  const names = new Set(functions.map((one) => one.name));
  CodeMirror.defineMode(QUERY_MODE, () => ({
    startState: () => ({ quote: undefined }),
    token: (stream, state) => token(stream, state, names),
  }));
}

function token(stream, state, names) {
  if (state.quote) return text(stream, state);
  if (stream.eatSpace()) return null;
  if (stream.match("--")) {
    stream.skipToEnd();
    return "comment";
  }
  const next = stream.peek();
  if (next === '"' || next === "'") {
    state.quote = stream.next();
    return text(stream, state);
  }
  if (stream.match(/^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/)) return "number";
  if (stream.match(/^@\w*/)) return "variable-2";
  if (stream.match(/^\.\s*[A-Za-z_]\w*/)) return "property";
  if (stream.match(/^[A-Za-z_]\w*/)) {
    const word = stream.current().toUpperCase();
    if (ATOMS.has(word)) return "atom";
    if (names.has(word) && stream.match(/^\s*\(/, false)) return "builtin";
    return WORDS.has(word) ? "keyword" : "variable";
  }
  stream.next();
  return "operator";
}

/** A string goes on over lines until its quote, and a backslash keeps the next character from ending it. */
function text(stream, state) {
  for (let next = stream.next(); next !== undefined; next = stream.next()) {
    if (next === "\\") stream.next();
    else if (next === state.quote) {
      state.quote = undefined;
      break;
    }
  }
  return "string";
}
