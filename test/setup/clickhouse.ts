import { randomBytes } from 'node:crypto';
import { createClient } from '@clickhouse/client';
import { describe, inject } from 'vitest';

export interface FreshTables {
  readonly url: string;
  readonly cluster?: string | undefined;
  drop(): Promise<void>;
}

const serverUrl = inject('clickhouseUrl');
const cluster = inject('clickhouseCluster') ?? undefined;

/** A real server at CLICKHOUSE_URL, with users, limits and cancellation. */
export const clickhouseIsGiven = inject('clickhouseIsGiven');

export const clickhouseAvailable = serverUrl !== null;

/** A `describe` whose tests are counted as skipped where there is no ClickHouse. */
export const describeWithClickHouse = describe.skipIf(!clickhouseAvailable);

/** An empty database of the caller's own on the server that the whole run shares. */
export async function freshTables(): Promise<FreshTables> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const everywhere = cluster === undefined ? '' : ` ON CLUSTER "${cluster}"`;
  await runOnServer(`CREATE DATABASE ${name}${everywhere}`);
  const url = new URL(`/${name}`, serverUrl ?? undefined).href;
  return { url, cluster, drop: () => runOnServer(`DROP DATABASE ${name}${everywhere}`) };
}

async function runOnServer(query: string): Promise<void> {
  if (serverUrl === null) throw new Error('There is no ClickHouse here: put this test under describeWithClickHouse.');
  const client = createClient({ url: serverUrl });
  try {
    await client.command({ query });
  } finally {
    await client.close();
  }
}
