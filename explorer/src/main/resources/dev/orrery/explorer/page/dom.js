// Builds elements. A text is always a text and never markup, whatever it looks like.

/** An element: attributes by name, `on…` are listeners, `false` and `undefined` leave an attribute out. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "indeterminate") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  add(element, children);
  return element;
}

/** An element of a drawing. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  add(element, children);
  return element;
}

/** A button that does something; while it does, it cannot be pressed again. */
export function button(label, action, attributes = {}) {
  const element = h("button", { type: "button", ...attributes, onclick: run }, label);
  async function run(event) {
    if (element.disabled) return;
    element.disabled = true;
    try {
      await action(event);
    } finally {
      element.disabled = false;
    }
  }
  return element;
}

/** Puts content behind what is there. */
export function add(place, ...content) {
  place.append(...present(content));
}

/** Puts content in the place of what is there. */
export function show(place, ...content) {
  place.replaceChildren(...present(content));
}

/** Lists are taken apart, and what is left out by a condition is left out. */
function present(content) {
  return content.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false);
}

const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A text in one line, in which nothing is hidden and nothing turns the rest around: such characters as escapes. */
export function visible(text) {
  return text.replace(HIDDEN, (character) => (character < " " ? JSON.stringify(character).slice(1, -1) : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`));
}

let lastId = 0;

/** A name for an element that a label or description points to. */
export function freshId(prefix) {
  return `${prefix}-${++lastId}`;
}

/** What stands where there is nothing yet: what it would be, and what to do. */
export function emptyState(title, ...words) {
  return h("div", { class: "empty" }, h("h2", {}, title), ...words.map((word) => (typeof word === "string" ? h("p", {}, word) : word)));
}

/** Names and what they have, below each other. */
export function pairs(rows) {
  return h("dl", { class: "pairs" }, rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

/** Says that something is under way, in words. */
export function waiting(words) {
  return h("p", { class: "waiting", role: "status" }, words);
}
