// The beginning of a text, for lists.
function summary(text, length) {
  return text.length <= length ? text : `${text.slice(0, length).trimEnd()}…`;
}
