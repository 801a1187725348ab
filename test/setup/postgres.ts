import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { describe, inject } from 'vitest';

export interface FreshDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

const serverUrl = inject('postgresUrl');

export const postgresAvailable = serverUrl !== null;

/** A `describe` whose tests are counted as skipped where there is no PostgreSQL. */
export const describeWithPostgres = describe.skipIf(!postgresAvailable);

/** An empty database of the caller's own on the server that the whole run shares. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runOnServer(`create database ${name}`);
  const url = new URL(`/${name}`, serverUrl ?? undefined);
  return { url: url.href, drop: () => runOnServer(`drop database if exists ${name} with (force)`) };
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
