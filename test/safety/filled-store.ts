import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ApiKeys } from '../../src/access/api-keys.ts';
import { Passwords, setPasswordIn } from '../../src/access/passwords.ts';
import { SignIns } from '../../src/access/sign-in-links.ts';
import { Sessions } from '../../src/access/sign-in-sessions.ts';
import { takeHostDirectory } from '../../src/directory/code-host/take-host-directory.ts';
import { mergePeople } from '../../src/directory/merging.ts';
import { setPerson } from '../../src/directory/people.ts';
import { beginImport, putRecords } from '../../src/directory/put-records.ts';
import { type BackupSource, backup } from '../../src/safety/backup.ts';
import { type PlainRow, pagesOf } from '../../src/safety/row-pages.ts';
import { alertStates, digestRuns, evaluationRounds } from '../../src/store/alert-tables.ts';
import { storeTables } from '../../src/store/all-store-tables.ts';
import { putCursor } from '../../src/store/cursors.ts';
import { putDocument } from '../../src/store/document-rows.ts';
import { pinnedBoards } from '../../src/store/document-tables.ts';
import { addMessageReceivers } from '../../src/store/message-rows.ts';
import { insertRows } from '../../src/store/put-rows.ts';
import { addSource, putStreams } from '../../src/store/source-rows.ts';
import { openidSubjects } from '../../src/store/source-tables.ts';
import type { Store } from '../../src/store/store.ts';
import { keepDeliveries } from '../../src/store/webhook-deliveries.ts';
import { directoryOf, noon, someOrganisation } from '../conformance/some-organisation.ts';
import { unfed } from '../setup/unfed-stream.ts';

const actor = { via: 'demo' } as const;

/** Puts something into every table, with the values that are hardest to carry. */
export async function fill(store: Store, people = 20): Promise<{ readonly id: string; readonly ownerId: string }> {
  const { id, ownerId } = await someOrganisation(store);
  const directory = directoryOf(store);
  const context = { organisationId: id, actor };
  const put = async (table: 'people' | 'teams' | 'squads' | 'repositories', values: readonly object[]) => {
    const outcome = await putRecords(
      directory,
      context,
      table,
      values.map((value, line) => ({ line, value })),
    );
    if (outcome.rejected.length > 0) throw new Error(JSON.stringify(outcome.rejected));
  };
  await put(
    'people',
    Array.from({ length: people }, (_, i) => ({
      main_email: `p${i}@x.org`,
      name: `Zoë "${i}" \\ 佐藤\u2028👩🏽‍💻\n`,
      role: i % 3 === 0 ? '' : null,
      salary: [0.1, 1e300, 0.30000000000000004, null][i % 4],
      github_username: `gh${i}`,
      teams: [`T${i % 3}`],
      managed_teams: i === 0 ? ['T0'] : [],
      squads: ['Red'],
    })),
  );
  await put('teams', [{ team_id: 't1', team_name: 'T1', department: 'R&D' }]);
  await put('squads', [{ squad_name: 'Red', squad_level: 1, parent_squad: 'Top' }]);
  await put('repositories', [{ repository: 'a/b', deploy_workflows: ['x'] }]);
  await mergePeople(directory, context, 'p1@x.org', 'p2@x.org');
  const keys = new ApiKeys(store, () => noon);
  await keys.create(id, actor, { creatorId: ownerId, name: 'k', expiresAt: new Date('2030-01-01T00:00:00.123Z') });
  const sessions = new Sessions(store, () => noon);
  await new SignIns({ store, passwords: new Passwords(), sessions, now: () => noon }).create(id, actor, ownerId);
  await fillSignIn(store, id, ownerId);
  await store.change(id, (session) =>
    putCursor(session, 'github', 'issues', '{"a":1}', new Date('1969-01-01T00:00:00.001Z')),
  );
  await fillSource(store, id);
  await fillDocuments(store, id, ownerId);
  await store.change(id, (session) =>
    addMessageReceivers(session, [
      {
        organisation_id: id,
        about_kind: 'digest',
        about_slug: 'monday',
        receiver: 'email:p1@x.org',
        stop_token: `plumbstop_${id}`,
        stopped_at: noon,
      },
    ]),
  );
  await beginImport(directory, context, 'people');
  // More digits than Plumb writes today, which a backup must not lose either.
  await store.note((session) => session.run("UPDATE cursors SET updated_at = '2024-02-29 10:00:00.123456+00'"));
  return { id, ownerId };
}

