import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createOrganisation } from '../../../src/directory/organisations.ts';
import { openApp } from '../../../src/main.ts';
import { openEmbeddedWarehouse } from '../../../src/warehouse/duckdb/warehouse.ts';
import { stateOf } from '../../ingest/state.ts';
import { bundleScript } from '../../setup/bundled-script.ts';
import { threadsForFewRows } from '../../setup/how-long.ts';
import { seed } from '../../setup/seed.ts';
import { organisationId } from './ingested-history.ts';
import { ingestHistory } from './ingesting-process.ts';

const kills = 160;

const folder = mkdtempSync(join(tmpdir(), 'plumb-ingest-kill-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(`An import killed at any of its steps and run again gives the same tables (${kills} kills, seed ${seed})`, async () => {
  const script = await bundleScript(join(import.meta.dirname, 'ingesting-process.ts'), folder);
  const empty = await emptyPlace();
  const whole = copyOf(empty, 'whole');
  const steps = await ingestHistory(whole);
  const expected = await state(whole);
  expect(steps).toBeGreaterThan(100);
  for (let kill = 0; kill < kills; kill += 1) {
    // Spread over all steps, and not at the same ones every time.
    const step = Math.floor(((kill + ((seed * 0.618 + kill * 0.382) % 1)) * steps) / kills);
    const broken = copyOf(empty, `broken-${kill}`);
    expect(await killed(script, broken, step)).toBe('SIGKILL');
    await ingestHistory(broken);
    expect(await state(broken), `killed at step ${step} of ${steps}`).toEqual(expected);
    rmSync(broken, { recursive: true });
  }
});

async function emptyPlace(): Promise<string> {
  const place = join(folder, 'empty');
  mkdirSync(place);
  const app = await openApp({ folder: place, databaseUrl: undefined });
  await createOrganisation(
    app.directory,
    { via: 'demo' },
    { id: organisationId, name: 'Kill', ownerEmail: 'o@example.org' },
  );
  await app.close();
  return place;
}

function copyOf(place: string, name: string): string {
  const copy = join(folder, name);
  cpSync(place, copy, { recursive: true });
  return copy;
}

async function state(place: string): Promise<unknown> {
  const warehouse = await openEmbeddedWarehouse(place, { threads: threadsForFewRows ?? 2 });
  try {
    return await stateOf(warehouse, organisationId);
  } finally {
    await warehouse.close();
  }
}

function killed(script: string, place: string, step: number): Promise<NodeJS.Signals | string> {
  const report = join(place, 'report');
  const child = spawn(process.execPath, [script, place, String(step), report], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(signal ?? `exit ${code} after ${readFileSync(report, 'utf8')} steps`));
  });
}
