import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { recordChecks } from '../../src/control/record-checks.ts';
import { setPerson } from '../../src/directory/people.ts';
import { examine } from '../../src/safety/doctor.ts';
import { verify, verifyPlace } from '../../src/safety/verify.ts';
import { openStore } from '../../src/store/open.ts';
import { directoryOf, embedded, type StoreHome } from '../conformance/stores.ts';
import { describeWithPostgres } from '../setup/postgres.ts';
import { filledHome } from './filled-home.ts';

const patient = { environment: { UV_THREADPOOL_SIZE: '16' }, now: new Date('2026-01-01T00:00:00Z'), recordChecks };
let place: StoreHome;
let id = '';
beforeAll(async () => {
  ({ place, id } = await filledHome(embedded));
});
afterAll(() => place.remove());

test('What is reported of damaged people, keys and links holds no address, no salary and no hash', async () => {
  const store = await openStore(place);
  try {
    const context = { organisationId: id, actor: { via: 'demo' } } as const;
    await setPerson(directoryOf(store), context, 'p3@x.org', { salary: 123_456.5 });
    await store.note(async (session) => {
      await session.run(
        "UPDATE people SET access_role = 'Emperor p3@x.org', main_email = 'hidden@x.org' WHERE salary > 0",
      );
      await session.run("UPDATE identities SET key = 'hidden@x.org' WHERE value = 'p3@x.org'");
      await session.run("UPDATE api_keys SET hash = 'not-a-hash', rotated_from = 'nobody'");
      await session.run("UPDATE sign_ins SET hash = 'not-a-hash', organisation_id = 'nobody'");
    });
    const verified = await verify(store);
    expect(verified.findings.map(({ check }) => check)).toEqual(expect.arrayContaining(['rows', 'references']));
    const output = JSON.stringify([verified, await examine({ ...place, ...patient, store })]);
    for (const secret of ['hidden@x.org', 'p3@x.org', 'Emperor', '123456.5', 'not-a-hash', 'Zoë']) {
      expect(output).not.toContain(secret);
    }
  } finally {
    await store.close();
  }
});

describeWithPostgres('a database that lets nobody in', () => {
  test.each(['postgresql', 'postgres'])(
    'A database that lets nobody in is reported without its %s:// address',
    async (protocol) => {
      const address = new URL(inject('postgresUrl') ?? '');
      const databaseUrl = `${protocol}://plumb:s3cret-word@${address.host}/no-such-database?application_name=private-word`;
      const elsewhere = { ...place, databaseUrl };
      const output = JSON.stringify([await examine({ ...elsewhere, ...patient }), await verifyPlace(elsewhere)]);
      expect(output).toContain('28P01');
      for (const secret of ['s3cret-word', 'private-word', address.host]) expect(output).not.toContain(secret);
    },
  );
});
