import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  heldParts,
  postedCommitFiles,
  postedLineRanges,
} from '../../../../src/catalogue/derivation-state/posthook-state.ts';
import type { Table } from '../../../../src/catalogue/table.ts';
import { posthookSessionCommits } from '../../../../src/catalogue/tables/posthook-session-commits.ts';
import { posthookSessionFiles } from '../../../../src/catalogue/tables/posthook-session-files.ts';
import { posthookSessionMessages } from '../../../../src/catalogue/tables/posthook-session-messages.ts';
import { posthookSessions } from '../../../../src/catalogue/tables/posthook-sessions.ts';
import { timeoutMs, times } from '../../../setup/how-long.ts';
import { type RecordsApp, recordsApp } from '../../records/records-app.ts';
import { deliverTo, type HookTables, keyOf, owner } from './hook.ts';

let app: RecordsApp;
beforeAll(async () => {
  app = await recordsApp();
});
afterAll(() => app.close());

const deliver = (tables: HookTables, sender = owner) => deliverTo(app, tables, sender);

const of = (session: string) => ({ column: 'session_id', in: [session] });
const sessionOf = async (id: string) =>
  (
    await app.select(
      posthookSessions,
      ['engineer_email', 'ended_at', 'generated_lines', 'committed_lines', 'files_edited', 'commits_contributed'],
      of(id),
    )
  )[0];
const filesOf = async (id: string) =>
  (await app.select(posthookSessionFiles, ['file_path', 'generated_lines', 'committed_lines', 'edits'], of(id))).sort(
    (a, b) => ((a.file_path ?? '') < (b.file_path ?? '') ? -1 : 1),
  );

/** A session with all of its parts. */
const someSession = (id: string): HookTables => ({
  sessions: [
    {
      id,
      agent_slug: 'claude-code',
      model_slug: 'large',
      repo_name: 'acme/web',
      branch: 'door',
      started_at: '2026-01-05T09:00:00Z',
      ended_at: '2026-01-05T09:30:00Z',
      engineer_email: 'ada@example.org',
      engineer_name: 'Ada',
      input_tokens: 10,
      output_tokens: 20,
      cache_read_tokens: 30,
      cache_creation_tokens: 40,
    },
  ],
  session_prompts: [
    {
      id: `${id}-1`,
      session_id: id,
      ts: '2026-01-05T09:00:00Z',
      seq: 1,
      role: 'user',
      source: 'hook',
      prompt_text: 'Go',
    },
    { id: `${id}-2`, session_id: id, ts: '2026-01-05T09:04:00Z', seq: 2, role: 'assistant', source: 'hook' },
  ],
  event_line_ranges: [
    { id: 'r1', session_id: id, path: 'a.ts', lines: 5 },
    { id: 'r2', session_id: id, path: 'a.ts', lines: 7 },
    { id: 'r3', session_id: id, path: 'b.ts', lines: 1 },
  ],
  commit_sessions: [
    { commit_id: 'c1', session_id: id, committed_at: '2026-01-05T09:20:00Z', lines_attributed: 9 },
    { commit_id: 'c2', session_id: id, committed_at: '2026-01-05T09:25:00Z', lines_attributed: 2 },
  ],
  commit_session_files: [
    { commit_id: 'c1', session_id: id, path: 'a.ts', lines_attributed: 8 },
    { commit_id: 'c2', session_id: id, path: 'a.ts', lines_attributed: 2 },
    { commit_id: 'c1', session_id: id, path: 'b.ts', lines_attributed: 1 },
  ],
});

const summed = {
  session: { generated_lines: 13, committed_lines: 11, files_edited: 2, commits_contributed: 2 },
  files: [
    { file_path: 'a.ts', generated_lines: 12, committed_lines: 10, edits: 2 },
    { file_path: 'b.ts', generated_lines: 1, committed_lines: 1, edits: 1 },
  ],
};

