/** Lines around a change that are shown with it. */
const context = 2;

interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** What differs between two texts, line by line: `- ` before lines that go, `+ ` before those that come. */
export function lineDiff(before: string, after: string): string[] {
  const lines = diffOf(linesOf(before), linesOf(after));
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ sign }) => sign !== ' ');
  const shown: string[] = [];
  let isCut = false;
  for (const [at, { sign, text }] of lines.entries()) {
    if (!isNear(at)) {
      isCut = true;
      continue;
    }
    if (isCut) shown.push('  …');
    isCut = false;
    shown.push(`${sign} ${text}`);
  }
  return isCut && shown.length > 0 ? [...shown, '  …'] : shown;
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

function diffOf(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const same = (text: string): DiffLine => ({ sign: ' ', text });
  return [
    ...before.slice(0, start).map(same),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

/** More pairs of lines than these take too much memory to compare: then all of it is shown as changed. */
const maxPairs = 10_000_000;

/** By the longest lines in common. */
function middle(before: readonly string[], after: readonly string[]): DiffLine[] {
  if (before.length * after.length > maxPairs) {
    const signed = (sign: '-' | '+') => (text: string) => ({ sign, text });
    return [...before.map(signed('-')), ...after.map(signed('+'))];
  }
  const width = after.length + 1;
  const common = new Uint16Array((before.length + 1) * width);
  const lengthAt = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        before[i] === after[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  for (let i = 0, j = 0; i < before.length || j < after.length; ) {
    const [gone, come] = [before[i], after[j]];
    if (gone !== undefined && gone === come) {
      lines.push({ sign: ' ', text: gone });
      i += 1;
      j += 1;
    } else if (gone !== undefined && (come === undefined || lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      lines.push({ sign: '-', text: gone });
      i += 1;
    } else {
      lines.push({ sign: '+', text: come ?? '' });
      j += 1;
    }
  }
  return lines;
}
