import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { postedCommitFiles, postedLineRanges } from '../../../../src/catalogue/derivation-state.ts';
import type { Table } from '../../../../src/catalogue/table.ts';
import {
  posthookSessionCommits,
  posthookSessionFiles,
  posthookSessionMessages,
  posthookSessions,
} from '../../../../src/catalogue/tables/posthook-sessions.ts';
import { times } from '../../../setup/how-long.ts';
import { type RecordsOrganisation, recordsOrganisations } from '../../records-app.ts';
import { deliverTo, type HookTables, owner } from './hook.ts';
import { filesIn, ofSession, sessionIn, someSession, summed } from './posted-session.ts';

const anOrganisation = recordsOrganisations();
let app: RecordsOrganisation;
beforeAll(async () => {
  app = await anOrganisation();
});

const deliver = (tables: HookTables, sender = owner) => deliverTo(app, tables, sender);
const sessionOf = (id: string) => sessionIn(app, id);
const filesOf = (id: string) => filesIn(app, id);

test('A payload becomes a session with its messages, files and commits, and their sums', async () => {
  expect(await deliver(someSession('whole'))).toEqual({ accepted: 11, rejected: [], ignored: [] });
  expect(await sessionOf('whole')).toMatchObject({ ...summed.session, engineer_email: 'ada@example.org' });
  expect(await filesOf('whole')).toEqual(summed.files);
  const [row] = await app.select(
    posthookSessions,
    ['date', 'total_tokens', 'active_minutes', 'person_name', 'repo_name'],
    ofSession('whole'),
  );
  expect(row).toEqual({
    date: '2026-01-05',
    total_tokens: 100,
    active_minutes: 4,
    person_name: 'Ada',
    repo_name: 'acme/web',
  });
  const messages = await app.select(
    posthookSessionMessages,
    ['message_id', 'message_seq', 'message_text', 'turn_minutes', 'date', 'agent_slug'],
    ofSession('whole'),
  );
  expect(messages.sort((a, b) => (a.message_seq ?? 0) - (b.message_seq ?? 0))).toEqual([
    {
      message_id: 'whole-1',
      message_seq: 1,
      message_text: 'Go',
      turn_minutes: 4,
      date: '2026-01-05',
      agent_slug: 'claude-code',
    },
    {
      message_id: 'whole-2',
      message_seq: 2,
      message_text: null,
      turn_minutes: null,
      date: '2026-01-05',
      agent_slug: 'claude-code',
    },
  ]);
  const commits = await app.select(
    posthookSessionCommits,
    ['commit_id', 'committed_lines', 'committed_at'],
    ofSession('whole'),
  );
  expect(commits).toEqual(
    expect.arrayContaining([
      { commit_id: 'c1', committed_lines: 9, committed_at: Date.parse('2026-01-05T09:20:00Z') / 1_000 },
    ]),
  );
});

test('Delivered again it adds nothing', async () => {
  await deliver(someSession('twice'));
  await deliver(someSession('twice'));
  await deliver({ event_line_ranges: someSession('twice').event_line_ranges ?? [] });
  expect(await sessionOf('twice')).toMatchObject(summed.session);
  expect(await filesOf('twice')).toEqual(summed.files);
});

test('The latest row with a key counts, within a payload and after it', async () => {
  await deliver(someSession('later'));
  await deliver({
    sessions: [{ id: 'later', ended_at: '2026-01-05T10:00:00Z' }],
    event_line_ranges: [
      { id: 'r1', session_id: 'later', path: 'a.ts', lines: 99 },
      { id: 'r1', session_id: 'later', path: 'a.ts', lines: 6 },
    ],
    commit_sessions: [{ commit_id: 'c2', session_id: 'later', lines_attributed: 3 }],
  });
  expect(await sessionOf('later')).toMatchObject({
    ended_at: Date.parse('2026-01-05T10:00:00Z') / 1_000,
    engineer_email: 'ada@example.org',
    generated_lines: 14,
    committed_lines: 12,
  });
});

test('A range that turns out to be another file’s leaves the first one', async () => {
  await deliver({
    sessions: [{ id: 'moved' }],
    event_line_ranges: [{ id: 'r1', session_id: 'moved', path: 'wrong.ts', lines: 5 }],
  });
  await deliver({ event_line_ranges: [{ id: 'r1', session_id: 'moved', path: 'right.ts', lines: 5 }] });
  expect(await filesOf('moved')).toEqual([
    { file_path: 'right.ts', generated_lines: 5, committed_lines: null, edits: 1 },
  ]);
  expect(await sessionOf('moved')).toMatchObject({ generated_lines: 5, files_edited: 1 });
});

test('A file that keeps nothing but commits, once its ranges are another file’s, wrote nothing', async () => {
  await deliver({
    sessions: [{ id: 'left' }],
    event_line_ranges: [{ id: 'r1', session_id: 'left', path: 'b.ts', lines: 5 }],
    commit_session_files: [{ commit_id: 'x', session_id: 'left', path: 'b.ts', lines_attributed: 2 }],
  });
  await deliver({ event_line_ranges: [{ id: 'r1', session_id: 'left', path: 'a.ts', lines: 5 }] });
  expect(await filesOf('left')).toEqual([
    { file_path: 'a.ts', generated_lines: 5, committed_lines: null, edits: 1 },
    { file_path: 'b.ts', generated_lines: null, committed_lines: 2, edits: null },
  ]);
});

