// JSON as it was written: the order of properties and the spelling of numbers and strings are kept, which JSON.parse
// would lose (1.0, 1e3, 12345678901234567890, and properties that are called "2" and "1").
//
// A node has `kind` (object, array, string, number, word), where it stands (`start`, `end`), and
//   object: `members`, each { name, nameText, value }    array: `items`
//   string: `value` and `text` with its quotes           number: `text`      word: `text`, of true, false, null

export class JsonError extends Error {
  constructor(message, offset) {
    super(message);
    this.offset = offset;
  }
}

const SPACE = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const PLAIN_RUN = /[^"\\\u0000-\u001f]*/y;
const DEPTH_MAX = 256;

/** Reads a whole text. */
export function parse(text) {
  const reader = new Reader(text);
  reader.space();
  const node = reader.value(0);
  reader.space();
  if (reader.at < text.length) throw new JsonError("Something follows after the end of the value", reader.at);
  return node;
}

/** Reads values that stand one after another. */
export function parseSeveral(text) {
  const reader = new Reader(text);
  const nodes = [];
  for (reader.space(); reader.at < text.length; reader.space()) nodes.push(reader.value(0));
  return nodes;
}

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  space() {
    SPACE.lastIndex = this.at;
    SPACE.test(this.text);
    this.at = SPACE.lastIndex;
  }

  value(depth) {
    if (depth > DEPTH_MAX) throw new JsonError("This is nested too deep", this.at);
    const start = this.at;
    switch (this.text[start]) {
      case "{":
        return this.object(depth, start);
      case "[":
        return this.array(depth, start);
      case '"':
        return this.string();
      case "t":
        return this.word("true");
      case "f":
        return this.word("false");
      case "n":
        return this.word("null");
      case undefined:
        throw new JsonError("The text ends where a value is expected", start);
      default:
        return this.number();
    }
  }

  object(depth, start) {
    const members = [];
    const names = new Set();
    this.at++;
    this.space();
    if (this.text[this.at] === "}") {
      this.at++;
      return { kind: "object", members, start, end: this.at };
    }
    for (;;) {
      if (this.text[this.at] !== '"') throw new JsonError("The name of a property is expected, in double quotes", this.at);
      const name = this.string();
      if (names.has(name.value)) throw new JsonError(`The property ${name.text} is there twice`, name.start);
      names.add(name.value);
      this.space();
      if (this.text[this.at] !== ":") throw new JsonError("A colon is expected after the name of a property", this.at);
      this.at++;
      this.space();
      members.push({ name: name.value, nameText: name.text, value: this.value(depth + 1) });
      this.space();
      if (!this.more("}")) return { kind: "object", members, start, end: this.at };
    }
  }

  array(depth, start) {
    const items = [];
    this.at++;
    this.space();
    if (this.text[this.at] === "]") {
      this.at++;
      return { kind: "array", items, start, end: this.at };
    }
    for (;;) {
      items.push(this.value(depth + 1));
      this.space();
      if (!this.more("]")) return { kind: "array", items, start, end: this.at };
    }
  }

  /** Steps over a comma, or over the end. */
  more(end) {
    const next = this.text[this.at];
    if (next === end) {
      this.at++;
      return false;
    }
    if (next !== ",") throw new JsonError(`A comma or ${end} is expected`, this.at);
    this.at++;
    this.space();
    if (this.text[this.at] === end) throw new JsonError("There is a comma too many", this.at - 1);
    return true;
  }

  string() {
    const start = this.at;
    // Long plain strings would be too much for the pattern of all strings.
    PLAIN_RUN.lastIndex = start + 1;
    PLAIN_RUN.test(this.text);
    if (this.text[PLAIN_RUN.lastIndex] === '"') {
      this.at = PLAIN_RUN.lastIndex + 1;
      const text = this.text.slice(start, this.at);
      return { kind: "string", value: text.slice(1, -1), text, start, end: this.at };
    }
    STRING.lastIndex = start;
    if (!STRING.test(this.text)) throw new JsonError("This string does not end, or has a character that must be escaped", start);
    this.at = STRING.lastIndex;
    const text = this.text.slice(start, this.at);
    return { kind: "string", value: JSON.parse(text), text, start, end: this.at };
  }

  word(text) {
    const start = this.at;
    if (!this.text.startsWith(text, start)) throw new JsonError("A value is expected", start);
    this.at += text.length;
    return { kind: "word", text, start, end: this.at };
  }

  number() {
    const start = this.at;
    NUMBER.lastIndex = start;
    if (!NUMBER.test(this.text)) throw new JsonError("A value is expected", start);
    this.at = NUMBER.lastIndex;
    return { kind: "number", text: this.text.slice(start, this.at), start, end: this.at };
  }
}

/** The text of a node on many lines. */
export function format(node, indent = "") {
  const deeper = `${indent}  `;
  switch (node.kind) {
    case "object":
      return node.members.length === 0
        ? "{}"
        : `{\n${node.members.map((member) => `${deeper}${member.nameText}: ${format(member.value, deeper)}`).join(",\n")}\n${indent}}`;
    case "array":
      return node.items.length === 0 ? "[]" : `[\n${node.items.map((item) => deeper + format(item, deeper)).join(",\n")}\n${indent}]`;
    default:
      return node.text;
  }
}

/** The text of a node without any space around its parts. */
export function compact(node) {
  switch (node.kind) {
    case "object":
      return `{${node.members.map((member) => `${member.nameText}:${compact(member.value)}`).join(",")}}`;
    case "array":
      return `[${node.items.map(compact).join(",")}]`;
    default:
      return node.text;
  }
}

/** What a property holds; undefined where there is none. */
export function member(node, name) {
  return node?.kind === "object" ? node.members.find((one) => one.name === name)?.value : undefined;
}

/** What lies at a path of names. */
export function at(node, names) {
  return names.reduce((here, name) => member(here, name), node);
}

/** The same object without some of its properties. */
export function without(node, names) {
  return { ...node, members: node.members.filter((one) => !names.has(one.name)) };
}

/** The same object with one property set, in its place or at the front. */
export function withString(node, name, value) {
  const text = JSON.stringify(value);
  const made = { kind: "string", value, text };
  const has = node.members.some((one) => one.name === name);
  const members = has
    ? node.members.map((one) => (one.name === name ? { ...one, value: made } : one))
    : [{ name, nameText: JSON.stringify(name), value: made }, ...node.members];
  return { ...node, members };
}

/** A JavaScript value, for charts and other uses that need no more than that. */
export function plain(node) {
  switch (node?.kind) {
    case undefined:
      return undefined;
    case "object":
      return Object.fromEntries(node.members.map((one) => [one.name, plain(one.value)]));
    case "array":
      return node.items.map(plain);
    case "string":
      return node.value;
    default:
      return JSON.parse(node.text);
  }
}

/** Line and column of an offset, both from 0. */
export function position(text, offset) {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length - 1, column: offset - (before.lastIndexOf("\n") + 1) };
}
