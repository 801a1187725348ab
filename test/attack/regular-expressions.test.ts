import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isLong } from '../setup/how-long.ts';
import { patternsIn, patternsOf, type WrittenPattern } from './regular-expressions.ts';

/** Patterns that take long for some texts, or that the checker cannot decide, and why no caller gets far with them. */
const exceptions: Readonly<Record<string, string>> = {
  '/<style[^>]*>.*?<\\/style>/gs': 'a drawing that this server has made: in its texts there is no <',
  '/\\B(?=(\\d{3})+$)/g': 'the digits of a number: 21 at most',
  '/\\breverts:?\\s+(?:(?:pull request|merge request|pr|mr):?\\s+)?(?:https?:\\/\\/[^/\\s]+\\/([\\w.-]+(?:\\/[\\w.-]+){1,19}?)(?:\\/-)?\\/(?:pull|pulls|pull-requests|merge_requests)\\/|([\\w.-]+(?:\\/[\\w.-]+){1,19})?[#!])(\\d{1,9})\\b/i':
    'not decided: each word it begins at is followed by a space, so that no character is looked at from two of them',
};

/** Files that make patterns of texts, and what the texts are. */
const madeFrom: Readonly<Record<string, string>> = {
  'src/http/question/question-address.ts': 'names of the catalogue',
  'src/ingest/derive/complexity.ts': 'joins literals, each of which is looked at',
  'src/ingest/read/foreign/foreign-times.ts': 'texts of that file, for 64 characters at most',
};

/**
 * The checker takes minutes over all of them: these were found to take time in proportion to the text. The list has to be
 * that of the patterns there are: `-u` has those checked that are new, and writes it.
 */
const listFile = join(import.meta.dirname, 'linear-patterns.json');
const knownLinear: ReadonlySet<string> = new Set(isLong ? [] : JSON.parse(readFileSync(listFile, 'utf8')));

/** Without any repetition, every place of a text costs the same. */
const repeats = ({ source }: WrittenPattern): boolean => /[*+{]/.test(source);
const longestCheckMs = 60_000;

const { written, made } = patternsIn(['src', 'web']);
const toCheck = [...written].filter(([text, pattern]) => repeats(pattern) && !(text in exceptions));

beforeAll(() => {
  // The others start processes.
  vi.stubEnv('RECHECK_SYNC_BACKEND', 'pure');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

/** What is wrong with a pattern, if anything. The checker is loaded where there is something to check. */
async function problemOf({ source, flags }: Pick<WrittenPattern, 'source' | 'flags'>): Promise<string | undefined> {
  const { checkSync } = await import('recheck');
  const found = checkSync(source, flags, { timeout: longestCheckMs });
  if (found.status === 'safe') return undefined;
  return found.status === 'vulnerable' ? found.complexity.summary : `not decided: ${found.error.kind}`;
}

describe('every regular expression', () => {
  test('Every regular expression takes time in proportion to the text', async () => {
    const problems: string[] = [];
    const linear: string[] = [];
    for (const [text, pattern] of toCheck) {
      const problem = knownLinear.has(text) ? undefined : await problemOf(pattern);
      if (problem === undefined) linear.push(text);
      else problems.push(`${text} in ${pattern.files.join(', ')}: ${problem}`);
    }
    expect(problems).toEqual([]);
    await expect(`${JSON.stringify(linear.toSorted(), null, 2)}\n`).toMatchFileSnapshot(listFile);
  });

  test('Every regular expression is a literal, which can be checked', () => {
    expect(made).toEqual(Object.keys(madeFrom));
  });

  test('Every regular expression that is excepted is there', () => {
    expect(Object.keys(exceptions).filter((text) => !written.has(text))).toEqual([]);
  });
});

test('A slow pattern and one made of a text are found, wherever they stand', async () => {
  const source =
    'const end = (path: string) => path.replace(/\\/+$/, "/[a]/"); // /b/\nexport const of = (a: RegExp) => a;';
  const { literals, isMade } = patternsOf('slow.ts', source);
  expect(literals).toEqual([{ source: '\\/+$', flags: '' }]);
  expect(isMade).toBe(false);
  expect(await problemOf(literals[0] ?? { source: '', flags: '' })).toBe('2nd degree polynomial');
  for (const making of ['new RegExp(text)', 'RegExp(text)', 'new globalThis.RegExp(text)', 'make(RegExp)']) {
    expect([making, patternsOf('made.ts', `const made = ${making};`).isMade]).toEqual([making, true]);
  }
});
