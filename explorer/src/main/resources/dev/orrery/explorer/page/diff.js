// Which lines of two texts are not in the other.

const LINES_MAX = 3000;

/** { left, right }: sets of line numbers that differ. */
export function differences(leftText, rightText) {
  const left = leftText.split("\n");
  const right = rightText.split("\n");
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let leftEnd = left.length;
  let rightEnd = right.length;
  while (leftEnd > start && rightEnd > start && left[leftEnd - 1] === right[rightEnd - 1]) {
    leftEnd--;
    rightEnd--;
  }
  const a = left.slice(start, leftEnd);
  const b = right.slice(start, rightEnd);
  const same = a.length > LINES_MAX || b.length > LINES_MAX ? [] : common(a, b);
  const sameLeft = new Set(same.map(([one]) => one + start));
  const sameRight = new Set(same.map(([, other]) => other + start));
  return { left: rest(start, leftEnd, sameLeft), right: rest(start, rightEnd, sameRight) };
}

function rest(from, to, same) {
  const lines = new Set();
  for (let line = from; line < to; line++) if (!same.has(line)) lines.add(line);
  return lines;
}

/** The pairs of a longest common sequence. */
function common(a, b) {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        a[i] === b[j] ? lengths[(i + 1) * width + j + 1] + 1 : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  const pairs = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) i++;
    else j++;
  }
  return pairs;
}
