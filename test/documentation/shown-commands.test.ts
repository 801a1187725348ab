import { describe, expect, test } from 'vitest';
import { blocksOf } from './page-blocks.ts';
import { isAsShown, pastedCommands, typedCommands } from './shown-commands.ts';

describe('the blocks of a page', () => {
  test('The blocks of a page have a language, a line, a mark, and whether they follow another one', () => {
    const text =
      '# A\n\n<!-- needs docker -->\n\n```sh\na\n```\n\n```json\n{}\n```\n\n1. b\n\n   ```ts\n   c\n     d\n   ```\n';
    expect(blocksOf('p.md', text)).toEqual([
      { page: 'p.md', line: 5, language: 'sh', text: 'a\n', mark: 'needs docker', followsBlock: false },
      { page: 'p.md', line: 9, language: 'json', text: '{}\n', mark: undefined, followsBlock: true },
      { page: 'p.md', line: 15, language: 'ts', text: 'c\n  d\n', mark: undefined, followsBlock: false },
    ]);
  });

  test('The blocks of a page are all seen: an open fence is refused', () => {
    expect(() => blocksOf('p.md', '```sh\na\n```\n\n  ```sh\nb\n```\n')).toThrow('p.md has a fence');
  });

  test('The blocks of a page hold commands that go on over lines, in quotes and behind backslashes and pipes', () => {
    const text = "a 'b\n c' \\\n  d\n# why\ne |\n  f\ng   # that's it\n";
    expect(pastedCommands(text).map(({ words }) => words)).toEqual([
      "a 'b\n c' \\\n  d",
      'e |\n  f',
      "g   # that's it",
    ]);
  });

  test('The blocks of a page show what is printed below what is typed', () => {
    expect(typedCommands('$ a \\\n  b\nc\n\nd\n$ e\n$ f\ng\n')).toEqual([
      { words: 'a \\\n  b', answer: 'c\n\nd' },
      { words: 'e', answer: undefined },
      { words: 'f', answer: 'g' },
    ]);
  });
});

test.each([
  ['a b\n', 'a b', true],
  ['a b', 'a  b', false],
  ['a 1 b 2 c', 'a … b … c', true],
  ['a 1 b 2', 'a … b … c', false],
  ['a b', 'a … b', false],
  ['x a', 'a…', false],
  ['a\nb\nc', 'a\n…\nc', true],
])('%j is as %j shows: %s', (printed, shown, expected) => {
  expect(isAsShown(printed, shown)).toBe(expected);
});

test('JSON may be broken into lines', () => {
  expect(isAsShown('{"a":[1,2,3]}', '{\n  "a": [1, …]\n}', { isJson: true })).toBe(true);
  expect(isAsShown('{"a":[2,3]}', '{"a": [1, …]}', { isJson: true })).toBe(false);
});
