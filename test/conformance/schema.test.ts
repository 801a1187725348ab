import pg from 'pg';
import { expect, test } from 'vitest';
import { storeTables } from '../../src/store/all-store-tables.ts';
import { type Migration, migrate, migrations, schemaVersion } from '../../src/store/migrations/migrations.ts';
import { openStore } from '../../src/store/open.ts';
import { describeWithPostgres } from '../setup/postgres.ts';
import { describeOnEveryStore, postgres, sharedStore } from './stores.ts';

interface ColumnRow {
  readonly table_name: string;
  readonly column_name: string;
  readonly data_type: string;
  readonly is_nullable: string;
}

const typeNames: Readonly<Record<string, string>> = {
  varchar: 'text',
  double: 'double precision',
  'timestamp with time zone': 'timestamptz',
};

describeOnEveryStore('the schema of a store', (engine) => {
  const store = sharedStore(engine);
  const own = new Set(['migrations', 'commits', 'data_versions']);

  test('The schema of a store is what tables.ts says, column by column', async () => {
    const columns = await store().read((session) =>
      session.rows<ColumnRow>(
        `SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
         WHERE table_schema IN ('main', 'public') ORDER BY table_name, ordinal_position`,
      ),
    );
    const found: Record<string, Record<string, string>> = {};
    for (const { table_name, column_name, data_type, is_nullable } of columns) {
      if (own.has(table_name)) continue;
      const type = typeNames[data_type.toLowerCase()] ?? data_type.toLowerCase();
      found[table_name] = { ...found[table_name], [column_name]: `${type} ${is_nullable}` };
    }
    const wanted = storeTables.map(({ name, columns }) => [
      name,
      Object.fromEntries(
        Object.entries(columns).map(([column, { type, nullable }]) => [column, `${type} ${nullable ? 'YES' : 'NO'}`]),
      ),
    ]);
    expect(found).toEqual(Object.fromEntries(wanted));
    const order = columns.filter(({ table_name }) => !own.has(table_name));
    for (const { name, columns: declared } of storeTables) {
      // `insertRows` names its columns, but the order is what a person reads.
      expect(order.filter((row) => row.table_name === name).map((row) => row.column_name)).toEqual(
        Object.keys(declared),
      );
    }
  });

  test('The schema of a store has the key that tables.ts says', async () => {
    const rows = await store().read((session) =>
      session.rows<{ table_name: string; column_name: string }>(
        `SELECT k.table_name, k.column_name FROM information_schema.key_column_usage k
         JOIN information_schema.table_constraints c ON c.constraint_name = k.constraint_name AND c.table_name = k.table_name
         WHERE c.constraint_type = 'PRIMARY KEY' ORDER BY k.table_name, k.ordinal_position`,
      ),
    );
    for (const { name, key } of storeTables) {
      expect(rows.filter(({ table_name }) => table_name === name).map(({ column_name }) => column_name)).toEqual(key);
    }
  });

  test('The schema of a store was brought here by each migration once, however often the store is opened', async () => {
    const place = await engine.place();
    try {
      for (let i = 0; i < 3; i += 1) await (await openStore(place)).close();
      const opened = await openStore(place);
      const applied = await opened.read((session) =>
        session.rows<{ version: number }>('SELECT version FROM migrations ORDER BY version'),
      );
      await opened.close();
      expect(applied.map(({ version }) => version)).toEqual(migrations.map(({ version }) => version));
    } finally {
      await place.remove();
    }
  });

  test('The schema of a store newer than this Plumb is refused, and left alone', async () => {
    const place = await engine.place();
    try {
      const opened = await openStore(place);
      await opened.note((session) =>
        session.run(`INSERT INTO migrations VALUES (${schemaVersion + 1}, 'tomorrow', now())`),
      );
      await opened.close();
      await expect(openStore(place)).rejects.toMatchObject({
        reason: 'conflict',
        message: expect.stringContaining(`schema version ${schemaVersion + 1}`),
      });
    } finally {
      await place.remove();
    }
  });

  test('The schema of a store stays as it was when a migration fails half way', async () => {
    const broken: Migration[] = [
      ...migrations,
      { version: schemaVersion + 1, name: 'broken', statements: ['CREATE TABLE half (id text)', 'CREATE TABEL x'] },
    ];
    await expect(store().note((session) => migrate(session, broken))).rejects.toThrow();
    const tables = await store().read((session) =>
      session.rows("SELECT 1 AS one FROM information_schema.tables WHERE table_name = 'half'"),
    );
    expect(tables).toEqual([]);
    const later: Migration[] = [
      ...migrations,
      { version: schemaVersion + 1, name: 'whole', statements: ['CREATE TABLE whole (id text)'] },
    ];
    await store().note((session) => migrate(session, later));
    expect(await store().read((session) => session.rows('SELECT id FROM whole'))).toEqual([]);
  });
});

describeWithPostgres('a PostgreSQL store', () => {
  test('A PostgreSQL store is migrated once when eight replicas start at the same moment', async () => {
    const place = await postgres.place();
    try {
      const stores = await Promise.all(Array.from({ length: 8 }, () => openStore(place)));
      const applied = await stores[0]?.read((session) => session.rows('SELECT version FROM migrations'));
      expect(applied).toHaveLength(migrations.length);
      await Promise.all(stores.map((store) => store.close()));
    } finally {
      await place.remove();
    }
  });

  test('A PostgreSQL store leaves no connection behind when it is closed at once', async () => {
    const place = await postgres.place();
    const watcher = new pg.Client({ connectionString: place.databaseUrl });
    await watcher.connect();
    try {
      const store = await openStore(place);
      await store.close();
      const left = async () => {
        const { rows } = await watcher.query(
          `SELECT application_name FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'plumb%'`,
        );
        return rows;
      };
      await expect.poll(left).toEqual([]);
    } finally {
      await watcher.end();
      await place.remove();
    }
  });
});
