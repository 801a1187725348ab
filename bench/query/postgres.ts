import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type PostgresServer, startPostgresServer } from '../../test/setup/postgres-server.ts';
import type { BareEngine } from './engine.ts';
import type { ComparedRows, ComparedValue } from './question.ts';
import { memoryMegabytes } from './sizes.ts';
import type { Organisation } from './world.ts';

const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pull_requests: {
    pr_id: 'text',
    pr_number: 'bigint',
    pr_title: 'text',
    pr_body: 'text',
    pr_summary: 'text',
    pr_category: 'text',
    repository: 'text',
    pr_state: 'text',
    merged_user_id: 'text',
    is_bot: 'boolean',
    pr_created_at: 'timestamp',
    pr_merged_at: 'timestamp',
    first_review_at: 'timestamp',
    reviews_count: 'bigint',
    additions: 'bigint',
    cycle_time: 'bigint',
    pickup_time: 'bigint',
    review_time: 'bigint',
    lead_time: 'bigint',
  },
  pull_request_reviews: {
    pr_review_id: 'text',
    pr_id: 'text',
    merged_user_id: 'text',
    is_bot: 'boolean',
    actor: 'text',
    is_review: 'boolean',
    reviewed_at: 'timestamp',
  },
  deployments: {
    deployment_id: 'text',
    deployed_at: 'timestamp',
    is_production: 'boolean',
    status: 'text',
    is_remediation: 'boolean',
    failure_reason: 'text',
    time_to_restore: 'bigint',
  },
  people: { merged_user_id: 'text', onboarded: 'boolean' },
  teams: { team_id: 'text', team_name: 'text' },
  team_members: { team_id: 'text', merged_user_id: 'text' },
};

/** What is searched, in one column. */
const words = `lower(pr_title || ' ' || coalesce(pr_body, '') || ' ' || coalesce(pr_summary, '') || ' ' || coalesce(pr_category, ''))`;

/** For each question an index that has everything it reads, where that helps. */
const indexes = [
  'pull_requests (organisation, pr_created_at) INCLUDE (merged_user_id, is_bot, reviews_count, first_review_at)',
  'pull_requests (organisation, pr_merged_at) INCLUDE (merged_user_id, is_bot, cycle_time, pickup_time, review_time, lead_time)',
  'pull_request_reviews (organisation, reviewed_at) INCLUDE (merged_user_id, is_bot, actor, is_review)',
  'deployments (organisation, deployed_at) INCLUDE (is_production, status, is_remediation, failure_reason, time_to_restore)',
  'people (organisation, merged_user_id) INCLUDE (onboarded)',
  'team_members (organisation, merged_user_id) INCLUDE (team_id)',
  'teams (organisation, team_id) INCLUDE (team_name)',
  // Only where it is asked for: it is by far the largest.
  'pull_requests USING gin (words gin_trgm_ops) WHERE organisation = 0',
];

/** Days stay text, times are seconds, and every number is a number. */
const parsers: Readonly<Record<number, (text: string) => ComparedValue>> = {
  [pg.types.builtins.DATE]: (text) => text,
  [pg.types.builtins.TIMESTAMP]: (text) => Date.parse(`${text.replace(' ', 'T')}Z`) / 1_000,
  [pg.types.builtins.INT8]: Number,
  [pg.types.builtins.NUMERIC]: Number,
};

/** A PostgreSQL with the rows of all organisations in one set of tables, or the reason why there is none. */
export async function openPostgres(
  engine: BareEngine,
  organisations: readonly Organisation[],
): Promise<Postgres | { readonly missing: string }> {
  let server: PostgresServer;
  try {
    server = await startPostgresServer({ settings: settings() });
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
  const client = new pg.Client({
    connectionString: server.url,
    types: {
      getTypeParser: ((oid: number) => parsers[oid] ?? pg.types.getTypeParser(oid)) as typeof pg.types.getTypeParser,
    },
  });
  const postgres = new Postgres(server, client);
  try {
    await client.connect();
    await load(client, engine, organisations);
  } catch (error) {
    await postgres.close();
    throw error;
  }
  return postgres;
}

const settings = (): Readonly<Record<string, string>> => ({
  shared_buffers: `${memoryMegabytes}MB`,
  effective_cache_size: `${memoryMegabytes * 2}MB`,
  maintenance_work_mem: `${Math.min(1_024, Math.floor(memoryMegabytes / 4))}MB`,
  work_mem: '64MB',
  random_page_cost: '1.1',
  max_wal_size: '16GB',
  autovacuum: 'off',
});

export class Postgres {
  readonly #server: PostgresServer;
  readonly #client: pg.Client;

  constructor(server: PostgresServer, client: pg.Client) {
    this.#server = server;
    this.#client = client;
  }

  async rows(sql: string): Promise<ComparedRows> {
    return (await this.#client.query<ComparedValue[]>({ text: sql, rowMode: 'array' })).rows;
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => {});
    await this.#server.stop();
  }
}

async function load(client: pg.Client, engine: BareEngine, organisations: readonly Organisation[]): Promise<void> {
  // The server runs as somebody else, who has to be let in.
  const folder = mkdtempSync(join(tmpdir(), 'plumb-bench-csv-'));
  chmodSync(folder, 0o755);
  const file = join(folder, 'rows.csv');
  try {
    await client.query('CREATE EXTENSION pg_trgm');
    for (const [table, columns] of Object.entries(tables)) {
      const defined = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
      const made = table === 'pull_requests' ? [`words text GENERATED ALWAYS AS (${words}) STORED`] : [];
      await client.query(`CREATE TABLE ${table} (${['organisation integer', ...defined, ...made].join(', ')})`);
      const names = Object.keys(columns).join(', ');
      for (const organisation of organisations) {
        await engine.turnTo(organisation);
        const { number } = organisation;
        await engine.run(`COPY (SELECT ${number}, ${names} FROM ${table}) TO '${file}' (FORMAT csv, HEADER false)`);
        chmodSync(file, 0o644);
        await client.query(`COPY ${table} (organisation, ${names}) FROM '${file}' (FORMAT csv)`);
      }
    }
    for (const index of indexes) await client.query(`CREATE INDEX ON ${index}`);
    await client.query('VACUUM (ANALYZE)');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
