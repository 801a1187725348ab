import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serviceTicket } from '../../../src/admission/ticket.ts';
import { peopleCopy } from '../../../src/catalogue/directory-copies.ts';
import { type Row, storedColumns } from '../../../src/catalogue/table.ts';
import { noteCalledBots } from '../../../src/directory/called-bots.ts';
import { Ingest } from '../../../src/ingest/ingest.ts';
import type { IntakePort } from '../../../src/warehouse/intake-port.ts';
import { putRows } from '../../warehouse/table-writes.ts';
import { type RecordsApp, recordsApp } from '../records-app.ts';

const helper = { main_email: 'helper@example.org', name: 'Helper', logins: { github: 'helper' } };
const botComment = {
  comment_id: 'c1',
  pr_id: 'p',
  source: 'github',
  person_login: 'helper',
  person_is_bot: true,
};

let app: RecordsApp;
beforeEach(async () => {
  app = await recordsApp();
  await app.directory('people', [helper]);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await app.close();
});

/** What a process that has just started knows of the tables: nothing yet. */
const started = (warehouse: IntakePort = app.app.warehouse): Ingest =>
  new Ingest(app.app.store, warehouse, {
    callBots: (id, called) => noteCalledBots({ store: app.app.store, now: app.app.now }, id, called),
  });

/** Records that say of somebody that they are a bot, that the directory does not know of. */
const putSilently = (): Promise<unknown> =>
  new Ingest(app.app.store, app.app.warehouse).put(app.context.organisationId, [
    { table: 'pull_request_comments', lines: [{ line: 1, value: botComment }] },
  ]);

const isOnboarded = async (): Promise<unknown> => {
  const rows = await app.select(peopleCopy, ['main_email', 'onboarded']);
  return rows.find(({ main_email }) => main_email === helper.main_email)?.onboarded;
};

test('What is known to be shown never goes back to an older version', async () => {
  const { organisationId } = app.context;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let reads = 0;
  // Only the look for bots, the second read, is held up.
  const read: IntakePort['read'] = async (...given) => {
    reads += 1;
    if (reads === 2) await released;
    return app.app.warehouse.read(...given);
  };
  const warehouse = new Proxy(app.app.warehouse, {
    get: (target, name) => {
      if (name === 'read') return read;
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const ingest = started(warehouse);
  const { publisher } = ingest;
  const starting = publisher.publishAll();
  await expect.poll(() => reads).toBe(2);
  await app.directory('people', [{ main_email: 'new@example.org' }]);
  // Records are taken in beside a publication, and bring the newest directory with them.
  await ingest.put(organisationId, [{ table: 'pull_requests', lines: [{ line: 1, value: { pr_id: 'p1' } }] }]);
  release();
  await starting;
  const changes = vi.spyOn(app.app.warehouse, 'change');
  await publisher.whenPublished(organisationId, serviceTicket(organisationId));
  expect(changes).not.toHaveBeenCalled();
  publisher.close();
});

test('After a start, questions wait until the directory has heard whom records call a bot', async () => {
  await putSilently();
  expect(await isOnboarded()).toBe(true);
  const { publisher } = started();
  await publisher.whenPublished(app.context.organisationId, serviceTicket(app.context.organisationId));
  expect(await isOnboarded()).toBe(false);
  publisher.close();
});

test('A change that reported a bot and could not publish it is published for the next question', async () => {
  const { ingest } = app.app;
  const { organisationId } = app.context;
  const { change } = app.app.warehouse;
  vi.spyOn(app.app.warehouse, 'change')
    .mockImplementationOnce((...given) => change.apply(app.app.warehouse, given))
    .mockRejectedValueOnce(new Error('no room on the disk'));
  const batch = [{ table: 'pull_request_comments' as const, lines: [{ line: 1, value: botComment }] }];
  await expect(ingest.put(organisationId, batch)).rejects.toThrow('no room on the disk');
  await ingest.publisher.whenPublished(organisationId, serviceTicket(organisationId));
  expect(await isOnboarded()).toBe(false);
});

test('Where others share the store, a start writes nothing for a change of keys, and everything for one of people', async () => {
  const { organisationId } = app.context;
  const { store, warehouse, keys } = app.app;
  const shared = new Proxy(store, {
    get: (target, name) => {
      if (name === 'isShared') return true;
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const owner = await store.read((session) => session.rows<{ id: string }>('SELECT id FROM people LIMIT 1'));
  await keys.create(organisationId, { via: 'demo' }, { creatorId: owner[0]?.id ?? '', name: 'k' });
  const before = warehouse.versionOf(organisationId);
  const ingest = new Ingest(shared, warehouse);
  await ingest.publisher.publishAll();
  await ingest.publisher.whenPublished(organisationId, serviceTicket(organisationId));
  expect(warehouse.versionOf(organisationId)).toBe(before);
  // As if it had been a change of people, by a server that was killed before it published.
  await store.note((session) => session.run("UPDATE audit_log SET action = 'person.set' WHERE action = 'key.create'"));
  const next = new Ingest(shared, warehouse);
  await next.publisher.publishAll();
  expect(warehouse.versionOf(organisationId)).toBeGreaterThan(before ?? Number.POSITIVE_INFINITY);
});

test('A directory is compared with the one before it, and with the tables where those show another one', async () => {
  const { organisationId } = app.context;
  const { warehouse } = app.app;
  const { change } = warehouse;
  const selected: string[] = [];
  vi.spyOn(warehouse, 'change').mockImplementation((id, work, options) =>
    change.call(
      warehouse,
      id,
      (writer) => {
        const { select } = writer;
        writer.select = (table, ...given) => {
          selected.push(table.name);
          return select.call(writer, table, ...given) as never;
        };
        return work(writer) as never;
      },
      options,
    ),
  );
  const names = async () => (await app.select(peopleCopy, ['name'])).map(({ name }) => name).filter((name) => name);
  await app.directory('people', [{ ...helper, name: 'Second' }]);
  await app.directory('people', [{ main_email: 'new@example.org', name: 'New' }]);
  expect(selected).not.toContain('people');
  expect(await names()).toEqual(expect.arrayContaining(['New', 'Second']));
  expect(await names()).not.toContain(helper.name);
  // What a restore leaves: other rows, and no version.
  await change.call(warehouse, organisationId, async (writer) => {
    const columns = [...storedColumns(peopleCopy).keys()] as never;
    const rows: Row[] = await writer.select(peopleCopy, columns);
    await putRows(writer, peopleCopy, rows.map((row) => ({ ...row, name: 'Earlier' })) as never);
    await writer.setDirectoryVersion(0);
  });
  await app.directory('people', [{ main_email: 'new@example.org', name: 'Newer' }]);
  expect(selected).toContain('people');
  expect(await names()).toEqual(expect.arrayContaining(['Newer', 'Second']));
  expect(await names()).not.toContain('Earlier');
});

test('An organisation that was found to show its directory is not looked at again', async () => {
  const { organisationId } = app.context;
  const read = vi.spyOn(app.app.warehouse, 'read');
  const { publisher } = started();
  expect(await publisher.isPublished(organisationId)).toBe(true);
  expect(await publisher.isPublished(organisationId)).toBe(true);
  expect(read).toHaveBeenCalledTimes(1);
});
