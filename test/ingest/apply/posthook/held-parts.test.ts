import { beforeAll, describe, expect, test } from 'vitest';
import { heldParts } from '../../../../src/catalogue/derivation-state.ts';
import { posthookSessionCommits, posthookSessionMessages } from '../../../../src/catalogue/tables/posthook-sessions.ts';
import type { HookSender } from '../../../../src/ingest/apply/posthook/session-gate.ts';
import { putRows, removeRows } from '../../../warehouse/table-writes.ts';
import { type RecordsOrganisation, recordsOrganisations } from '../../records-app.ts';
import { deliverTo, type HookTables, owner } from './hook.ts';
import { filesIn, ofSession, sessionIn, someSession, summed, twoEngineers } from './posted-session.ts';

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

  const everythingOf = async (id: string) => [
    await sessionOf(id),
    await filesOf(id),
    (await app.select(posthookSessionMessages, ['message_id', 'message_text', 'merged_user_id'], ofSession(id))).length,
    (await app.select(posthookSessionCommits, ['commit_id', 'committed_at', 'committed_lines'], ofSession(id))).length,
    await app.select(heldParts, ['record'], ofSession(id)),
  ];

  test('Somebody who is no Owner may send parts before the session: they wait for it, and then it is as if it had come first', async () => {
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

  test('Somebody who is no Owner may send only so many parts before their sessions; others are refused by line', async () => {
    const waiting = { column: 'merged_user_id', in: [bob.personId] };
    const before = (await app.select(heldParts, ['part_key'], waiting)).length;
    await app.app.warehouse.change(app.context.organisationId, (session) =>
      putRows(
        session,
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
      removeRows(session, heldParts, { column: 'session_id', in: ['never'] }),
    );
  });

  test('Somebody who is no Owner binds nobody with parts that came before: the session is of whoever sends it first', async () => {
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

  test('Somebody who is no Owner finds their parts whoever brings the session, and what comes with it is newer', async () => {
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
    const commits = await app.select(posthookSessionCommits, ['commit_id', 'committed_lines'], ofSession('brought'));
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

  test('Somebody who is no Owner finds their parts once it becomes known that the session is theirs', async () => {
    await deliver({ commit_sessions: [{ commit_id: 'c1', session_id: 'unknown', lines_attributed: 4 }] }, bob);
    await deliver({ sessions: [{ id: 'unknown', engineer_email: 'robert@example.org' }] });
    expect(await sessionOf('unknown')).toMatchObject({ commits_contributed: 0 });
    await app.directory('people', [{ main_email: 'bob@example.org', emails: ['robert@example.org'] }]);
    await app.app.ingest.publisher.publish(app.context.organisationId);
    expect(await sessionOf('unknown')).toMatchObject({ commits_contributed: 1, committed_lines: 4 });
  });

  test('Somebody who is no Owner keeps what an earlier part said where a later one with its key says nothing', async () => {
    const part = { commit_id: 'c1', session_id: 'partial' };
    await deliver({ commit_sessions: [{ ...part, committed_at: '2026-01-05T09:20:00Z' }] }, ada);
    await deliver({ commit_sessions: [{ ...part, lines_attributed: 9 }] }, ada);
    await deliver({ sessions: [{ id: 'partial', engineer_email: 'ada@example.org' }] }, ada);
    expect(await app.select(posthookSessionCommits, ['committed_at', 'committed_lines'], ofSession('partial'))).toEqual(
      [{ committed_at: Date.parse('2026-01-05T09:20:00Z') / 1_000, committed_lines: 9 }],
    );
  });
});
