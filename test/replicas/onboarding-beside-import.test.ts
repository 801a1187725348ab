import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { serviceTicket } from '../../src/admission/ticket.ts';
import { peopleCopy } from '../../src/catalogue/directory-copies.ts';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import { offboard, onboard } from '../../src/directory/onboarding.ts';
import { createOrganisation } from '../../src/directory/organisations.ts';
import { putPeople } from '../../src/directory/put-records.ts';
import { type App, openApp } from '../../src/main.ts';
import { listPeople } from '../../src/store/people-rows.ts';
import { freshFolder } from '../conformance/stores.ts';
import { clickhouseAvailable, freshTables } from '../setup/clickhouse.ts';
import { closedAfterAll } from '../setup/closed-after-all.ts';
import { gate } from '../setup/gate.ts';
import { times } from '../setup/how-long.ts';
import { freshDatabase, postgresAvailable } from '../setup/postgres.ts';

const emails = ['ada@acme.example', 'bob@acme.example'];
const [ada = ''] = emails;
/** Of each batch, which waits to be published, however few it has. */
const heldRows = times(100, 3_000);
const named = { emailAddresses: [ada], githubUsernames: [] };

describe.skipIf(!postgresAvailable || !clickhouseAvailable)('two servers, one of which brings many records in', () => {
  const closing = closedAfterAll();
  const apps: App[] = [];
  let organisationId = '';
  let importing: Promise<unknown> = Promise.resolve();
  let batchesUnderWay = 0;
  let batches = 0;
  /** Open once records are written, up to where they would be published. */
  let written = gate();
  /** They are not published before it is open. */
  let publishing = gate();
  /** Open once the server that brings them in has asked for its next turn, to publish the directory. */
  let askedForTurn = gate();

  beforeAll(async () => {
    const [database, tables] = [await freshDatabase(), await freshTables()];
    closing(database.drop, tables.drop);
    for (let i = 0; i < 2; i += 1) {
      const folder = freshFolder();
      const app = await openApp({ folder: folder.path, databaseUrl: database.url, tablesUrl: tables.url });
      closing(
        () => folder.remove(),
        () => app.close(),
      );
      apps.push(app);
    }
    const [one] = apps as [App];
    publishing.open();
    const { warehouse } = one;
    const change = warehouse.change.bind(warehouse);
    vi.spyOn(warehouse, 'change').mockImplementation((id, work, options) => {
      // What is published of the directory goes first.
      if (options?.isFirst) {
        const changing = change(id, work, options);
        if (!options.isOfCopies) askedForTurn.open();
        return changing;
      }
      const held: typeof work = async (writer) => {
        const result = await work(writer);
        written.open();
        await publishing.passed;
        return result;
      };
      return change(id, held, options);
    });
    const actor = { via: 'demo' } as const;
    organisationId = (await createOrganisation(one.directory, actor, { name: 'Acme', ownerEmail: 'o@acme.example' }))
      .id;
    const lines = emails.map((main_email, i) => ({ line: i + 1, value: { main_email, logins: { github: `gh${i}` } } }));
    await putPeople(one.directory, { organisationId, actor }, lines);
    for (const app of apps) await app.ingest.publisher.whenPublished(organisationId, serviceTicket(organisationId));
  });

  beforeEach(() => {
    [written, publishing, askedForTurn] = [gate(), gate(), gate()];
  });
  // A test that fails in the middle leaves neither a change that nobody lets go on nor somebody offboarded to the next one.
  afterEach(async () => {
    publishing.open();
    await importing.catch(() => {});
    for (const app of apps) await app.ingest.publisher.whenPublished(organisationId, serviceTicket(organisationId));
    await onboard((apps[0] as App).directory, context(), named);
  });

  /** One batch, which is being written: it is published once `publishing` is open. All its records are new. */
  function bringIn(login = (i: number) => `gh${i % 2}`): Promise<unknown> {
    batches += 1;
    const batch = batches;
    const lines = Array.from({ length: heldRows }, (_, i) => ({
      line: i + 1,
      value: { pr_id: `${batch}-${i}`, source: 'github', repository: 'a/b', person_login: login(i), pr_number: i },
    }));
    batchesUnderWay += 1;
    importing = (apps[0] as App).ingest.put(organisationId, [{ table: 'pull_requests', lines }]).finally(() => {
      batchesUnderWay -= 1;
    });
    return importing;
  }

  const context = () => ({ organisationId, actor: { via: 'command', user: 'ada' } }) as const;
  /** A change of the directory is stored before it waits to be published. */
  const isStored = (email: string) =>
    expect
      .poll(async () => {
        const people = await (apps[0] as App).store.read((session) => listPeople(session, organisationId));
        return people.map(({ main_email }) => main_email);
      })
      .toContain(email);
  const areOnboarded = async (app: App) => {
    await app.ingest.publisher.whenPublished(organisationId, serviceTicket(organisationId));
    return app.warehouse.read(organisationId, async (reader) => {
      const people = await reader.select(peopleCopy, ['main_email', 'onboarded']);
      return people.filter(({ onboarded }) => onboarded).map(({ main_email }) => main_email);
    });
  };
  const rows = (app: App) =>
    app.warehouse.read(organisationId, async (reader) => (await reader.tally(pullRequests, []))[0]?.rows ?? 0);

  test.each([
    ['the other server', 1],
    ['the same server', 0],
  ])(
    'Who is offboarded and onboarded through %s meanwhile is so everywhere before the records are there',
    async (_which, i) => {
      const app = apps[i] as App;
      const before = await rows(app);
      bringIn();
      await written.passed;
      for (const change of [offboard, onboard]) {
        await change(app.directory, context(), named);
        expect(batchesUnderWay).toBe(1);
        for (const any of apps) {
          const found = await areOnboarded(any);
          if (change === onboard) expect(found).toContain(ada);
          else expect(found).not.toContain(ada);
        }
        expect(batchesUnderWay).toBe(1);
        expect(await rows(app)).toBe(before);
      }
      publishing.open();
      await importing;
      for (const any of apps) {
        await expect.poll(() => rows(any)).toBe(before + heldRows);
        expect(await areOnboarded(any)).toContain(ada);
      }
    },
  );

  test('A person who is new then owns the records that were on their way', async () => {
    const [one, two] = apps as [App, App];
    bringIn(() => 'cy');
    await written.passed;
    const value = { merged_user_id: 'cy', main_email: 'cy@acme.example', logins: { github: 'cy' } };
    const putting = putPeople(two.directory, context(), [{ line: 1, value }]);
    await isStored('cy@acme.example');
    publishing.open();
    await Promise.all([importing, putting]);
    const owned = (app: App) =>
      app.warehouse.read(organisationId, async (reader) => {
        const where = { column: 'merged_user_id', in: ['cy'] };
        return (await reader.tally(pullRequests, [], where))[0]?.rows;
      });
    for (const app of [one, two]) {
      await app.ingest.publisher.whenPublished(organisationId, serviceTicket(organisationId));
      expect(await owned(app)).toBe(heldRows);
    }
  });

  test('A server does not wait for its turn to publish what the one that brings records in has published', async () => {
    const [one, two] = apps as [App, App];
    const both = [bringIn(), bringIn()];
    await written.passed;
    const putting = putPeople(two.directory, context(), [{ line: 1, value: { main_email: 'di@acme.example' } }]);
    await askedForTurn.passed;
    const first = publishing;
    [written, publishing] = [gate(), gate()];
    first.open();
    await putting;
    await two.ingest.publisher.whenPublished(organisationId, serviceTicket(organisationId));
    await written.passed;
    expect(batchesUnderWay).toBe(1);
    expect(await areOnboarded(two)).toContain('di@acme.example');
    publishing.open();
    await Promise.all(both);
    expect(await areOnboarded(one)).toContain('di@acme.example');
  });
});
