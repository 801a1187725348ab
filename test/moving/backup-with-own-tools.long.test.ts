import { createClient } from '@clickhouse/client';
import { describe, expect, inject, test } from 'vitest';
import { freshFolder } from '../conformance/stores.ts';
import { filledPlace } from '../safety/filled-app.ts';
import { clickhouseAvailable, freshTables } from '../setup/clickhouse.ts';
import { closedAfterAll } from '../setup/closed-after-all.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { copyDatabase, freshDatabase, postgresAvailable } from '../setup/postgres.ts';
import { someAnswers } from './some-answers.ts';

/**
 * What docs/operating/backup.md says of backups with the tools of PostgreSQL and ClickHouse: copies of both, made while no server
 * runs, answer as the originals do. Where pg_dump is not of the server's version the database is copied by the server.
 */
describe.skipIf(!postgresAvailable || !clickhouseAvailable)('a backup with the tools of both databases', () => {
  const closing = closedAfterAll();

  async function newFolder(): Promise<string> {
    const folder = freshFolder();
    closing(() => folder.remove());
    return folder.path;
  }

  test('Brings back everything as it was then, and takes new records', async () => {
    const { place } = await filledPlace();
    const [database, tables, bare] = [await freshDatabase(), await freshTables(), await freshTables()];
    closing(place.remove, database.drop, tables.drop, bare.drop);
    const words = ['migrate', '--to', database.url, '--to', tables.url, '--json'];
    expect(await callPlumb(place.folder, words)).toMatchObject({ code: 0 });
    const expected = await someAnswers(await newFolder(), { DATABASE_URL: database.url, CLICKHOUSE_URL: tables.url });
    expect(expected.join('')).toContain('Änderung');

    const copied = await copyDatabase(database.url);
    closing(copied.drop);
    const nameIn = (url: string) => new URL(url).pathname.slice(1);
    const client = createClient({ url: inject('clickhouseUrl') ?? '' });
    closing(() => client.close());
    // The engine of the tests has no place for files; a server takes Disk('backups', …) here.
    const target = `Memory('${nameIn(tables.url)}')`;
    await client.command({ query: `BACKUP DATABASE ${nameIn(tables.url)} TO ${target}` });
    const environment = { DATABASE_URL: copied.url, CLICKHOUSE_URL: bare.url };
    // What happens to the originals afterwards is nothing to the backup.
    await client.command({ query: `TRUNCATE TABLE ${nameIn(tables.url)}.pull_requests` });
    await client.command({
      query: `RESTORE DATABASE ${nameIn(tables.url)} AS ${nameIn(bare.url)} FROM ${target}`,
    });
    expect(await someAnswers(await newFolder(), environment)).toEqual(expected);
    const record =
      '{"pr_id": "after", "repository": "a/b", "pr_created_at": "2024-03-04T09:00:00Z", "pr_title": "After"}';
    const imported = ['import', '--org', 'Example', '--table', 'pull_requests', '-'];
    const folder = await newFolder();
    expect(await callPlumb(folder, imported, { environment, stdin: `${record}\n` })).toMatchObject({ code: 0 });
    expect((await someAnswers(folder, environment)).join('')).toContain('After');
  }, 120_000);
});
