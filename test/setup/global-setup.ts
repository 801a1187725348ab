import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findChromium, findHelm, findYamllint } from '../../scripts/test-engines.mjs';
import { forFewRows, startClickHouseServer } from './clickhouse-server.ts';
import { isLong } from './how-long.ts';
import { startPostgresServer } from './postgres-server.ts';
import { recordedDataAvailable, recordedDataFolder } from './recorded-data.ts';
import { seed } from './seed.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string | null;
    clickhouseUrl: string | null;
    /** It is a server that was given, with users and settings, and not the engine of the tests. */
    clickhouseIsGiven: boolean;
    /** The cluster that CLICKHOUSE_URL names, as in `http://…?cluster=main`. */
    clickhouseCluster: string | null;
    chromiumPath: string | null;
    yamllintPath: string | null;
    helmPath: string | null;
    /** For what test files share that is made when the first of them needs it. */
    runFolder: string;
  }
}

/** Runs once, before the first test file: starts what tests share, and tells at the end what this machine lacks. */
export default async function setUpEngines(project: TestProject): Promise<() => Promise<void>> {
  if (!Number.isInteger(seed)) throw new Error(`PLUMB_TEST_SEED must be a whole number, not ${seed}.`);
  console.log(`Random tests grow from seed ${seed}. PLUMB_TEST_SEED=${seed} repeats them.`);
  const lacking: string[] = [];

  const runFolder = mkdtempSync(join(tmpdir(), 'plumb-run-'));
  project.provide('runFolder', runFolder);

  const postgres = await startPostgresServer().catch((error: Error) => {
    lacking.push(`PostgreSQL: ${error.message}`);
    return null;
  });
  project.provide('postgresUrl', postgres?.url ?? null);

  project.provide('clickhouseIsGiven', Boolean(process.env.CLICKHOUSE_URL));
  const clickhouse = await startClickHouseServer(isLong ? [] : forFewRows).catch((error: Error) => {
    lacking.push(`ClickHouse: ${error.message}`);
    return null;
  });
  project.provide('clickhouseUrl', clickhouse?.url ?? null);
  project.provide('clickhouseCluster', clickhouse?.cluster ?? null);

  const chromiumPath = findChromium() ?? null;
  if (chromiumPath === null) lacking.push('Chromium: neither $CHROMIUM nor the PATH has one that starts');
  project.provide('chromiumPath', chromiumPath);

  const yamllintPath = findYamllint() ?? null;
  if (yamllintPath === null) lacking.push('yamllint: the PATH has none that starts');
  project.provide('yamllintPath', yamllintPath);

  const helmPath = findHelm() ?? null;
  if (helmPath === null) lacking.push('helm: the PATH has none that starts');
  project.provide('helmPath', helmPath);

  if (!recordedDataAvailable) lacking.push(`recorded data: ${recordedDataFolder} does not exist`);

  return async () => {
    await clickhouse?.stop();
    await postgres?.stop();
    rmSync(runFolder, { recursive: true, force: true });
    for (const engine of lacking) console.log(`SKIPPED every test that needs ${engine}`);
  };
}
