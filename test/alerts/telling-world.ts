import { afterEach, beforeEach } from 'vitest';
import { type Principal, principalOfPerson } from '../../src/access/principal.ts';
import { createOrganisation } from '../../src/directory/organisations.ts';
import { findPerson, setPerson } from '../../src/directory/people.ts';
import { putRecords } from '../../src/directory/put-records.ts';
import { type EmbeddedApp, openApp } from '../../src/main.ts';
import { embedded } from '../conformance/stores.ts';
import { threadsForFewRows } from '../setup/how-long.ts';
import { throwAway } from '../setup/thrown-away.ts';

const actor = { via: 'command', user: 'test' } as const;

/** What was queued for a receiver, as the store keeps it. */
export interface QueuedMessage {
  readonly receiver: string;
  readonly title: string;
  /** What is sent: the body of a webhook, or a mail. */
  readonly content: string;
}

/** A webhook of the company's own network, which takes JSON. */
export const webhook = { webhook: 'http://127.0.0.1:9/hook' };
export const mail = (name: string) => ({ email: `${name}@acme.example` });

/** An app with an organisation of three people, a clock that stands still, and what its alerts and digests have queued. */
export function tellingWorld(start: string) {
  let app: EmbeddedApp;
  let organisationId: string;
  let clock: Date;
  let close: () => Promise<void>;

  beforeEach(async () => {
    clock = new Date(start);
    const { folder, remove } = await embedded.placeWithTables();
    app = await openApp(
      {
        folder,
        databaseUrl: undefined,
        threads: threadsForFewRows,
        sourceHosts: ['127.0.0.1'],
        publicUrl: 'https://plumb.acme.example',
        mailServer: { host: '127.0.0.1', port: 9, isSecure: false },
        mailSender: { name: 'Plumb', address: 'plumb@acme.example' },
      },
      { now: () => clock },
    );
    ({ id: organisationId } = await createOrganisation(app.directory, actor, {
      name: 'Acme',
      ownerEmail: 'ada@acme.example',
    }));
    await app.ingest.bringUp(organisationId);
    close = async () => {
      await throwAway(folder);
      await app.close();
      await remove();
    };
    await person('grace', 'Manager');
    await person('edsger', 'Engineer');
  });
  afterEach(() => close());

  const idOf = async (name: string): Promise<string> =>
    (await app.store.read((session) => findPerson(session, organisationId, `${name}@acme.example`))).effective.id;

  async function person(name: string, role: 'Owner' | 'Manager' | 'Engineer'): Promise<void> {
    const value = { name, main_email: `${name}@acme.example`, access_role: role, onboarded: true };
    await putRecords(app.directory, { organisationId, actor }, 'people', [{ line: 1, value }]);
  }

  async function principal(name: string): Promise<Principal> {
    const found = await principalOfPerson(app.store, organisationId, await idOf(name));
    if (!found) throw new Error(`there is no ${name}`);
    return found;
  }

  return {
    get app() {
      return app;
    },
    get organisationId() {
      return organisationId;
    },
    idOf,
    person,
    principal,
    setTime(text: string): void {
      clock = new Date(text);
    },
    setRole: async (name: string, role: 'Owner' | 'Manager' | 'Engineer') =>
      setPerson(app.directory, { organisationId, actor }, await idOf(name), { access_role: role }),
    async write(
      kind: 'alert' | 'digest' | 'goal' | 'board',
      by: string,
      slug: string,
      written: object,
    ): Promise<object> {
      const documents = app.documents[kind];
      return (await documents.put({ principal: await principal(by) }, { slug, written }, { isNew: true })).after;
    },
    async put(table: 'pull_requests', rows: readonly object[]): Promise<void> {
      const lines = rows.map((value, line) => ({ line, value }));
      const [outcome] = await app.ingest.put(organisationId, [{ table, lines }]);
      if (outcome && outcome.rejected.length > 0) throw new Error(JSON.stringify(outcome.rejected));
    },
    /** What was queued since this was asked the last time. */
    async queued(): Promise<QueuedMessage[]> {
      const rows = await app.store.read((session) =>
        session.rows<QueuedMessage & { id: string }>(
          'SELECT id, shown AS receiver, title, content FROM messages WHERE organisation_id = $1 ORDER BY queued_at, shown, title',
          [organisationId],
        ),
      );
      await app.store.change(organisationId, (session) => session.run('DELETE FROM messages'));
      return rows.map(({ receiver, title, content }) => ({ receiver, title, content }));
    },
  };
}

/** An open pull request that waits for a review since a day. */
export const openPullRequest = (id: string, by: string, openedAt: string) => ({
  pr_id: id,
  pr_number: Number(id),
  pr_title: `Change ${id}`,
  source: 'github',
  repository: 'acme/web',
  person_email: `${by}@acme.example`,
  pr_state: 'open',
  pr_created_at: openedAt,
});

export const mergedPullRequest = (id: number, by: string, mergedAt: string) => ({
  ...openPullRequest(String(id), by, mergedAt),
  pr_state: 'merged',
  pr_merged_at: mergedAt,
});
