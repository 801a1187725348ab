import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { pagesOf } from '../../src/safety/row-pages.ts';
import { cursors, people, type StoreRowOf } from '../../src/store/all-store-tables.ts';
import { findCursor, putCursor } from '../../src/store/cursors.ts';
import { insertRows, putRows } from '../../src/store/put-rows.ts';
import type { Store } from '../../src/store/store.ts';
import { times } from '../setup/how-long.ts';
import { describeOnEveryStore, noon, sharedStore, someOrganisation } from './stores.ts';

type StoredPerson = StoreRowOf<typeof people>;

const person = (organisation_id: string, id: string, fields: Partial<StoredPerson> = {}): StoredPerson => ({
  organisation_id,
  id,
  name: id,
  main_email: null,
  role: null,
  level: null,
  location: null,
  manager_email: null,
  access_role: 'Engineer',
  permissions: '[]',
  salary: null,
  is_bot: false,
  onboarded: false,
  created_date: '2024-01-31',
  merged_into: null,
  effective_id: id,
  stated_bot: null,
  called_bot: null,
  onboarding: null,
  ...fields,
});

const keep = (store: Store, organisationId: string, rows: readonly StoredPerson[]) =>
  store.change(organisationId, (session) => insertRows(session, people, rows));

async function kept(store: Store, organisationId: string): Promise<StoredPerson[]> {
  return store.read((session) =>
    session.rows<StoredPerson>(
      'SELECT name, role, salary, is_bot, created_date::text AS created_date FROM people WHERE organisation_id = $1 ORDER BY id',
      [organisationId],
    ),
  );
}

const texts = [
  '',
  ' ',
  "O'Brien",
  '"quoted"',
  'back\\slash \\n \\u0041',
  'line\nfeed\r\ntab\t',
  'null',
  '{"a":[1]}',
  '{a,b}',
  '$1 %s ?',
  'Zoë · Ζωή · зоя · 佐藤 · 👩🏽‍💻',
  '\u2028\u2029\ufeff\u200f',
  '\u0001\u001f\u007f',
];

