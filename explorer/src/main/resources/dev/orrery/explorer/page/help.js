// What the keys do.

import { ask } from "./dialog.js";
import { h } from "./dom.js";

const KEYS = [
  ["?", "this list"],
  ["/", "find a database or container"],
  ["g", "go to the tree; arrows move in it, Enter opens"],
  ["m", "go to the content"],
  ["1 … 9", "the pages of the container or account, from the left"],
  ["n", "new item"],
  ["r", "read the page again"],
  ["u", "go to the last note, where there may be a way back"],
  ["Ctrl+S", "save, in an editor"],
  ["Ctrl+Enter", "run the query"],
  ["Ctrl+Space", "proposals in the query"],
  ["Tab", "leaves an editor; Ctrl+] and Ctrl+[ indent in it"],
  ["Esc", "closes a dialog or a list of proposals"],
];

export function showHelp() {
  return ask(
    "Keyboard",
    h("dl", { class: "keys" }, KEYS.flatMap(([key, words]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)])),
    [{ value: "", label: "Close" }],
  );
}
