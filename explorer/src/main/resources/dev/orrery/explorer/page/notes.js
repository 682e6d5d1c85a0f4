// Short words at the edge of the page: what was done, with a way back where there is one, and what went wrong.

import { button, h } from "./dom.js";

const SHOWN_MILLIS = 8000;

/** Says something, and takes it away after a while unless it is an error. */
export function say(words, undo) {
  add(words, "", undo);
}

export function complain(problem) {
  if (problem?.name === "AbortError") return;
  add(problem?.message ?? String(problem), "bad");
}

function add(words, kind, undo) {
  const note = h("div", { class: `note ${kind}` }, h("span", {}, words));
  if (undo) {
    note.append(
      button("Undo", async () => {
        note.remove();
        await undo();
      }),
    );
  }
  note.append(h("button", { type: "button", class: "quiet", "aria-label": "Dismiss", onclick: () => note.remove() }, "×"));
  document.getElementById("notes").append(note);
  if (kind !== "bad") setTimeout(() => note.remove(), SHOWN_MILLIS);
}
