import { expect, test } from 'vitest';
import { lineDiff } from '../../src/cli/line-diff.ts';

const text = (...lines: string[]) => `${lines.join('\n')}\n`;

test('A diff shows what goes and what comes, with a little around it', () => {
  const before = text('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j');
  const after = text('a', 'b', 'c', 'd', 'E', 'f', 'g', 'h', 'i', 'j');
  expect(lineDiff(before, after)).toEqual(['  …', '  c', '  d', '- e', '+ E', '  f', '  g', '  …']);
});

test('A diff finds lines that stay between changes', () => {
  expect(lineDiff(text('x', 'a', 'b', 'y'), text('a', 'z', 'b'))).toEqual(['- x', '  a', '+ z', '  b', '- y']);
});

test('A new text is all new, and a text is the same as itself', () => {
  expect(lineDiff('', text('a', 'b'))).toEqual(['+ a', '+ b']);
  expect(lineDiff(text('a', 'b'), text('a', 'b'))).toEqual([]);
});