/** No session: nobody stays signed in over a restore. No message either: none is sent twice. */
async function fillSignIn(store: Store, organisationId: string, personId: string): Promise<void> {
  const directory = directoryOf(store);
  await setPerson(directory, { organisationId, actor }, personId, { emails: [`Öwner-${organisationId}@x.org`] });
  await store.change(organisationId, async (session) => {
    await setPasswordIn(session, actor, personId, { hashed: '$argon2id$v=19$m=1,t=1,p=1$c2FsdA$aGFzaA', at: noon });
    await insertRows(session, openidSubjects, [
      {
        organisation_id: organisationId,
        issuer: 'https://login.x.org',
        subject: 'über/1',
        person_id: personId,
        bound_at: noon,
      },
    ]);
  });
}

async function fillDocuments(store: Store, organisationId: string, personId: string): Promise<void> {
  const board = { title: 'Über\u2028blick', panels: [] };
  await store.change(organisationId, async (session) => {
    await putDocument(session, {
      organisation_id: organisationId,
      kind: 'board',
      slug: 'overview',
      body: JSON.stringify(board),
      owner_id: personId,
      etag: 'a',
      secrets: 'v2.key.bytes',
      created_at: noon,
      changed_at: noon,
    });
    await insertRows(session, pinnedBoards, [
      { organisation_id: organisationId, person_id: personId, slug: 'overview', position: 0 },
    ]);
    const told = { organisation_id: organisationId, slug: 'behind' };
    await insertRows(session, alertStates, [
      { ...told, person_id: personId, cause: 'source ü', rule: '{"kind":"source_behind"}', told: '1', held: '[]' },
    ]);
    await insertRows(session, digestRuns, [{ ...told, due_at: noon, is_silent: false }]);
    await insertRows(session, evaluationRounds, [
      { organisation_id: organisationId, evaluated_at: noon, data_version: '3', holder: null, lease_until: null },
    ]);
  });
}

async function fillSource(store: Store, organisationId: string): Promise<void> {
  const source = `source-of-${organisationId}`;
  await store.change(organisationId, (session) =>
    addSource(session, {
      id: source,
      organisation_id: organisationId,
      kind: 'github',
      name: 'Höst',
      name_key: 'höst',
      added_by: 'command',
      settings: '{"organization":"acme"}',
      secrets: 'v2.key.bytes',
      webhook_secret: null,
      created_at: noon,
    }),
  );
  await takeHostDirectory(
    directoryOf(store),
    { organisationId, actor: { via: 'source', sourceId: source } },
    { sourceId: source, host: 'github', offboardLeavers: false },
    { owner: 'Acme', people: [{ login: 'GH1' }], teams: [{ name: 'Höst', logins: ['gh1'] }] },
  );
  await store.note(async (session) => {
    await putStreams(session, [
      {
        source_id: source,
        stream_id: 'pull_requests@R_1',
        organisation_id: organisationId,
        name: 'pull requests',
        scope: 'acme/web',
        state: '{"next":{"cursor":"Ō"}}',
        updated_at: noon,
        succeeded_at: noon,
        failed_at: null,
        error: null,
        to_do: null,
        read_count: 2 ** 40,
        estimated_count: null,
        ...unfed,
        newest_record_at: noon,
      },
    ]);
    await keepDeliveries(session, [
      {
        source_id: source,
        delivery_id: 'd-1',
        organisation_id: organisationId,
        event: 'pull_request',
        objects: '[]',
        received_at: noon,
        done_at: null,
      },
    ]);
  });
}

/** Every row of every table. */
export function dump(store: Store): Promise<Record<string, PlainRow[]>> {
  return store.read(async (session) => {
    const tables: Record<string, PlainRow[]> = {};
    for (const table of storeTables) {
      const rows: PlainRow[] = [];
      for await (const page of pagesOf(session, table)) rows.push(...page);
      tables[table.name] = rows;
    }
    return tables;
  });
}

export const backUp = (source: BackupSource, file: string): Promise<void> =>
  pipeline(backup(source, { at: noon, plumbVersion: '1.2.3' }), createWriteStream(file));
