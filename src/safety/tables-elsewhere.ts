import { Refusal } from '../refusal.ts';
import { found, type HealthFinding } from './finding.ts';

/** What a command cannot do where the tables are not files in the data folder, and what does the same there. */
const instead = {
  backup:
    '`plumb backup` copies tables in the data folder, and these are in ClickHouse. Stop the servers and back up PostgreSQL and ClickHouse with their own tools, or copy everything to a folder with `plumb migrate --to FOLDER` and back up that folder.',
  restore:
    '`plumb restore` fills tables in the data folder, and these are in ClickHouse. Restore into a folder, with neither CLICKHOUSE_URL nor DATABASE_URL set, and move everything from there with `plumb migrate --to postgresql://… --to http://…`.',
  recompute:
    '`plumb verify --deep` recomputes tables in the data folder, and these are in ClickHouse. Leave out --deep, or copy everything to a folder with `plumb migrate --to FOLDER` and verify that folder.',
} as const;

export const tablesElsewhere = (what: keyof typeof instead): Refusal => new Refusal('conflict', instead[what]);

export const tablesNotRead = (): HealthFinding =>
  found(
    'tables',
    'the tables are in ClickHouse, which checks its own files; only the store was read (`CHECK TABLE` in ClickHouse does the rest)',
  );
