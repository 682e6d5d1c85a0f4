// Questions that have to be answered first.

import { freshId, h } from "./dom.js";

/**
 * Shows a dialog and gives what was chosen: the value of the button, or "" when it was left.
 *
 * @param choices { value, label, kind } each; the first is the one for Enter
 */
export function ask(title, content, choices, { onopen } = {}) {
  const id = freshId("title");
  return new Promise((resolve) => {
    const dialog = h(
      "dialog",
      { "aria-labelledby": id },
      h(
        "form",
        { method: "dialog" },
        h("h2", { id }, title),
        h("div", { class: "content" }, content),
        h(
          "div",
          { class: "choices" },
          choices.map((choice) => h("button", { value: choice.value, class: choice.kind ?? "", formnovalidate: choice.value === "" }, choice.label)),
        ),
      ),
    );
    // The way back leaves a question unanswered rather than above a page that it is not about.
    const leave = () => dialog.close("");
    window.addEventListener("hashchange", leave);
    dialog.addEventListener("close", () => {
      window.removeEventListener("hashchange", leave);
      dialog.remove();
      resolve(dialog.returnValue);
    });
    document.body.append(dialog);
    dialog.showModal();
    onopen?.(dialog);
  });
}

/** A question that is answered with yes or no. */
export async function confirm(title, words, yes, kind = "danger") {
  const answer = await ask(title, [].concat(words).map((word) => (typeof word === "string" ? h("p", {}, word) : word)), [
    { value: "yes", label: yes, kind },
    { value: "", label: "Cancel" },
  ]);
  return answer === "yes";
}
