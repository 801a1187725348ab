import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { describe, inject } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { madeOnce } from './made-once.ts';

export interface FreshDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

const serverUrl = inject('postgresUrl');

export const postgresAvailable = serverUrl !== null;

/** A `describe` whose tests are counted as skipped where there is no PostgreSQL. */
export const describeWithPostgres = describe.skipIf(!postgresAvailable);

/** An empty database of the caller's own on the server that the whole run shares. */
export const freshDatabase = (): Promise<FreshDatabase> => databaseFrom('template1');

/** A copy of a database that nobody uses, made by the server. */
export const databaseLike = (url: string): Promise<FreshDatabase> => databaseFrom(new URL(url).pathname.slice(1));

/** A database with the tables of a store that has nothing in it. Making the tables takes four times as long as copying them. */
export async function storeDatabase(): Promise<FreshDatabase> {
  const { value } = await madeOnce('store-database', async (folder) => {
    const { url } = await freshDatabase();
    const store = await openStore({ folder, databaseUrl: url });
    await store.close();
    return url;
  });
  return databaseLike(value);
}

/** Its files are copied: writing each page to the log first, as a server does by itself, takes three times as long. */
async function databaseFrom(template: string): Promise<FreshDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runOnServer(`create database ${name} template ${template} strategy file_copy`);
  const { href: url } = new URL(`/${name}`, serverUrl ?? undefined);
  return { url, drop: () => runOnServer(`drop database if exists ${name} with (force)`) };
}

/** A copy of a database that nobody uses: by pg_dump and pg_restore, or by the server where those are of another version. */
export async function copyDatabase(url: string): Promise<FreshDatabase> {
  const dumped = spawnSync('pg_dump', ['--format=custom', url], { maxBuffer: 2 ** 28 });
  if (dumped.status !== 0) {
    console.warn(`pg_dump was not tried, and the server copies its database: ${dumped.error ?? dumped.stderr}`);
    return databaseLike(url);
  }
  const copy = await freshDatabase();
  const restored = spawnSync('pg_restore', ['--dbname', copy.url, '--exit-on-error'], { input: dumped.stdout });
  if (restored.status !== 0) throw new Error(`pg_restore failed: ${restored.stderr}`);
  return copy;
}

async function runOnServer(statement: string): Promise<void> {
  if (serverUrl === null) throw new Error('There is no PostgreSQL here: put this test under describeWithPostgres.');
  await onDatabase(serverUrl, statement);
}

/** The rows of one statement. */
export async function onDatabase(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