test('a payload becomes a session with its messages, files and commits, and their sums', async () => {
  expect(await deliver(someSession('whole'))).toEqual({ accepted: 11, rejected: [], ignored: [] });
  expect(await sessionOf('whole')).toMatchObject({ ...summed.session, engineer_email: 'ada@example.org' });
  expect(await filesOf('whole')).toEqual(summed.files);
  const [row] = await app.select(
    posthookSessions,
    ['date', 'total_tokens', 'active_minutes', 'person_name', 'repo_name'],
    of('whole'),
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
    of('whole'),
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
    of('whole'),
  );
  expect(commits).toEqual(
    expect.arrayContaining([
      { commit_id: 'c1', committed_lines: 9, committed_at: Date.parse('2026-01-05T09:20:00Z') / 1_000 },
    ]),
  );
});

test('delivered again it adds nothing', async () => {
  await deliver(someSession('twice'));
  await deliver(someSession('twice'));
  await deliver({ event_line_ranges: someSession('twice').event_line_ranges ?? [] });
  expect(await sessionOf('twice')).toMatchObject(summed.session);
  expect(await filesOf('twice')).toEqual(summed.files);
});

test('the latest row with a key counts, within a payload and after it', async () => {
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

test('a range that turns out to be another file’s leaves the first one', async () => {
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

test('a file that keeps nothing but commits, once its ranges are another file’s, wrote nothing', async () => {
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

test('two sessions may number their ranges alike', async () => {
  await deliver({
    sessions: [{ id: 'one' }, { id: 'two' }],
    event_line_ranges: [
      { id: 1, session_id: 'one', path: 'a.ts', lines: 3 },
      { id: 1, session_id: 'two', path: 'a.ts', lines: 4 },
    ],
  });
  expect([(await sessionOf('one'))?.generated_lines, (await sessionOf('two'))?.generated_lines]).toEqual([3, 4]);
});

test('what was reported of a session or file that was removed does not come back', async () => {
  await deliver(someSession('gone'));
  await app.put('posthook_session_files', [{ session_id: 'gone', file_path: 'a.ts', _deleted: true }]);
  await deliver({ event_line_ranges: [{ id: 'r9', session_id: 'gone', path: 'a.ts', lines: 2 }] });
  expect(await sessionOf('gone')).toMatchObject({ generated_lines: 3 });
  await app.put('posthook_sessions', [{ session_id: 'gone', _deleted: true }]);
  for (const table of [postedLineRanges, postedCommitFiles, posthookSessionFiles] as Table[]) {
    expect(await app.select(table, ['session_id' as never], of('gone'))).toEqual([]);
  }
  await deliver({
    sessions: [{ id: 'gone' }],
    event_line_ranges: [{ id: 'r1', session_id: 'gone', path: 'a.ts', lines: 1 }],
  });
  expect(await sessionOf('gone')).toMatchObject({ generated_lines: 1, committed_lines: null, files_edited: 1 });
});

test('rows that cannot be read are reported by table and place, and what is not known is passed over', async () => {
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

test(
  'in whatever order, however often and in however many parts rows arrive, the same comes of them',
  async () => {
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
  },
  timeoutMs(60_000),
);

describe('somebody who is no Owner', () => {
  let ada: { personId: string; isOwner: boolean };
  let bob: { personId: string; isOwner: boolean };
  beforeAll(async () => {
    await app.directory('people', [
      { main_email: 'ada@example.org', emails: ['ada@home.example'], name: 'Ada', logins: { gitlab: 'ada' } },
      { main_email: 'bob@example.org', name: 'Bob', logins: { github: 'bob' } },
    ]);
    ada = await keyOf(app, 'ada@example.org');
    bob = await keyOf(app, 'bob@example.org');
  });

  const details = (answer: { rejected: readonly { table: string; detail: string }[] }) =>
    answer.rejected.map(({ table, detail }) => [table, detail]);

  test('may send their own sessions, under any of their addresses, with all their parts', async () => {
    const tables = { ...someSession('mine'), sessions: [{ id: 'mine', engineer_email: 'ADA@home.example' }] };
    expect(await deliver(tables, ada)).toMatchObject({ accepted: 11, rejected: [] });
    expect(await deliver({ sessions: [{ id: 'mine', branch: 'main' }] }, ada)).toMatchObject({ accepted: 1 });
    expect(await sessionOf('mine')).toMatchObject({ engineer_email: 'ADA@home.example', generated_lines: 13 });
  });

  test('may not send sessions of others or of nobody, nor their parts along with them', async () => {
    const answer = await deliver(someSession('foreign'), bob);
    expect(answer.accepted).toBe(0);
    expect(details(answer)[0]).toEqual([
      'sessions',
      expect.stringContaining('engineer_email must be one of the addresses'),
    ]);
    expect(new Set(answer.rejected.slice(1).map(({ detail }) => detail))).toEqual(
      new Set(["session 'foreign' belongs to somebody else: only the key of its engineer or an Owner's may add to it"]),
    );
    expect(await sessionOf('foreign')).toBeUndefined();
    expect(await filesOf('foreign')).toEqual([]);
    expect(await deliver({ sessions: [{ id: 'nobodys' }] }, bob)).toMatchObject({ accepted: 0 });
    expect(await deliver({ sessions: [{ id: 'nobodys', engineer_email: 'x@example.org' }] }, bob)).toMatchObject({
      accepted: 0,
    });
  });

  test('may not send the parts of a refused session either when they come in a later change', async () => {
    const event_line_ranges = Array.from({ length: 10_500 }, (_, i) => ({
      id: i,
      session_id: 'large',
      path: 'a',
      lines: 1,
    }));
    const answer = await deliver(
      { sessions: [{ id: 'large', engineer_email: 'ada@example.org' }], event_line_ranges },
      bob,
    );
    expect([answer.accepted, answer.rejected.length]).toEqual([0, 10_501]);
  });

  test('may not take a session over, nor add to one of somebody else, known or not in the directory', async () => {
    await deliver(someSession('adas'));
    await deliver({ sessions: [{ id: 'strangers', engineer_email: 'stranger@example.org' }] });
    const before = await sessionOf('adas');
    for (const id of ['adas', 'strangers']) {
      const { sessions: _, ...parts } = someSession(id);
      const answer = await deliver({ sessions: [{ id, engineer_email: 'bob@example.org' }], ...parts }, bob);
      expect([id, answer.accepted, answer.rejected.length]).toEqual([id, 0, 11]);
    }
    expect(await sessionOf('adas')).toEqual(before);
  });

  test('may not move a prompt out of somebody else’s session', async () => {
    await deliver(someSession('source'));
    const answer = await deliver(
      {
        sessions: [{ id: 'target', engineer_email: 'bob@example.org' }],
        session_prompts: [{ id: 'source-1', session_id: 'target' }],
      },
      bob,
    );
    expect(answer).toMatchObject({ accepted: 1, rejected: [{ table: 'session_prompts', line: 1 }] });
  });

  const everythingOf = async (id: string) => [
    await sessionOf(id),
    await filesOf(id),
    (await app.select(posthookSessionMessages, ['message_id', 'message_text', 'merged_user_id'], of(id))).length,
    (await app.select(posthookSessionCommits, ['commit_id', 'committed_at', 'committed_lines'], of(id))).length,
    await app.select(heldParts, ['record'], of(id)),
  ];

  test('may send parts before the session: they wait for it, and then it is as if it had come first', async () => {
    const { sessions = [], ...parts } = someSession('early');
    expect(await deliver(parts, ada)).toMatchObject({ accepted: 10, rejected: [] });
    expect(await filesOf('early')).toEqual([]);
    expect(await deliver({ sessions: [{ id: 'early' }] }, ada)).toMatchObject({ accepted: 0 });
    expect(await deliver({ sessions }, ada)).toMatchObject({ accepted: 1 });
    expect(await sessionOf('early')).toMatchObject(summed.session);
    expect(await everythingOf('early')).toEqual([expect.anything(), summed.files, 2, 2, []]);
    // Delivered at least once: a second time nothing comes of it.
    const before = await everythingOf('early');
    await deliver(parts, ada);
    await deliver({ sessions }, ada);
    expect(await everythingOf('early')).toEqual(before);
  });

  test('may send only so many parts before their sessions; others are refused by line', async () => {
    const waiting = { column: 'merged_user_id', in: [bob.personId] };
    const before = (await app.select(heldParts, ['part_key'], waiting)).length;
    await app.app.warehouse.change(app.context.organisationId, (session) =>
      session.put(
        heldParts,
        Array.from({ length: 99_998 - before }, (_, i) => ({
          session_id: 'never',
          merged_user_id: bob.personId,
          posted_table: 'session_prompts',
          part_key: `["${i}"]`,
          record: '{}',
        })),
      ),
    );
    const prompts = (...ids: string[]) => ({ session_prompts: ids.map((id) => ({ id, session_id: 'much-later' })) });
    const answer = await deliver(prompts('w1', 'w2', 'w3'), bob);
    expect(answer).toMatchObject({ accepted: 2, rejected: [{ table: 'session_prompts', line: 3 }] });
    expect(answer.rejected[0]?.detail).toContain('the session must come first');
    // What waits already may be sent again, and others have room of their own.
    expect(await deliver(prompts('w1', 'w2'), bob)).toMatchObject({ accepted: 2, rejected: [] });
    expect(await deliver(prompts('a1'), ada)).toMatchObject({ accepted: 1, rejected: [] });
    expect(await deliver({ sessions: [{ id: 'much-later', person_login: 'bob' }] }, bob)).toMatchObject({
      accepted: 1,
    });
    expect(await deliver(prompts('w3'), bob)).toMatchObject({ accepted: 1, rejected: [] });
    await app.app.warehouse.change(app.context.organisationId, (session) =>
      session.remove(heldParts, { column: 'session_id', in: ['never'] }),
    );
  });

  test('binds nobody with parts that came before: the session is of whoever sends it first', async () => {
    const { sessions: _, ...parts } = someSession('contested');
    await deliver({ ...parts, session_prompts: [{ id: 'theirs', session_id: 'contested' }] }, bob);
    await deliver({ commit_sessions: [{ commit_id: 'c1', session_id: 'contested', lines_attributed: 4 }] }, ada);
    await deliver({ sessions: [{ id: 'contested', engineer_email: 'ada@example.org' }] }, ada);
    expect(await everythingOf('contested')).toEqual([
      expect.objectContaining({ committed_lines: 4, generated_lines: null }),
      [],
      0,
      1,
      [],
    ]);
    expect(await deliver(parts, bob)).toMatchObject({ accepted: 0 });
  });

  test('finds their parts whoever brings the session, and what comes with it is newer', async () => {
    await deliver({ commit_sessions: [{ commit_id: 'c1', session_id: 'brought', lines_attributed: 4 }] }, ada);
    await deliver({ commit_sessions: [{ commit_id: 'c2', session_id: 'brought', lines_attributed: 5 }] }, ada);
    await app.app.ingest.put(app.context.organisationId, [
      {
        table: 'posthook_session_commits',
        lines: [{ line: 1, value: { session_id: 'brought', commit_id: 'c2', committed_lines: 7 } }],
      },
      {
        table: 'posthook_sessions',
        lines: [{ line: 1, value: { session_id: 'brought', engineer_email: 'ada@example.org' } }],
      },
    ]);
    const commits = await app.select(posthookSessionCommits, ['commit_id', 'committed_lines'], of('brought'));
    expect(commits.sort((a, b) => (a.committed_lines ?? 0) - (b.committed_lines ?? 0))).toEqual([
      { commit_id: 'c1', committed_lines: 4 },
      { commit_id: 'c2', committed_lines: 7 },
    ]);
    await deliver({ commit_sessions: [{ commit_id: 'c1', session_id: 'together', lines_attributed: 4 }] }, ada);
    await deliver(
      {
        sessions: [{ id: 'together', engineer_email: 'ada@example.org' }],
        commit_sessions: [{ commit_id: 'c1', session_id: 'together', lines_attributed: 9 }],
      },
      ada,
    );
    expect(await sessionOf('together')).toMatchObject({ committed_lines: 9, commits_contributed: 1 });
  });

  test('finds their parts once it becomes known that the session is theirs', async () => {
    await deliver({ commit_sessions: [{ commit_id: 'c1', session_id: 'unknown', lines_attributed: 4 }] }, bob);
    await deliver({ sessions: [{ id: 'unknown', engineer_email: 'robert@example.org' }] });
    expect(await sessionOf('unknown')).toMatchObject({ commits_contributed: 0 });
    await app.directory('people', [{ main_email: 'bob@example.org', emails: ['robert@example.org'] }]);
    await app.app.ingest.publisher.publish(app.context.organisationId);
    expect(await sessionOf('unknown')).toMatchObject({ commits_contributed: 1, committed_lines: 4 });
  });

  test('keeps what an earlier part said where a later one with its key says nothing', async () => {
    const part = { commit_id: 'c1', session_id: 'partial' };
    await deliver({ commit_sessions: [{ ...part, committed_at: '2026-01-05T09:20:00Z' }] }, ada);
    await deliver({ commit_sessions: [{ ...part, lines_attributed: 9 }] }, ada);
    await deliver({ sessions: [{ id: 'partial', engineer_email: 'ada@example.org' }] }, ada);
    expect(await app.select(posthookSessionCommits, ['committed_at', 'committed_lines'], of('partial'))).toEqual([
      { committed_at: Date.parse('2026-01-05T09:20:00Z') / 1_000, committed_lines: 9 },
    ]);
  });

  test('may name themselves by a login on any code host, or by either name of their address', async () => {
    const sessions = [
      { id: 'by-login', person_login: 'ADA' },
      { id: 'by-email', person_email: 'ada@home.example' },
      { id: 'by-both', person_email: 'ADA@example.org', engineer_email: 'ada@example.org', person_login: 'ada' },
      { id: 'beside-null', engineer_email: 'ada@example.org', person_email: null },
    ];
    expect(await deliver({ sessions }, ada)).toMatchObject({ accepted: 4, rejected: [], ignored: [] });
    const rows = await app.select(posthookSessions, ['merged_user_id', 'engineer_email', 'person_login'], {
      column: 'session_id',
      in: sessions.map(({ id }) => id),
    });
    expect(new Set(rows.map(({ merged_user_id }) => merged_user_id))).toEqual(new Set([ada.personId]));
    expect(rows).toHaveLength(4);
    // A login that is said to be missing takes nothing away from who is known by an address.
    expect(await deliver({ sessions: [{ id: 'by-email', person_login: null }] }, ada)).toMatchObject({ accepted: 1 });
    const answer = await deliver(
      {
        sessions: [
          { id: 'not-mine', person_login: 'bob' },
          { id: 'not-yet', person_login: 'ada', engineer_email: 'nobody@example.org' },
          { id: 'torn', person_email: 'ada@example.org', engineer_email: 'bob@example.org' },
        ],
      },
      ada,
    );
    expect(answer.accepted).toBe(0);
    expect(details(answer)[0]).toEqual([
      'sessions',
      'engineer_email is given twice with two values, also as person_email: give one, or the same in both',
    ]);
  });

  test('may name themselves on parts, which follow their session', async () => {
    const part = { session_id: 'named-parts', person_login: 'bob', person_email: 'bob@example.org' };
    await deliver({ sessions: [{ id: 'named-parts', engineer_email: 'ada@example.org' }] }, ada);
    expect(await deliver({ session_prompts: [{ id: 'n1', ...part }] }, ada)).toMatchObject({ accepted: 1 });
    await app.put('posthook_session_messages', [{ message_id: 'n2', engineer_email: 'bob@example.org', ...part }]);
    await app.put('posthook_session_files', [{ file_path: 'a.ts', ...part }]);
    await app.put('posthook_session_commits', [{ commit_id: 'c', ...part }]);
    for (const table of [posthookSessionMessages, posthookSessionFiles, posthookSessionCommits] as Table[]) {
      const rows = await app.select(table, ['merged_user_id', 'engineer_email'] as never[], of('named-parts'));
      expect(new Set(rows)).toEqual(
        new Set(rows.map(() => ({ merged_user_id: ada.personId, engineer_email: 'ada@example.org' }))),
      );
    }
  });
});
