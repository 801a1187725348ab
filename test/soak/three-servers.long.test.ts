import { createClient } from '@clickhouse/client';
import { describe, expect, test } from 'vitest';
import { freshFolder } from '../conformance/stores.ts';
import { Fleet } from '../replicas/fleet.ts';
import { clickhouseAvailable, clickhouseIsGiven, type FreshTables, freshTables } from '../setup/clickhouse.ts';
import { startClickHouseServer } from '../setup/clickhouse-server.ts';
import { closedAfterAll } from '../setup/closed-after-all.ts';
import { isEmulated } from '../setup/emulated-engine.ts';
import { freshDatabase, onDatabase, postgresAvailable } from '../setup/postgres.ts';
import { soak, soakTimeoutMs } from './soak-run.ts';
import { soakedOrganisation } from './soaked-organisation.ts';

const closing = closedAfterAll();

/** An engine of its own: that of the run has the tables of other tests. */
async function ownTables(): Promise<FreshTables> {
  if (clickhouseIsGiven) return freshTables();
  const server = await startClickHouseServer();
  return { url: new URL('/default', server.url).href, drop: () => server.stop() };
}

/** What rows take on the disk: the store's, and those of the tables that are in use. */
async function bytesOf(databaseUrl: string, tablesUrl: string): Promise<number> {
  const [{ bytes } = {}] = await onDatabase(databaseUrl, 'select pg_database_size(current_database()) as bytes');
  const client = createClient({ url: tablesUrl });
  try {
    const query = 'SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = currentDatabase()';
    const [parts] = await (await client.query({ query, format: 'JSONEachRow' })).json<{ readonly bytes: string }>();
    return Number(bytes) + Number(parts?.bytes);
  } finally {
    await client.close();
  }
}

describe.skipIf(!postgresAvailable || !clickhouseAvailable)('three servers', () => {
  test(
    'Three servers take no more memory, open files, disk and time in the end of a long day than at its beginning',
    async () => {
      const [database, tables, folder] = [await freshDatabase(), await ownTables(), freshFolder()];
      closing(
        () => database.drop(),
        () => tables.drop(),
        () => folder.remove(),
      );
      const environment = { DATABASE_URL: database.url, CLICKHOUSE_URL: tables.url, PLUMB_SECRET: 'shared' };
      const organisation = await soakedOrganisation(folder.path, environment);
      const fleet = new Fleet({ ...environment, PLUMB_RATE_LIMIT: '0' });
      closing(
        () => fleet.close(),
        () => organisation.close(),
      );
      await fleet.add();
      await Promise.all([fleet.add(), fleet.add()]);
      await organisation.fill(fleet);
      const measured = {
        pids: fleet.pids,
        folders: fleet.folders,
        bytesElsewhere: () => bytesOf(database.url, tables.url),
      };
      // An emulated engine takes a second or two for a statement, which says nothing of a real one.
      await soak('three servers', measured, { ...organisation.terms, urls: fleet.urls }, { hasLatency: !isEmulated });
      await fleet.close();
      expect(fleet.logs.filter((line) => line.includes('request failed'))).toEqual([]);
    },
    soakTimeoutMs,
  );
});
