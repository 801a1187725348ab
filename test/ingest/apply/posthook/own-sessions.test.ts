import { beforeAll, describe, expect, test } from 'vitest';
import type { Table } from '../../../../src/catalogue/table.ts';
import {
  posthookSessionCommits,
  posthookSessionFiles,
  posthookSessionMessages,
  posthookSessions,
} from '../../../../src/catalogue/tables/posthook-sessions.ts';
import type { HookSender } from '../../../../src/ingest/apply/posthook/session-gate.ts';
import { type RecordsOrganisation, recordsOrganisations } from '../../records-app.ts';
import { deliverTo, type HookTables, owner } from './hook.ts';
import { filesIn, ofSession, sessionIn, someSession, twoEngineers } from './posted-session.ts';

const anOrganisation = recordsOrganisations();
let app: RecordsOrganisation;
beforeAll(async () => {
  app = await anOrganisation();
});

const deliver = (tables: HookTables, sender = owner) => deliverTo(app, tables, sender);
const sessionOf = (id: string) => sessionIn(app, id);
const filesOf = (id: string) => filesIn(app, id);

describe('somebody who is no Owner', () => {
  let ada: HookSender;
  let bob: HookSender;
  beforeAll(async () => {
    ({ ada, bob } = await twoEngineers(app));
  });

  const details = (answer: { rejected: readonly { table: string; detail: string }[] }) =>
    answer.rejected.map(({ table, detail }) => [table, detail]);

  test('Somebody who is no Owner may send their own sessions, under any of their addresses, with all their parts', async () => {
    const tables = { ...someSession('mine'), sessions: [{ id: 'mine', engineer_email: 'ADA@home.example' }] };
    expect(await deliver(tables, ada)).toMatchObject({ accepted: 11, rejected: [] });
    expect(await deliver({ sessions: [{ id: 'mine', branch: 'main' }] }, ada)).toMatchObject({ accepted: 1 });
    expect(await sessionOf('mine')).toMatchObject({ engineer_email: 'ADA@home.example', generated_lines: 13 });
  });

  test('Somebody who is no Owner may not send sessions of others or of nobody, nor their parts along with them', async () => {
    const answer = await deliver(someSession('foreign'), bob);
    expect(answer.accepted).toBe(0);
    expect(details(answer)[0]).toEqual([
      'sessions',
      expect.stringContaining('engineer_email must be one of the addresses'),
    ]);
    expect(new Set(answer.rejected.slice(1).map(({ detail }) => detail))).toEqual(
      new Set(["session 'foreign' belongs to someone else: only the key of its engineer or an Owner’s may add to it"]),
    );
    expect(await sessionOf('foreign')).toBeUndefined();
    expect(await filesOf('foreign')).toEqual([]);
    expect(await deliver({ sessions: [{ id: 'nobodys' }] }, bob)).toMatchObject({ accepted: 0 });
    expect(await deliver({ sessions: [{ id: 'nobodys', engineer_email: 'x@example.org' }] }, bob)).toMatchObject({
      accepted: 0,
    });
  });

  test('Somebody who is no Owner may not send the parts of a refused session either when they come in a later change', async () => {
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

  test('Somebody who is no Owner may not take a session over, nor add to one of somebody else, known or not in the directory', async () => {
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

  test('Somebody who is no Owner may not move a prompt out of somebody else’s session', async () => {
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

  test('Somebody who is no Owner may name themselves by a login on any code host, or by either name of their address', async () => {
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

  test('Somebody who is no Owner may name themselves on parts, which follow their session', async () => {
    const part = { session_id: 'named-parts', person_login: 'bob', person_email: 'bob@example.org' };
    await deliver({ sessions: [{ id: 'named-parts', engineer_email: 'ada@example.org' }] }, ada);
    expect(await deliver({ session_prompts: [{ id: 'n1', ...part }] }, ada)).toMatchObject({ accepted: 1 });
    await app.put('posthook_session_messages', [{ message_id: 'n2', engineer_email: 'bob@example.org', ...part }]);
    await app.put('posthook_session_files', [{ file_path: 'a.ts', ...part }]);
    await app.put('posthook_session_commits', [{ commit_id: 'c', ...part }]);
    for (const table of [posthookSessionMessages, posthookSessionFiles, posthookSessionCommits] as Table[]) {
      const rows = await app.select(table, ['merged_user_id', 'engineer_email'] as never[], ofSession('named-parts'));
      expect(new Set(rows)).toEqual(
        new Set(rows.map(() => ({ merged_user_id: ada.personId, engineer_email: 'ada@example.org' }))),
      );
    }
  });
});
