import { describe, expect, test } from 'vitest';
import { diagnosesText } from '../../src/cli/diagnoses-text.ts';
import { displayWidth } from '../../src/cli/display-width.ts';
import { type Diagnosis, ok, problem } from '../../src/safety/diagnosis.ts';
import { countFound, diagnoseFindings } from '../../src/safety/finding.ts';

const check = {
  name: 'unknown identities',
  advice:
    'Accounts that belong to no person in the directory leave their rows without one. `plumb person unknown` lists them. Add them to their people with `plumb person set`.',
  things: ['account', 'accounts'],
} as const;

const accounts = (count: number): string[] => Array.from({ length: count }, (_, i) => `account-${i} on github`);
const ofEach = (organisations: number, count: number, maxExamples: number): Diagnosis =>
  diagnoseFindings(
    check,
    Array.from({ length: organisations }, (_, i) => ({
      organisation: `Organisation ${i}`,
      ...countFound(accounts(count), maxExamples, (account) => account),
    })),
  );
const shown = (found: readonly Diagnosis[], isWhole = false): string[] =>
  diagnosesText(found, { width: 100, isWhole }).split('\n');

describe('the text of plumb doctor', () => {
  test('The text of plumb doctor has one line for a check of 120 organisations, with the count and three examples of different ones', () => {
    expect(shown([{ name: 'node', ...ok('Node.js v22') }, ofEach(120, 50, 3)])).toEqual([
      'STATUS   CHECK               DETAIL',
      'ok       node                Node.js v22',
      'warning  unknown identities  6,000 accounts in 120 organisations',
      '         Accounts that belong to no person in the directory leave their rows without one.',
      '         `plumb person unknown` lists them. Add them to their people with `plumb person set`.',
      '           Organisation 0: account-0 on github',
      '           Organisation 1: account-0 on github',
      '           Organisation 2: account-0 on github',
      '           and 5,997 more',
      '',
      '`--all` shows everything that was found, `--org ORG` one organisation.',
    ]);
  });

  test('The text of plumb doctor fills three examples up from organisations that have several, and says nothing of more where there are none', () => {
    const examples = shown([ofEach(2, 2, 3)]).filter((line) => line.includes('account-'));
    expect(examples.map((line) => line.trim())).toEqual([
      'Organisation 0: account-0 on github',
      'Organisation 0: account-1 on github',
      'Organisation 1: account-0 on github',
    ]);
    const [, line, ...rest] = shown([ofEach(1, 1, 3)]);
    expect(line).toBe('warning  unknown identities  1 account');
    expect(rest.join('\n')).not.toMatch(/more|--all/);
  });

  test('The text of plumb doctor lists everything by organisation with --all', () => {
    const lines = shown([ofEach(2, 20, Number.POSITIVE_INFINITY)], true);
    expect(lines.filter((line) => line.includes('account-'))).toHaveLength(40);
    expect(lines.join('\n')).not.toMatch(/more|--all/);
    expect(lines.at(-1)).toBe('           Organisation 1: account-19 on github');
  });

  test('The text of plumb doctor wraps at 100 columns, and cuts neither paths nor what stands between backticks', () => {
    const path = `/srv/${'folder/'.repeat(11)}data`;
    const command = `\`chmod o-rwx '${path.slice(0, 50)}'\``;
    const detail = `${path} can be read by everyone (mode 755). To close it to others, run ${command}.`;
    const lines = shown([{ name: 'permissions', ...problem(detail) }]);
    expect(lines[1]).toBe('problem  permissions');
    expect(lines[2]).toContain(`         ${path}`);
    expect(lines.map(displayWidth).filter((width) => width > 100)).toEqual([]);
    expect(lines.some((line) => line.includes(command))).toBe(true);
    expect(
      lines
        .slice(2)
        .map((line) => line.trim())
        .join(' '),
    ).toBe(detail);
  });

  test('The text of plumb doctor shows no control characters of names', () => {
    const found = diagnoseFindings(check, [{ organisation: 'A\u001b[2J', count: 1, examples: ['x'], more: 0 }]);
    expect(shown([found]).at(-1)).toBe('           A?[2J: x');
  });
});
