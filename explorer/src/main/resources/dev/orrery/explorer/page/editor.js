// The text editor: CodeMirror, loaded when the first one is opened.

import { parse, position } from "./json.js";

const FILES = [
  "lib/codemirror/5.65.18/addon/edit/matchbrackets.js",
  "lib/codemirror/5.65.18/addon/edit/closebrackets.js",
  "lib/codemirror/5.65.18/addon/hint/show-hint.js",
  "lib/codemirror/5.65.18/addon/display/placeholder.js",
  "lib/codemirror/5.65.18/mode/javascript/javascript.js",
];
const CORE = "lib/codemirror/5.65.18/lib/codemirror.js";
const CHECK_AFTER_MILLIS = 200;

let loaded;

function load() {
  loaded ??= (async () => {
    await import(`./${CORE}`);
    await Promise.all(FILES.map((file) => import(`./${file}`)));
    return globalThis.CodeMirror;
  })();
  return loaded;
}

/** An editor in an element, with a name for those who cannot see it. */
export async function openEditor(place, label, options) {
  const CodeMirror = await load();
  const editor = CodeMirror(place, {
    theme: "orrery",
    lineNumbers: true,
    matchBrackets: true,
    autoCloseBrackets: true,
    viewportMargin: 20,
    tabSize: 2,
    inputStyle: "contenteditable",
    ...options,
    // Tab leaves the editor, so that nobody is caught in it.
    extraKeys: { Tab: false, "Shift-Tab": false, ...options.extraKeys },
  });
  const input = editor.getInputField();
  input.setAttribute("aria-label", label);
  input.setAttribute("role", "textbox");
  input.setAttribute("aria-multiline", "true");
  // Seen by those who look for what can be scrolled with the keyboard.
  editor.getScrollerElement().setAttribute("tabindex", "-1");
  return editor;
}

export const JSON_MODE = { name: "javascript", json: true };
export const SCRIPT_MODE = { name: "javascript" };

/**
 * Looks at the JSON in an editor while it is typed.
 *
 * @param judge is given the node, or undefined with the words of what is wrong and where
 */
export function watchJson(editor, judge) {
  let timer;
  function look() {
    editor.getAllMarks().filter((mark) => mark.className === "wrong").forEach((mark) => mark.clear());
    const text = editor.getValue();
    try {
      judge(parse(text));
    } catch (problem) {
      if (problem.offset === undefined) throw problem;
      const place = position(text, problem.offset);
      mark(editor, place, { line: place.line, ch: place.column + 1 });
      judge(undefined, `Line ${place.line + 1}, column ${place.column + 1}: ${problem.message}.`);
    }
  }
  editor.on("change", () => {
    clearTimeout(timer);
    timer = setTimeout(look, CHECK_AFTER_MILLIS);
  });
  look();
  return look;
}

function mark(editor, place) {
  const length = editor.getLine(place.line).length;
  const from = Math.max(0, Math.min(place.column, length - 1));
  editor.markText({ line: place.line, ch: from }, { line: place.line, ch: from + 1 }, { className: "wrong" });
}

/** Marks a part of the text as wrong, by offsets. */
export function markWrong(editor, start, end) {
  editor.markText(editor.posFromIndex(start), editor.posFromIndex(Math.max(end, start + 1)), { className: "wrong" });
}
