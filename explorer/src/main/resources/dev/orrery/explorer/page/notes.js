// Short words at the edge of the page: what was done, with a way back where there is one, and what went wrong.

import { button, h } from "./dom.js";

const SHOWN_MILLIS = 10_000;
/** A way back stays long enough to be found and thought about. */
const UNDO_MILLIS = 60_000;
const NOTES_MAX = 4;

/** Says something, and takes it away after a while unless it is an error. */
export function say(words, undo) {
  add(words, "", undo);
}

export function complain(problem) {
  if (problem?.name === "AbortError") return;
  add(problem?.message ?? String(problem), "bad");
}

/** Goes to the last note, to its way back if it has one. */
export function visitNotes() {
  document.getElementById("notes").lastElementChild?.querySelector("button")?.focus();
}

function add(words, kind, undo) {
  const notes = document.getElementById("notes");
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
  notes.append(note);
  while (notes.children.length > NOTES_MAX) notes.firstElementChild.remove();
  if (kind !== "bad") leaveAfter(note, undo ? UNDO_MILLIS : SHOWN_MILLIS);
}

/** A note that somebody points at, or is in with the keyboard, stays for as long as that, and begins anew afterwards. */
function leaveAfter(note, millis) {
  let timer;
  const begin = () => {
    clearTimeout(timer);
    timer = setTimeout(() => !note.matches(":hover, :focus-within") && note.remove(), millis);
  };
  for (const name of ["mouseleave", "focusout"]) note.addEventListener(name, begin);
  begin();
}
