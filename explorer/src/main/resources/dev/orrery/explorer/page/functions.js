// What the query language has: its words, and its functions as the server tells them.

export const KEYWORDS = [
  "ALL", "AND", "ARRAY", "AS", "ASC", "BETWEEN", "BY", "DESC", "DISTINCT", "ESCAPE", "EXISTS", "FALSE", "FIRST", "FROM", "GROUP", "IN", "JOIN",
  "LAST", "LIKE", "LIMIT", "NOT", "NULL", "OFFSET", "OR", "ORDER", "RANK", "SELECT", "TOP", "TRUE", "UDF", "UNDEFINED", "VALUE", "WHERE",
];

let known;

/** { name, call, description, example, result } of every function. */
export function readFunctions() {
  known ??= (async () => (await (await fetch("/_orrery/functions")).json()).functions)();
  return known;
}