test('Two sessions may number their ranges alike', async () => {
  await deliver({
    sessions: [{ id: 'one' }, { id: 'two' }],
    event_line_ranges: [
      { id: 1, session_id: 'one', path: 'a.ts', lines: 3 },
      { id: 1, session_id: 'two', path: 'a.ts', lines: 4 },
    ],
  });
  expect([(await sessionOf('one'))?.generated_lines, (await sessionOf('two'))?.generated_lines]).toEqual([3, 4]);
});

test('What was reported of a session or file that was removed does not come back', async () => {
  await deliver(someSession('gone'));
  await app.put('posthook_session_files', [{ session_id: 'gone', file_path: 'a.ts', _deleted: true }]);
  await deliver({ event_line_ranges: [{ id: 'r9', session_id: 'gone', path: 'a.ts', lines: 2 }] });
  expect(await sessionOf('gone')).toMatchObject({ generated_lines: 3 });
  await app.put('posthook_sessions', [{ session_id: 'gone', _deleted: true }]);
  for (const table of [postedLineRanges, postedCommitFiles, posthookSessionFiles] as Table[]) {
    expect(await app.select(table, ['session_id' as never], ofSession('gone'))).toEqual([]);
  }
  await deliver({
    sessions: [{ id: 'gone' }],
    event_line_ranges: [{ id: 'r1', session_id: 'gone', path: 'a.ts', lines: 1 }],
  });
  expect(await sessionOf('gone')).toMatchObject({ generated_lines: 1, committed_lines: null, files_edited: 1 });
});

test('Rows that cannot be read are reported by table and place, and what is not known is passed over', async () => {
  const answer = await deliver({
    sessions: [{ id: 'odd', mood: 'fine' }, 7 as never, { id: '' }, { id: 'odd2', started_at: 'yesterday' }],
    event_line_ranges: [{ id: 'r1', session_id: 'odd', path: 'a.ts' }],
    screenshots: [{ id: 1 }],
  });
  expect(answer).toEqual({
    accepted: 1,
    rejected: [
      { table: 'sessions', line: 2, detail: 'a session must be a JSON object, not 7' },
      { table: 'sessions', line: 3, detail: 'id must not be empty' },
      {
        table: 'sessions',
        line: 4,
        detail: "started_at must be a time such as 2024-01-31T14:05:00Z, not 'yesterday'",
      },
      { table: 'event_line_ranges', line: 1, detail: 'lines is missing: a range of lines cannot do without it' },
    ],
    ignored: ['tables.screenshots', 'sessions.mood'],
  });
});

test('In whatever order, however often and in however many parts rows arrive, the same comes of them', async () => {
  const range = fc.record({
    table: fc.constant('event_line_ranges'),
    row: fc.record({ id: fc.nat(4), path: fc.constantFrom('a', 'b', 'c'), lines: fc.nat(9) }),
  });
  const commit = fc.record({
    table: fc.constant('commit_sessions'),
    row: fc.record({ commit_id: fc.constantFrom('x', 'y'), lines_attributed: fc.nat(9) }),
  });
  const file = fc.record({
    table: fc.constant('commit_session_files'),
    row: fc.record({
      commit_id: fc.constantFrom('x', 'y'),
      path: fc.constantFrom('a', 'b', 'c'),
      lines_attributed: fc.nat(9),
    }),
  });
  const session = fc.record({ table: fc.constant('sessions'), row: fc.constant({}) });
  const deliveries = fc.array(fc.array(fc.oneof(range, commit, file, session), { maxLength: 6 }), { maxLength: 5 });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(deliveries, async (payloads) => {
      run += 1;
      const id = `random-${run}`;
      for (const payload of [...payloads, [{ table: 'sessions', row: {} }]]) {
        const tables: Record<string, object[]> = {};
        for (const { table, row } of payload) {
          tables[table] = [...(tables[table] ?? []), table === 'sessions' ? { id } : { ...row, session_id: id }];
        }
        await deliver(tables);
      }
      // By hand: the last row with each key, added up.
      const last = (table: string, key: (row: Record<string, unknown>) => unknown) => {
        const rows = payloads.flat().filter((one) => one.table === table) as { row: Record<string, unknown> }[];
        return [...new Map(rows.map(({ row }) => [JSON.stringify(key(row)), row])).values()];
      };
      const total = (rows: Record<string, unknown>[], field: string) =>
        rows.length === 0 ? null : rows.reduce((sum, row) => sum + Number(row[field]), 0);
      const ranges = last('event_line_ranges', (row) => row.id);
      const commits = last('commit_sessions', (row) => row.commit_id);
      const parts = last('commit_session_files', (row) => [row.commit_id, row.path]);
      const paths = [...new Set([...ranges, ...parts].map(({ path }) => String(path)))].sort();
      expect(await sessionOf(id)).toMatchObject({
        generated_lines: total(ranges, 'lines'),
        committed_lines: total(commits, 'lines_attributed'),
        files_edited: paths.length,
        commits_contributed: commits.length,
      });
      expect(await filesOf(id)).toEqual(
        paths.map((path) => {
          const own = ranges.filter((row) => row.path === path);
          return {
            file_path: path,
            generated_lines: total(own, 'lines'),
            committed_lines: total(
              parts.filter((row) => row.path === path),
              'lines_attributed',
            ),
            edits: own.length === 0 ? null : own.length,
          };
        }),
      );
    }),
    { numRuns: times(4, 240) },
  );
});