describeOnEveryStore('values in a store', (engine) => {
  const store = sharedStore(engine);

  describe.each(['in lists', 'alone'])('bound %s', (form) => {
    let id: string;
    let kept = 0;
    beforeAll(async () => {
      ({ id } = await someOrganisation(store()));
    });
    const roundTrip = async (value: string): Promise<string | undefined> => {
      const stream = String(kept++);
      await store().change(id, (session) =>
        form === 'in lists'
          ? putCursor(session, 's', stream, value, noon)
          : session.run('INSERT INTO cursors VALUES ($1, $2, $3, $4, $5::timestamptz)', [id, 's', stream, value, noon]),
      );
      return store().read((session) => findCursor(session, id, 's', stream));
    };

    test.each(texts)('The text %j comes back as it was', async (text) => {
      expect(await roundTrip(text)).toBe(text);
    });

    test('A text of two megabytes comes back as it was', async () => {
      const text = 'Plumb ✓ '.repeat(200_000);
      expect(await roundTrip(text)).toBe(text);
    });

    test.each(['a\0b', 'a\ud800b', '\udc00'])('The text %j is refused: not every engine can keep it', async (text) => {
      await expect(roundTrip(text)).rejects.toMatchObject({ name: 'Refusal', reason: 'bad-input' });
    });
  });

  test('Any text and any number come back as they were', async () => {
    const { id } = await someOrganisation(store());
    const row = fc.record({
      role: fc.option(
        fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
        { nil: null },
      ),
      salary: fc.option(
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
        { nil: null },
      ),
      is_bot: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
        await store().change(id, (session) => session.run('DELETE FROM people WHERE organisation_id = $1', [id]));
        await keep(
          store(),
          id,
          rows.map((fields, i) => person(id, `p${String(i).padStart(3, '0')}`, fields)),
        );
        const back = await kept(store(), id);
        expect(back.map(({ role, salary, is_bot }) => ({ role, salary, is_bot }))).toEqual(rows);
      }),
      { numRuns: times(12, 40) },
    );
  });

  test('An empty text is not null', async () => {
    const { id } = await someOrganisation(store());
    await store().change(id, (session) => session.run('DELETE FROM people WHERE organisation_id = $1', [id]));
    await keep(store(), id, [person(id, 'a', { role: '' }), person(id, 'b', { role: null })]);
    expect((await kept(store(), id)).map(({ role }) => role)).toEqual(['', null]);
  });

  test('A number comes back as it was, in a list and alone', async () => {
    const { id } = await someOrganisation(store());
    const numbers = [0, -1, 0.1, 0.30000000000000004, 1e300, 5e-324, 123_456_789.123_456_79, 2 ** 53, 1e16];
    await store().change(id, async (session) => {
      await session.run('DELETE FROM people WHERE organisation_id = $1', [id]);
      await insertRows(
        session,
        people,
        numbers.flatMap((salary, i) => [person(id, `${i} a`, { salary }), person(id, `${i} b`)]),
      );
      for (const [i, salary] of numbers.entries()) {
        await session.run('UPDATE people SET salary = $2 WHERE organisation_id = $1 AND id = $3', [
          id,
          salary,
          `${i} b`,
        ]);
      }
    });
    expect((await kept(store(), id)).map((row) => row.salary)).toEqual(numbers.flatMap((salary) => [salary, salary]));
  });

  test('A day stays the day it is, whatever the time zone of the machine', async () => {
    const { id } = await someOrganisation(store());
    await store().change(id, (session) => session.run('DELETE FROM people WHERE organisation_id = $1', [id]));
    const days = ['1969-12-31', '2000-02-29', '2024-03-10', '2024-12-31'];
    await keep(
      store(),
      id,
      days.map((created_date, i) => person(id, `p${i}`, { created_date })),
    );
    expect((await kept(store(), id)).map(({ created_date }) => created_date)).toEqual(days);
  });

  test('An instant keeps its milliseconds, before and after 1970, in summer and in winter', async () => {
    const { id } = await someOrganisation(store());
    const instants = ['1969-07-20T20:17:40.001Z', '2024-03-10T07:30:00.999Z', '2024-07-01T00:00:00.000Z'].map(
      (t) => new Date(t),
    );
    await store().change(id, async (session) => {
      for (const [i, at] of instants.entries()) await putCursor(session, 's', `t${i}`, '', at);
    });
    const rows = await store().read((session) =>
      session.rows<StoreRowOf<typeof cursors>>('SELECT * FROM cursors WHERE organisation_id = $1 ORDER BY stream', [
        id,
      ]),
    );
    expect(rows.map(({ updated_at }) => updated_at)).toEqual(instants);
  });

  test('Long lists are written, found and replaced in one statement each', async () => {
    const { id } = await someOrganisation(store());
    // A value of its own for each of their fields would be more than a statement of PostgreSQL takes, which is 65,535.
    const length = times(4_000, 50_000);
    const ids = Array.from({ length }, (_, i) => `p${String(i).padStart(5, '0')}`);
    const count =
      'SELECT count(*)::int AS n FROM people WHERE organisation_id = $1 AND id IN (SELECT unnest($2::text[]))';
    const counts = await store().change(id, async (session) => {
      await insertRows(
        session,
        people,
        ids.map((one) => person(id, one)),
      );
      await putRows(
        session,
        people,
        ids.map((one) => person(id, one, { role: 'x' })),
      );
      const [found] = await session.rows<{ n: number }>(count, [id, ids]);
      const [renamed] = await session.rows<{ n: number }>(`${count} AND role = 'x'`, [id, ids]);
      return [found?.n, renamed?.n];
    });
    expect(counts).toEqual([length, length]);
  });

  test('An empty list matches nothing and inserts nothing', async () => {
    const { id } = await someOrganisation(store());
    const rows = await store().change(id, async (session) => {
      await insertRows(session, cursors, []);
      await putRows(session, cursors, []);
      return session.rows(
        'SELECT 1 AS one FROM people WHERE organisation_id = $1 AND id IN (SELECT unnest($2::text[]))',
        [id, []],
      );
    });
    expect(rows).toEqual([]);
  });

  test('Values in a store names sort by code point, astral letters last', async () => {
    const { id } = await someOrganisation(store());
    const sorted = ['10', '9', 'A', 'Z', 'Za', 'a', 'b', 'É', 'é', '日', '\uffee', '𝒜'];
    await store().change(id, (session) => session.run('DELETE FROM people WHERE organisation_id = $1', [id]));
    await keep(
      store(),
      id,
      sorted.toReversed().map((name, i) => person(id, `p${i}`, { name })),
    );
    const names = (sql: string) =>
      store().read(async (session) => (await session.rows<StoredPerson>(sql, [id])).map(({ name }) => name));
    expect(await names('SELECT name FROM people WHERE organisation_id = $1 ORDER BY name')).toEqual(sorted);
    expect(await names(`SELECT name FROM people WHERE organisation_id = $1 AND name > 'é' ORDER BY name`)).toEqual([
      '日',
      '\uffee',
      '𝒜',
    ]);
  });

  test('Pages of a table bring every row once, in the order of its key', async () => {
    const { id } = await someOrganisation(store());
    const ids = Array.from({ length: times(10_001, 12_345) }, (_, i) => `${['é', 'a', 'Z', '𝒜'][i % 4]}${i}`);
    await keep(
      store(),
      id,
      ids.map((one) => person(id, one)),
    );
    const pages = await store().read(async (session) => {
      const seen: string[][] = [];
      for await (const page of pagesOf(session, people)) {
        seen.push(page.filter((row) => row.organisation_id === id).map((row) => String(row.id)));
      }
      return seen;
    });
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.flat().length).toBe(ids.length + 1);
    expect(new Set(pages.flat()).size).toBe(ids.length + 1);
    expect(pages.flat()).toEqual(pages.flat().toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
  });
});
