// Files of items: NDJSON, JSON arrays and CSV, each record with the line where it begins.

import { compact, parse, position } from "./json.js";

/** { line, node } or { line, problem } of every record. */
export function* records(name, text) {
  const begin = text.replace(/^\uFEFF/, "");
  if (/\.csv(\.gz)?$/i.test(name)) yield* csv(begin);
  else if (/^\s*\[/.test(begin)) yield* array(begin);
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

function* array(text) {
  let all;
  try {
    all = parse(text);
  } catch (problem) {
    yield { line: position(text, problem.offset).line + 1, problem: `${problem.message}; nothing of this file was imported` };
    return;
  }
  let line = 1;
  let from = 0;
  for (const node of all.items) {
    for (let at = text.indexOf("\n", from); at >= 0 && at < node.start; at = text.indexOf("\n", at + 1)) {
      line++;
      from = at + 1;
    }
    yield { line, node };
  }
}

/** The first row has the names; a field that reads as JSON is that value, any other a text, and an empty one is left out. */
function* csv(text) {
  const rows = csvRows(text);
  const { value: head } = rows.next();
  if (!head) return;
  for (const row of rows) {
    const members = head.fields.flatMap((name, place) => {
      const field = row.fields[place] ?? { text: "", quoted: false };
      return field.text === "" && !field.quoted ? [] : [`${JSON.stringify(name.text)}:${csvValue(field)}`];
    });
    yield row.fields.length > head.fields.length ? { line: row.line, problem: "There are more fields than names in the first line" } : attempt(row.line, `{${members.join(",")}}`);
  }
}

function csvValue(field) {
  if (!field.quoted) {
    try {
      return compact(parse(field.text));
    } catch {
      // A text, then.
    }
  }
  return JSON.stringify(field.text);
}

function* csvRows(text) {
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const begun = line;
    const fields = [];
    for (;;) {
      let field = "";
      const quoted = text[at] === '"';
      if (quoted) {
        at++;
        for (;;) {
          const end = text.indexOf('"', at);
          if (end < 0) {
            field += text.slice(at);
            at = text.length;
            break;
          }
          field += text.slice(at, end);
          at = end + 1;
          if (text[at] !== '"') break;
          field += '"';
          at++;
        }
        line += field.split("\n").length - 1;
      }
      const rest = /[,\r\n]|$/g;
      rest.lastIndex = at;
      const end = rest.exec(text).index;
      if (!quoted) field = text.slice(at, end);
      at = end;
      fields.push({ text: field, quoted });
      if (text[at] !== ",") break;
      at++;
    }
    if (text[at] === "\r") at++;
    if (text[at] === "\n") at++;
    line++;
    if (fields.length > 1 || fields[0].text !== "") yield { line: begun, fields };
  }
}
