import { expect, test } from 'vitest';
import { SyncView, sourceLines } from '../../src/cli/sync-view.ts';
import type { SyncStreamLine } from '../../src/jobs/sync-progress.ts';

const line = (more: Partial<SyncStreamLine> = {}): SyncStreamLine => ({
  source: 'Code',
  scope: 'acme/web',
  stream: 'pull requests',
  phase: 'newest',
  done: 1_200,
  estimated: 3_000,
  per_minute: 600,
  seconds_left: 180,
  limit_left: 4_100,
  limit_resets_at: '2027-01-31T12:30:00.000Z',
  error: null,
  to_do: null,
  ...more,
});

function onScreen(columns = 120) {
  const written: string[] = [];
  return { view: new SyncView({ isTTY: true, columns, write: (text) => written.push(text) }), written };
}

const scopesOf = (...lines: readonly SyncStreamLine[]) => {
  const scopes = new Map<string, Map<string, SyncStreamLine>>();
  for (const one of lines) {
    scopes.set(one.scope, (scopes.get(one.scope) ?? new Map()).set(one.stream, one));
  }
  return scopes;
};

test('A source has a line, and each repository that is being read has one', () => {
  const complete = line({ scope: 'acme/api', phase: 'complete', done: 50, estimated: null, per_minute: null });
  const failed = line({ stream: 'issues', phase: 'failed', done: 3, estimated: null });
  expect(sourceLines('Code', scopesOf(complete, line(), failed))).toEqual([
    'Code  1,253/3,053  limit 4,100 left, resets 12:30 UTC  1 done',
    '  acme/web  1,203/3,003  600/min  3:00 left  1 failed  pull requests: newest',
  ]);
});

test('Of very many repositories some are shown, and the others counted', () => {
  const many = Array.from({ length: 40 }, (_, i) => line({ scope: `acme/r${i}` }));
  const lines = sourceLines('Code', scopesOf(...many));
  expect(lines).toHaveLength(14);
  expect(lines.at(-1)).toBe('  and 28 more');
});

test('Lines are redrawn in place, and the end of a source stays', () => {
  const { view, written } = onScreen();
  view.update(line());
  view.update(line({ done: 1_300 }));
  expect(written[1]).toBe('\x1b[2A\r\x1b[J');
  view.update({ source: 'Code', id: '1', outcome: 'partial', error: null, to_do: null });
  expect(written.at(-1)).toBe('Code: partial\n');
  const before = written.length;
  view.clear();
  expect(written).toHaveLength(before);
});

test('The end of a source says what it brought, table by table', () => {
  const { view, written } = onScreen();
  const rows = {
    issues: { new: 1_200, changed: 3 },
    pull_requests: { new: 0, changed: 1 },
    releases: { new: 0, changed: 0 },
  };
  const over = { source: 'Code', id: '1', outcome: 'complete', error: null, to_do: null } as const;
  view.update({ ...over, rows });
  view.update({ ...over, rows: {} });
  expect(written).toEqual([
    'Code: complete\n',
    '  issues         1,200 new, 3 changed\n',
    '  pull_requests  0 new, 1 changed\n',
    'Code: complete\n',
    '  nothing new\n',
  ]);
});

test('No line is wider than the screen, and no name commands the terminal', () => {
  const { view, written } = onScreen(30);
  view.update(line({ scope: `acme/${'x'.repeat(100)}\x1b[2J` }));
  for (const text of written.join('').split('\n')) expect(text.length).toBeLessThan(30);
  expect(written.join('')).not.toContain('\x1b[2J');
});
